"""`link`: a new personal link for somebody of a debate whose people cannot come in any more. Asks no seat.

`rotate-secret`: after somebody may have read the secret, no link and no cookie from before is good.

For whoever runs the server: holding the database is the right to do it. The record says that it was made; the link
itself is printed and kept nowhere. Who may have one is for `admission` to say.
"""

from argparse import Namespace
from contextlib import closing
from functools import partial

from debate_core.cli.files import refuse_missing, submitted
from debate_core.cli.flags import PROGRAM
from debate_core.cli.terminal import answer, say
from debate_core.engine.stage import present
from debate_core.errors import InvalidSpec
from debate_core.host.door.admission import id_words, renew
from debate_core.host.door.door import Door
from debate_core.host.door.invites import INVITE_LASTS
from debate_core.host.runner import now
from debate_core.host.settings import Settings
from debate_core.host.stores import open_store
from debate_core.record.fold import replay
from debate_core.record.state import State
from debate_core.spec.people import Person
from debate_core.spec.values import Json
from debate_core.text import line, plural

HERE = "http://localhost:8501"
"""Where `make run` puts the app."""
GUESSED = f"{HERE} is where the app is by default: put your address in its place, or set DEBATE_PUBLIC_URL"
OWN_SECRET = "signed with the secret beside this database: where the server has a DEBATE_SECRET, set the same one here"

ROTATED = (
    "There is a new secret: links and cookies that were made before stop to work as soon as the server is started "
    f"again. For a new link: {PROGRAM} link DEBATE"
)


def link(flags: Namespace, settings: Settings) -> int:
    """List the people, take back the older links of one of them, print a new one. InvalidSpec says what is wrong."""
    refuse_missing(settings.database_url)
    with closing(open_store(settings.database_url)) as store:
        state = replay(store.load(flags.debate_id))
        if not state.spec.has_people:
            raise InvalidSpec(f"{state.debate} was opened without people of its own: it has no links and needs none")
        if flags.list:
            answer(flags, _json(state), _people(state))
            return 0
        door = Door(store, clock=now, secret=settings.secret)
        person_id = _only_facilitator(state) if flags.person is None else flags.person
        invite, n_taken_back = renew(door, state, person_id, partial(submitted, store, settings, state))
        address = f"{settings.public_url or HERE}/join/{door.token(invite)}"
    new_link = {"person": person_id, "link": address, "expires_at": invite.expires_at, "taken_back": n_taken_back}
    words = _link_words(state.room.people[person_id], address, n_taken_back)
    answer(flags, _json(state) | new_link, _people(state) + words)
    if not settings.public_url:
        say(GUESSED)
    if not settings.secret:
        say(OWN_SECRET)
    return 0


def rotate_secret(_flags: Namespace, settings: Settings) -> int:
    """Make a new secret for the links and cookies of a database. InvalidSpec where it is not kept there."""
    if settings.secret:
        raise InvalidSpec("DEBATE_SECRET is set, and signs instead of the secret beside the database: change it there")
    refuse_missing(settings.database_url)
    with closing(open_store(settings.database_url)) as store:
        store.renew_secret()
    print(ROTATED)
    return 0


def _only_facilitator(state: State) -> str:
    """Whom the link is for when nobody is named."""
    facilitators = [person for person in present(state) if person.role == "facilitator"]
    if len(facilitators) != 1:
        raise InvalidSpec(
            f"{state.debate} has {len(facilitators)} facilitators: choose with --person: {id_words(facilitators)}"
        )
    return facilitators[0].id


def _json(state: State) -> dict[str, Json]:
    people: list[Json] = [{"id": p.id, "name": p.name, "role": p.role} for p in present(state)]
    return {"debate_id": state.debate, "question": state.spec.question, "people": people}


def _people(state: State) -> str:
    lines = [f"{state.debate}: {line(state.spec.question)}"]
    lines += [f"  {p.id}  {line(p.name)}, {p.role}" for p in present(state)]
    return "\n".join(lines) + "\n"


def _link_words(who: Person, address: str, n_taken_back: int) -> str:
    older = f"; {plural(n_taken_back, 'older link')} taken back" if n_taken_back else ""
    return f"For {line(who.name)} alone, once, within {INVITE_LASTS.days} days{older}:\n{address}\n"
