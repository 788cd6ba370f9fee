"""Commands of the operator for the owner or a person of a debate; access to the database is the permission.

`hand-over` gives the debate another owner. `erase` replaces its record by one without a person's name. The record notes
who did it and why. `link` makes a new personal link for a person who cannot get in; it is printed and not stored.
`rotate-secret`, after a leak, makes all existing links and cookies invalid.
"""

from argparse import Namespace
from contextlib import closing
from functools import partial

from debate_core.cli.files import refuse_missing, submitted
from debate_core.cli.flags import PROGRAM
from debate_core.cli.terminal import answer, say
from debate_core.engine.rights import HOST
from debate_core.engine.stage import present
from debate_core.errors import InvalidSpec
from debate_core.host.access.accounts import Accounts
from debate_core.host.access.admission import id_words, renew
from debate_core.host.access.door import Door
from debate_core.host.access.invites import INVITE_LASTS
from debate_core.host.erasure import Wish, erase_name
from debate_core.host.runner import now
from debate_core.host.settings import Settings
from debate_core.host.signatures import Signatures
from debate_core.host.stores import open_store
from debate_core.record.acts import HandedOver
from debate_core.record.commands import Act
from debate_core.record.fold import replay
from debate_core.record.state import State
from debate_core.spec.protocol import read
from debate_core.spec.values import Json
from debate_core.text import line, plural

SERVER = "server"
STAYS = "the former record stays in this append-only database and in every exported file: see docs/security.md"
HERE = "http://localhost:8501"
"""The address of `make run`."""
GUESSED = f"{HERE} is the default address: replace it by yours, or set DEBATE_PUBLIC_URL"
OWN_SECRET = "signed with the secret beside this database: if the server has a DEBATE_SECRET, set the same one here"
ROTATED = (
    "There is a new secret: existing links and cookies stop working when the server is restarted. "
    f"For a new link: {PROGRAM} link DEBATE"
)


def hand_over(flags: Namespace, settings: Settings) -> int:
    """Give a debate another owner, or to the server; 0. InvalidSpec or RuleViolation in one sentence."""
    _refuse_empty(flags)
    refuse_missing(settings.database_url)
    with closing(open_store(settings.database_url)) as store:
        state = replay(store.load(flags.debate_id))
        to = None if flags.to.strip() == SERVER else Accounts(store).by_email(flags.to)
        owner = to.id if to else None
        act = read(HandedOver, {"to": owner, "reason": flags.reason, "who": flags.by})
        submitted(store, settings, state, Act(by=HOST, act=act))
    whose = line(to.words) if to else "the server"
    words = f"{line(state.spec.question)}: it now belongs to {whose}\n"
    answer(flags, {"debate_id": state.debate, "owner": owner}, words)
    return 0


def erase(flags: Namespace, settings: Settings) -> int:
    """Replace a debate by a record without a person's name; 0. InvalidSpec or RuleViolation."""
    _refuse_empty(flags)
    refuse_missing(settings.database_url)
    with closing(open_store(settings.database_url)) as store:
        wish = Wish(flags.person, flags.by, flags.reason)
        erased = erase_name(store, Signatures(store, settings.signing_key), flags.debate_id, wish, at=now())
    last = erased.events[-1]
    new_record = {"debate_id": last.debate, "instead_of": flags.debate_id, "head": last.hash, "left": erased.left}
    words = f"{last.debate} replaces {flags.debate_id} now, without this name; its head is {last.hash}\n"
    answer(flags, new_record, words)
    if erased.left:
        say(f"the name still occurs {plural(erased.left, 'time')} in documents, quotes or ids, which are not changed")
    say(STAYS)
    return 0


def _refuse_empty(flags: Namespace) -> None:
    for name, why in (("by", "say who does this"), ("reason", "give a reason: it is kept in the record")):
        if not getattr(flags, name).strip():
            raise InvalidSpec(f"--{name} is empty: {why}")


def link(flags: Namespace, settings: Settings) -> int:
    """List the people, revoke the older links of one of them, print a new one. InvalidSpec explains a fault."""
    refuse_missing(settings.database_url)
    with closing(open_store(settings.database_url)) as store:
        state = replay(store.load(flags.debate_id))
        if not state.spec.has_people:
            raise InvalidSpec(f"{state.debate} was opened without people: it has no links and needs none")
        if flags.list:
            answer(flags, _json(state), _list_people(state))
            return 0
        door = Door(store, clock=now, secret=settings.secret)
        person_id = _only_facilitator(state) if flags.person is None else flags.person
        invite, n_taken_back = renew(door, state, person_id, partial(submitted, store, settings, state))
        address = f"{settings.public_url or HERE}/join/{door.token(invite)}"
    new_link = {"person": person_id, "link": address, "expires_at": invite.expires_at, "taken_back": n_taken_back}
    who = state.room.people[person_id]
    older = f"; {plural(n_taken_back, 'older link')} taken back" if n_taken_back else ""
    words = f"For {line(who.name)} alone, once, within {INVITE_LASTS.days} days{older}:\n{address}\n"
    answer(flags, _json(state) | new_link, _list_people(state) + words)
    if not settings.public_url:
        say(GUESSED)
    if not settings.secret:
        say(OWN_SECRET)
    return 0


def rotate_secret(_flags: Namespace, settings: Settings) -> int:
    """Make a new secret for the links and cookies of a database. InvalidSpec if the database keeps none."""
    if settings.secret:
        raise InvalidSpec("DEBATE_SECRET is set, and signs instead of the secret beside the database: change it there")
    refuse_missing(settings.database_url)
    with closing(open_store(settings.database_url)) as store:
        store.renew_secret()
    print(ROTATED)
    return 0


def _only_facilitator(state: State) -> str:
    facilitators = [person for person in present(state) if person.role == "facilitator"]
    if len(facilitators) != 1:
        raise InvalidSpec(
            f"{state.debate} has {len(facilitators)} facilitators: choose with --person: {id_words(facilitators)}"
        )
    return facilitators[0].id


def _json(state: State) -> dict[str, Json]:
    people: list[Json] = [{"id": p.id, "name": p.name, "role": p.role} for p in present(state)]
    return {"debate_id": state.debate, "question": state.spec.question, "people": people}


def _list_people(state: State) -> str:
    lines = [f"{state.debate}: {line(state.spec.question)}"]
    lines += [f"  {p.id}  {line(p.name)}, {p.role}" for p in present(state)]
    return "\n".join(lines) + "\n"
