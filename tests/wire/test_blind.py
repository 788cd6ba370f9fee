"""Every preset on a server, and every byte that it sends to a seat that must not know who speaks."""

import asyncio
import json

import pytest

from debate_core.engine.audit import verify
from debate_core.engine.seat_view import view
from debate_core.seats import OnText, Paid
from debate_core.seats.model import model_fillers
from debate_core.spec.contents import Argument
from debate_core.spec.models import Dialect, Price
from debate_core.spec.presets import PROTOCOLS, compose, default_seats
from debate_core.spec.protocol import Spec
from debate_core.spec.values import Seat
from tests.model_server import Logged, ModelServer
from tests.playing import Played
from tests.wire.rig import DIALECTS, KEYS, OPTIONS, SOURCE, hold, line

NOTHING = Price(input="0", output="0")
"""No limit of money ends a debate here."""
NAME, PERSONA, MODEL, FAMILY, LINE = "Quokka", "wombat", "numbat", "bilby", "dingo"
"""Words that stand in an id, a persona, the name of a model, of who trained it and of its line, and nowhere else."""


def marked(name: str, server: ModelServer, dialect: Dialect) -> Spec:
    """The preset with its usual seats, each with words of its own that only it may be told."""
    rules = PROTOCOLS[name]
    seats, lines = [], []
    for n, seat in enumerate(default_seats(rules, "Move it?", OPTIONS, "model")):
        letter = chr(ord("A") + n)
        own = {"id": f"{NAME}{letter}", "persona": f"You look at {PERSONA}{letter}.", "model": f"{LINE}{letter}"}
        seats.append(seat.model_copy(update=own | {"family": f"{FAMILY}{letter}"}))
        words = {"id": f"{LINE}{letter}", "model": f"{MODEL}{letter}", "family": f"{FAMILY}{letter}"}
        lines.append(line(server, dialect, price=NOTHING, **words))
    spec = compose("Move it?", OPTIONS, rules, seats, sources=[SOURCE], max_rounds=min(2, rules.rounds.hard_max))
    return spec.model_copy(update={"models": tuple(lines)})


def told(call: Logged, seat: Seat) -> str:
    """The whole body, without the model that the server is asked for and what the seat is told to look at."""
    assert call.body is not None
    body = {name: value for name, value in call.body.items() if name != "model"}
    return json.dumps(body, ensure_ascii=False).replace(seat.persona, "")


def test_the_room_hears_a_turn_with_the_ids_of_the_record(server: ModelServer) -> None:
    # While it is being given, too: people who may know who speaks follow it
    server.set(votes=("adopt",), cites=True)
    spec = marked("stance_judge", server, "chat")
    heard: list[str] = []

    def on_text(_request: str, text: str, /, thinking: str = "") -> None:
        heard.append(text)

    asyncio.run(_first_turns(Played(spec), on_text, turns=2))
    assert heard[-1].startswith("Call 2. As QuokkaA.1.1 says. ")


async def _first_turns(played: Played, on_text: OnText, *, turns: int) -> None:
    fillers = model_fillers(played.state, KEYS, deadline_s=8)
    for _ in range(turns):
        request = played.requests()[0]
        played.do(await fillers[request.seat](request, view(played.state, request), on_text))
    for filler in fillers.values():
        assert isinstance(filler, Paid)
        await filler.close()


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("name", sorted(PROTOCOLS))
def test_no_byte_that_a_blind_seat_is_sent_says_who_speaks(server: ModelServer, name: str, dialect: Dialect) -> None:
    # R105, R106, R114
    server.set(votes=("adopt", "keep"), cites=True)
    spec = marked(name, server, dialect)
    held = asyncio.run(hold(spec))
    assert held.failures() == []
    assert held.state.truncated is None
    assert len(server.log) == len(held.state.turns) > 0
    assert verify(held.events) == ()
    sits_on = {f"{MODEL}{seat.id.removeprefix(NAME)}": seat for seat in spec.seats}
    words = (NAME, PERSONA, MODEL, FAMILY, LINE)
    for call in server.log:
        seat = sits_on[call.model]
        sent = told(call, seat)
        found = [word for word in words if word.casefold() in sent.casefold()]
        assert found == ([NAME, PERSONA] if seat.role == "moderator" else []), (seat.role, sent)
    given = [t.content for t in held.state.turns if isinstance(t.content, Argument)]
    cited = {i for a in given for i in (*a.answers, *(i for claim in a.claims for i in claim.answers))}
    assert cited <= set(held.state.claims)
    assert "seat_" not in " ".join(a.model_dump_json() for a in given)
    assert bool(cited) == any("Claim " in told(call, sits_on[call.model]) for call in server.log)
