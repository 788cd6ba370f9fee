"""`link`: a new personal link for somebody of a debate whose people cannot come in any more. Asks no seat.

For whoever runs the server: holding the database is the right to do it. The record says that it was made; the link
itself is printed and kept nowhere. Who may have one is for `admission` to say.
"""

from argparse import Namespace
from contextlib import closing
from functools import partial

from debate_core.cli.files import refuse_missing
from debate_core.cli.terminal import say
from debate_core.engine.engine import submit
from debate_core.engine.stage import present
from debate_core.errors import InvalidSpec
from debate_core.host.door.admission import id_words, renewed
from debate_core.host.door.door import Door
from debate_core.host.door.invites import INVITE_LASTS
from debate_core.host.runner import now
from debate_core.host.settings import Settings
from debate_core.host.stores import Store, open_store
from debate_core.record.commands import Act
from debate_core.record.fold import replay
from debate_core.record.state import State
from debate_core.report.files.export import Json, dumps
from debate_core.spec.people import Person
from debate_core.text import line, plural

HERE = "http://localhost:8501"
"""Where `make run` puts the app."""
GUESSED = f"{HERE} is where the app is by default: put your address in its place, or set DEBATE_PUBLIC_URL"
OWN_SECRET = "signed with the secret of this database: where the server has a DEBATE_SECRET, set the same one here"


def link(flags: Namespace, settings: Settings) -> int:
    """List the people, take back the older links of one of them, print a new one. InvalidSpec says what is wrong."""
    refuse_missing(settings.database_url)
    with closing(open_store(settings.database_url)) as store:
        state = replay(store.load(flags.debate_id))
        if state.spec.room is None:
            raise InvalidSpec(f"{state.debate} was opened without people of its own: it has no links and needs none")
        if flags.list:
            print(dumps(_json(state)) if flags.json else _people(state), end="")
            return 0
        door = Door(store, clock=now, secret=settings.secret)
        chosen = _only_facilitator(state) if flags.person is None else flags.person
        invite, taken_back = renewed(door, state, chosen, partial(_record, store, state))
        address = f"{settings.public_url or HERE}/join/{door.token(invite)}"
    if flags.json:
        made: dict[str, Json] = {"person": chosen, "link": address, "expires_at": invite.expires_at}
        print(dumps({**_json(state), **made, "taken_back": taken_back}), end="")
    else:
        print(_people(state) + _told(state.room.people[chosen], address, taken_back), end="")
    for note in ("" if settings.public_url else GUESSED, "" if settings.secret else OWN_SECRET):
        if note:
            say(note)
    return 0


def _record(store: Store, state: State, command: Act) -> None:
    store.append(state.debate, submit(state, command, at=now()), after=state.version)


def _only_facilitator(state: State) -> str:
    """Whom the link is for when nobody is named."""
    found = [p for p in present(state) if p.role == "facilitator"]
    if len(found) != 1:
        raise InvalidSpec(f"{state.debate} has {len(found)} facilitators: choose with --person: {id_words(found)}")
    return found[0].id


def _json(state: State) -> dict[str, Json]:
    people: list[Json] = [{"id": p.id, "name": p.name, "role": p.role} for p in present(state)]
    return {"debate_id": state.debate, "question": state.spec.question, "people": people}


def _people(state: State) -> str:
    lines = [f"{state.debate}: {line(state.spec.question)}"]
    lines += [f"  {p.id}  {line(p.name)}, {p.role}" for p in present(state)]
    return "\n".join(lines) + "\n"


def _told(who: Person, address: str, taken_back: int) -> str:
    older = f"; {plural(taken_back, 'older link')} taken back" if taken_back else ""
    return f"For {line(who.name)} alone, once, within {INVITE_LASTS.days} days{older}:\n{address}\n"
