"""Silent steps: what people write alone is read by no one else before it is shown, and names no author afterwards."""

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from debate_core.engine import preparation, stage
from debate_core.engine.audit import verify
from debate_core.engine.erasure import without_names
from debate_core.engine.seat_view import view
from debate_core.errors import DebateError
from debate_core.record import acts
from debate_core.record.commands import Stop
from debate_core.record.events import Predecessor, dump_record, parse_record
from debate_core.record.fold import replay
from debate_core.report.facts.account import account
from debate_core.report.facts.agenda import agenda
from debate_core.report.files.export import FORMATS, export_files
from debate_core.seats.prompts import prompt_for
from debate_core.spec.people import SILENT, Preparation, SilentStep
from debate_core.ui.kit.words import event_line
from debate_core.ui.room.live.transcript import news, picture, polled
from tests.people import ABE, ANN, BEN, FAY, GUS, room_spec
from tests.playing import Played

WRITERS = (ANN, BEN, GUS, ABE, FAY)
MARK = "Zx7"
"""In every text, and in nothing else."""
SHEETS = st.lists(
    st.tuples(st.sampled_from(WRITERS), st.lists(st.integers(0, 9), max_size=acts.MAX_WRITTEN)), max_size=8
)


def begun(step: SilentStep, *, named: bool) -> Played:
    """A debate in which people write now."""
    steps = (Preparation(step=step, minutes=2, named=named),)
    held = Played(room_spec((FAY, ANN, BEN, GUS, ABE), rounds=1, preparation=steps, decides="room"))
    return (held if step == "facts" else held.to_the_end()).act(FAY, acts.PreparationBegun(step=step))


def readings(held: Played) -> str:
    """Everything that the screens, the live socket, the prompts and the files show of the debate."""
    state = held.state
    read = account(state, held.events)
    shown = [repr(picture(state, {}, ())), news(state), polled(state), repr(agenda(state)), repr(read.claims)]
    shown += [event_line(event) for event in held.events] + [repr(state.claims), repr(state.claim_numbers())]
    shown += [repr(view(held.state, request)) for request in held.requests()]
    shown += [repr(prompt_for(view(held.state, request))) for request in held.requests()]
    for name in FORMATS:
        try:
            shown += [repr(export_files(read, name))]
        except DebateError as refused:
            shown += [str(refused)]
    return "\n".join(shown)


@given(st.sampled_from(SILENT), st.booleans(), SHEETS)
def test_silent_texts_are_sealed_until_all_are_shown(step, named, sheets):
    held = begun(step, named=named)
    latest = {}
    for number, (who, texts) in enumerate(sheets):
        latest[who] = [f"{MARK} {text}" for text in texts]
        held.act(who, acts.TextsWritten(step=step, texts=tuple(latest[who])))
        assert stage.sealed(held.state)
        if number == len(sheets) - 1:
            assert MARK not in readings(held)
    assert preparation.shown_texts(held.state, step) == ()
    held.act(FAY, acts.TextsShown(step=step))
    assert "the texts that people have written" not in stage.sealed(held.state)
    shown = preparation.shown_texts(held.state, step)
    told = [text.partition(": ")[2] if named else text for text in shown]
    assert told == sorted({text for texts in latest.values() for text in texts})
    assert named or not any(who.name in text for who in WRITERS for text in shown)
    assert [fact.text for fact in held.state.facts] == ([*shown] if step == "facts" else [])
    assert verify(held.events) == ()
    assert replay(parse_record(dump_record(held.events).encode())) == held.state


@given(st.permutations(WRITERS), st.booleans())
def test_order_of_shown_texts_says_nothing_of_their_authors(order, named):
    shown = []
    for writers in (WRITERS, order):
        held = begun("facts", named=named)
        for who in writers:
            held.act(who, acts.TextsWritten(step="facts", texts=(f"{MARK} {WRITERS.index(who) * 7 % 5}",)))
        held.act(FAY, acts.TextsShown(step="facts"))
        shown.append(preparation.shown_texts(held.state, "facts"))
    assert shown[0] == shown[1]


@given(SHEETS)
def test_named_texts_lose_a_removed_name(sheets):
    held = begun("facts", named=True)
    for who, texts in sheets:
        held.act(who, acts.TextsWritten(step="facts", texts=tuple(f"{ANN.name} said {text}" for text in texts)))
    held.act(FAY, acts.TextsShown(step="facts")).do(Stop(by=FAY.id, reason="enough"))
    made_from = Predecessor(debate="d", head=held.state.head, by="Op", reason="asked", at=held.events[-1].at)
    erased = without_names(held.events, [ANN.name], debate_id="d-new", predecessor=made_from)
    facts = replay(erased.events).facts
    assert len(facts) == len(held.state.facts)
    assert not any(ANN.name in fact.text for fact in facts)


@pytest.mark.parametrize("step", SILENT)
def test_no_vote_turn_or_signature_while_texts_are_sealed(step: SilentStep):
    held = begun(step, named=False)
    tried: list[Callable[[], Played]] = [
        lambda: held.act(FAY, acts.PollOpened(poll="pre" if step == "facts" else "final"))
    ]
    if step == "facts":
        tried.append(held.go_on)
    else:
        tried.append(lambda: held.act(ABE, acts.Signed(verdict="reject", reason="no")))
    for act in tried:
        with pytest.raises(DebateError, match="people still write"):
            act()
    held.act(FAY, acts.TextsShown(step=step))
    tried[0]()
