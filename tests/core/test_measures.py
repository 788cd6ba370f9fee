"""Records stay verified when a measure of text changes: what was read when they were held is not measured again."""

from collections.abc import Callable, Sequence
from hashlib import sha256
from pathlib import Path
from random import Random

import pytest

from bench.tampering import KINDS, lines_of, made_anew, notices
from debate_core.__main__ import main
from debate_core.engine import audit, engine, evidence, option_names, validate_content
from debate_core.engine.audit import measures_texts, verify
from debate_core.engine.checkable_claims import has_marker
from debate_core.engine.quotes import verify_quote
from debate_core.engine.similarity import restates
from debate_core.engine.source_search import search_sources
from debate_core.record.commands import TakeTurn
from debate_core.record.events import MEASURES, DebateOpened, Event, dump_record, parse_record
from debate_core.spec.contents import Argument, Position
from debate_core.spec.presets import PROTOCOLS
from debate_core.spec.protocol import Phase, Protocol, Spec
from debate_core.spec.rules import Converged, MaxRounds, NoProgress, StopRule, Threshold
from debate_core.spec.values import Seat, Source
from tests.holding import hold
from tests.playing import Played
from tests.rehearsing import rehearsal

SOURCE = Source(id="E1", title="Report", text="The old queue lost nine messages in May. Nobody noticed it for a week.")
NEW = ("It costs nine dollars a day.", "Nobody can repair the old queue.", "Two teams wait for the vendor's answer.")


def held(*stop: StopRule, claims: tuple[str, ...], stance: str = "", quote: str = "", refuse: bool = False) -> Played:
    """Two debaters for adopt; in round n both make the nth claim."""
    protocol = Protocol(
        name="own",
        each_round=(Phase(name="talk", gives="argument"),),
        stop=(*stop, MaxRounds()),
        decide=Threshold(votes=2),
        unverified_quotes="refuse" if refuse else None,
    )
    seats = tuple(Seat(id=name, occupant="human") for name in ("ana", "ben"))
    played = Played(
        Spec(
            question="Which?",
            options=("adopt", "defer"),
            seats=seats,
            protocol=protocol,
            max_rounds=3,
            sources=(SOURCE,),
        )
    )
    while played.state.outcome is None:
        [request, *_] = played.requests()
        claim = {"text": claims[request.round - 1]} | ({"quote": quote, "source_id": "E1"} if quote else {})
        said = {"rationale": "Because.", "vote": "adopt", "stance": stance or request.seat, "claims": [claim]}
        played.do(TakeTurn(by=request.seat, request=request.id, content=Argument.model_validate(said)))
    return played


def with_positions() -> tuple[Event, ...]:
    rules = next(rules for rules in PROTOCOLS.values() if any(p.gives == "positions" for p in rules.phases()))
    return hold(rehearsal(rules))[1]


TRUE, FALSE = "The old queue lost nine messages in May", "The old queue lost ninety messages in May"
RECORDS: dict[str, Callable[[], Sequence[Event]]] = {
    "nothing new": lambda: held(NoProgress(), claims=(NEW[0],) * 3).events,
    "something new": lambda: held(NoProgress(), claims=NEW).events,
    "converged": lambda: held(Converged(), claims=NEW, stance="adopt").events,
    "not converged": lambda: held(Converged(), claims=NEW).events,
    "refused": lambda: held(claims=NEW, quote=FALSE, refuse=True).events,
    "not refused": lambda: held(claims=NEW, quote=TRUE, refuse=True).events,
    "positions": with_positions,
}


@pytest.fixture(scope="module")
def records() -> dict[str, tuple[Event, ...]]:
    return {name: tuple(make()) for name, make in RECORDS.items()}


@pytest.fixture
def _other_measures(monkeypatch: pytest.MonkeyPatch) -> None:
    """A later version that reads every text otherwise than this one: no mock, a change of the measures."""
    named, rests_on = option_names.named_option, evidence.rests_on
    a_claim = Argument.model_validate({"rationale": "x", "claims": ["y"]}).claims
    monkeypatch.setattr("debate_core.engine.similarity.restates", lambda *args: not restates(*args))
    monkeypatch.setattr(option_names, "named_option", lambda *args: None if named(*args) else "adopt")
    monkeypatch.setattr(evidence, "rests_on", lambda *args: () if rests_on(*args) else a_claim)
    monkeypatch.setattr(validate_content, "_weak_frame", lambda _position: "it is weak")


@pytest.mark.usefixtures("_other_measures")
@pytest.mark.parametrize("name", RECORDS)
def test_a_record_with_other_text_measures_verifies(
    name: str, records: dict[str, tuple[Event, ...]], monkeypatch: pytest.MonkeyPatch
):
    # The measures differ in what this record depends on, and nobody said so: that is noticed.
    assert verify(records[name]) != ()
    monkeypatch.setattr(audit, "MEASURES", MEASURES + 1)
    assert verify(records[name]) == ()
    assert not measures_texts(records[name])


def test_all_but_texts_is_derived_again_under_other_measures(
    records: dict[str, tuple[Event, ...]], monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(audit, "MEASURES", MEASURES + 1)
    record, rng = dump_record(records["nothing new"]).encode(), Random(4)
    for kind in ("a ballot for another option", "an event left out", "two events swapped"):
        assert notices(made_anew(KINDS[kind](rng, lines_of(record)))), kind


def test_a_debate_says_with_which_measures_it_is_held(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys):
    old = held(claims=NEW).events
    monkeypatch.setattr(engine, "MEASURES", MEASURES + 1)
    new = held(claims=NEW).events
    opened = [events[0].body for events in (old, new)]
    assert [body.measures for body in opened if isinstance(body, DebateOpened)] == [MEASURES, MEASURES + 1]
    assert parse_record(dump_record(new).encode()) == tuple(new)
    for events, said in ((old, False), (new, True)):
        (tmp_path / "r.jsonl").write_text(dump_record(events))
        assert main(["verify", str(tmp_path / "r.jsonl")]) == 0
        assert ("another version measured its texts" in capsys.readouterr().out) is said


def readings() -> str:
    """Return the results of the text measures for many texts."""
    rng, bank = Random(3), f"{SOURCE.text} {' '.join(NEW)} We are not for it, but adopt it on 3 May 2024.".split()
    texts = [" ".join(rng.choices(bank, k=rng.randint(3, 14))) for _ in range(300)]
    changed = [text.replace(rng.choice(text.split()), rng.choice(bank)) for text in texts]
    found: list[object] = []
    for text, other in zip(texts, changed, strict=True):
        found += [verify_quote(f"{SOURCE.text} {text}", other), restates(text, other), has_marker(text)]
        found += [option_names.negated(text), option_names.named_option(text, ("adopt", "the old queue"))]
        found.append(validate_content._weak_frame(Position(name="x", claim=text, because=other)) is None)
    found += [search_sources((Source(id="E1", title="t", text="\n\n".join(texts)),), text) for text in changed[:20]]
    return sha256(repr(found).encode()).hexdigest()


def test_who_changes_a_measure_of_text_raises_their_version():
    # If this fails: raise MEASURES in debate_core/record/events.py, and put the new digest here.
    assert (MEASURES, readings()[:16]) == (2, "e8d3444ed379e4f3")


def test_a_tail_without_an_opening_is_measured_as_today():
    events = tuple(held(claims=NEW).events)
    assert [measures_texts(some) for some in (events, events[1:], ())] == [True, True, True]
