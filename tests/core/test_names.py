"""Names that are the same in another spelling, look the same in another script, or show nothing."""

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from debate_core.engine.audit import verify
from debate_core.engine.engine import open_debate
from debate_core.engine.idempotency_keys import key_of
from debate_core.errors import InvalidSpec, RuleViolation
from debate_core.host.access.people_list import read_list
from debate_core.names import is_same_name, looks_like, name_key, told_apart, visible_name
from debate_core.record import acts
from debate_core.record.events import EDITION, GENESIS, Body, DebateOpened, Event, make_event, utc_text
from debate_core.record.fold import replay
from debate_core.spec.checks import check
from debate_core.spec.people import Preparation
from debate_core.spec.protocol import Driver, Spec
from debate_core.spec.values import Seat
from tests.people import ANN, FAY, GUS, room_spec
from tests.playing import AT, Played

REDIS = "Redis"
TWINS = ["Redis\u200b", "re\u00addis", "\ufeffREDIS", "R\u0435dis", "\u202eRedis", "Red\u0456s", "R\u3164edis"]


@given(st.text(max_size=60))
def test_visible_name_is_one_line_and_stays_as_it_is(text: str):
    name = visible_name(text)
    assert len(name.splitlines()) <= 1
    assert visible_name(name) == name
    assert bool(name) == bool(name_key(text))
    assert is_same_name(name, text)


@pytest.mark.parametrize(
    ("typed", "seen"),
    [
        ("  Ann\t Bo ", "Ann Bo"),
        ("Ann\u202eBo", "AnnBo"),
        ("\u2067Ann\u2069 \u200e\u061c", "Ann"),
        ("\u0645\u06cc\u200c\u0647\u0627", "\u0645\u06cc\u200c\u0647\u0627"),
        ("\U0001f469\u200d\U0001f4bb Ann", "\U0001f469\u200d\U0001f4bb Ann"),
        ("\u200dAnn\u200c", "Ann"),
        ("\u2800\u3164\uffa0", ""),
        ("\u0301\u0302", ""),
    ],
    ids=ascii,
)
def test_visible_name_keeps_what_can_be_seen(typed: str, seen: str):
    assert visible_name(typed) == seen


@pytest.mark.parametrize(
    ("one", "other", "alike"),
    [
        ("Jos\u00e9", "Jose\u0301", True),
        ("Jos\u00e9", "Jose", False),
        ("\u0130lker", "i\u0307lker", True),
        ("stra\u00dfe", "STRASSE", True),
        ("\ufb01n", "fin", True),
        ("Ian", "Lan", False),
        ("Ian", "lan", True),
        ("Al", "A1", True),
        ("Level 0", "Level O", True),
        ("Level 0", "Level 1", False),
        ("\u0410\u043d\u043d\u0430", "Anna", False),
        ("\u0421\u041e\u0420", "COP", True),
        ("\u13a0\u13a1", "DR", True),
        ("\u0585\u057d", "ou", True),
    ],
    ids=ascii,
)
def test_names_are_mistaken_by_their_looks(one: str, other: str, alike: bool):
    assert (looks_like(one, [other]) == other) is alike
    assert (looks_like(other, [one]) == one) is alike


@given(st.text(max_size=120), st.lists(st.text(max_size=20), max_size=3))
def test_mark_fits_and_is_given_once(name: str, others: list[str]):
    marked = told_apart(visible_name(name)[:80], others, max_chars=80)
    assert len(marked) <= 80
    assert told_apart(marked, max_chars=80) == marked


def _with(spec: Spec, field: str, names: Sequence[str]) -> Spec:
    if field == "drivers":
        share = 100 // len(names)
        weights = [100 - share * (len(names) - 1), *[share] * (len(names) - 1)]
        return spec.model_copy(
            update={"drivers": tuple(Driver(name=n, weight=w) for n, w in zip(names, weights, strict=True))}
        )
    if field == "people":
        twins = [ANN.model_copy(update={"id": f"p-{at}", "name": name}) for at, name in enumerate(names)]
        assert spec.room is not None
        return spec.model_copy(update={"room": spec.room.model_copy(update={"people": (FAY, *twins)})})
    return spec.model_copy(update={field: tuple(names)})


@pytest.mark.parametrize("twin", TWINS, ids=ascii)
@pytest.mark.parametrize("field", ["options", "drivers", "people"])
def test_debate_with_a_mistakable_name_is_not_opened(field: str, twin: str):
    check(_with(room_spec(), field, (REDIS, "Kafka")))
    with pytest.raises(InvalidSpec, match=r"mistaken|named twice|cannot be seen"):
        check(_with(room_spec(), field, (REDIS, twin)))


@pytest.mark.parametrize("field", ["options", "drivers", "people"])
def test_debate_with_an_invisible_name_is_not_opened(field: str):
    with pytest.raises(InvalidSpec, match=r"can(?:not)? be seen"):
        check(_with(room_spec(), field, (REDIS, "\u3164\u200b")))


@pytest.mark.parametrize("word", ["\u0430bstain", "abstain\u200b", "ABSTA\u0406N"], ids=ascii)
def test_no_option_looks_like_an_abstention(word: str):
    with pytest.raises(InvalidSpec, match=r"can be mistaken for 'abstain'|cannot be seen|no option may be called"):
        check(_with(room_spec(), "options", (REDIS, word)))


def test_no_seat_looks_like_another():
    seats = [Seat(id=name, occupant="human") for name in ("team_l", "team_1", "ops")]
    with pytest.raises(InvalidSpec, match="can be mistaken"):
        check(room_spec(seats=seats))


def collecting() -> Played:
    """A room that collects its options."""
    held = Played(room_spec((FAY, GUS), preparation=(Preparation(step="collect", minutes=5),)))
    held.act(FAY, acts.PreparationBegun(step="collect"))
    return held


@pytest.mark.parametrize("twin", TWINS, ids=ascii)
@pytest.mark.parametrize("kind", ["option", "driver"])
def test_mistakable_proposal_is_refused(kind: str, twin: str):
    held = collecting()
    held.act(GUS, acts.Suggested.model_validate({"kind": kind, "text": REDIS}))
    with pytest.raises(RuleViolation, match=r"looks too much like|already"):
        held.act(GUS, acts.Suggested.model_validate({"kind": kind, "text": twin}))
    held.act(GUS, acts.Suggested.model_validate({"kind": kind, "text": "Kafka"}))


@pytest.mark.parametrize("twin", TWINS, ids=ascii)
def test_mistakable_options_are_not_agreed(twin: str):
    held = collecting()
    with pytest.raises(RuleViolation, match=r"mistaken|named twice|cannot be seen"):
        held.act(FAY, acts.OptionsAgreed(options=(REDIS, twin)))
    held.act(FAY, acts.OptionsAgreed(options=(REDIS, "Kafka")))


def _recorded(events: list[Event], actor: str, body: Body) -> None:
    state = replay(events)
    events.append(
        make_event(state.debate, state.version + 1, state.head, utc_text(AT), actor, key_of(state, body), body)
    )


def test_record_that_holds_mistakable_names_still_verifies():
    twins = ("adopt", "\u0430dopt", "reject\u200b")
    spec = room_spec((FAY, FAY.model_copy(update={"id": "p-twin", "name": "\u200b"}))).model_copy(
        update={"options": twins}
    )
    with pytest.raises(InvalidSpec):
        open_debate(spec, debate_id="d-old", at=AT)
    opened = DebateOpened(spec=spec, edition=EDITION)
    events = [make_event("d-old", 1, GENESIS, utc_text(AT), FAY.id, "open", opened)]
    for event in Played(room_spec(), "d-old").events[1:]:
        _recorded(events, event.actor, event.body)
    _recorded(events, GUS.id, acts.PersonJoined(person=GUS.model_copy(update={"name": "Fay\u00ad"})))
    _recorded(events, FAY.id, acts.PersonChanged(person=GUS.model_copy(update={"name": "Fay"})))
    assert verify(events) == ()


def test_list_of_people_marks_and_refuses_twins():
    people = read_list("Fay, judge\nF\u0430y\nAnn")
    assert [person.name for person in people] == ["Fay", "F\u0430y (Cyrillic and Latin letters)", "Ann"]
    for twin in ("Fay\u200b", "FAY", "\uff26ay"):
        with pytest.raises(InvalidSpec, match=r"line 2: .* is in line 1 too"):
            read_list(f"Fay\n{twin}")
    with pytest.raises(InvalidSpec, match="line 2: 'llona' can be mistaken for 'Ilona' in line 1"):
        read_list("Ilona\nllona")
    with pytest.raises(InvalidSpec, match="a name is missing"):
        read_list("\u200b, judge")


@pytest.mark.parametrize("by", ["engine\u200b", "Host", "\u0435ngine", "runn\u0435r", "\u3164"], ids=ascii)
def test_actor_that_looks_like_the_program_is_refused(by: str):
    spec = room_spec().model_copy(update={"room": None})
    held = Played(spec)
    body = acts.Dissented(kind="dissent", text="no")
    with pytest.raises(RuleViolation, match=r"looks too much like|visible letter"):
        held.act(FAY.model_copy(update={"id": by}), body)
