"""Detectors of turns: what counts as the same in other words, and how often they cry wolf on real debates."""

import json
from collections.abc import Sequence
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from debate_core.engine.engine import requests
from debate_core.engine.option_names import named_option
from debate_core.engine.similarity import LEAST_DICE, dice, grams, likeness, restates, sentences
from debate_core.language import spoken
from debate_core.record.commands import Stop, TakeTurn
from debate_core.record.state import State, replace
from debate_core.report.facts.repetition import (
    SAME_SENTENCE,
    _alike,
    _hear,
    _Heard,
    looks,
    stands_still,
    turn_findings,
    vote_of,
)
from debate_core.spec import presets
from debate_core.spec.contents import Argument, Claim
from debate_core.spec.protocol import Phase, Protocol, Rounds, Spec
from debate_core.spec.rules import BySeat, MaxRounds, Plurality
from debate_core.spec.values import Seat
from tests.by_hand import small
from tests.holding import SEATS, Said, hold, script, turn
from tests.playing import Played

DATA = Path(__file__).parents[3] / "shared" / "data"
TALK = Protocol(
    name="talk",
    each_round=(Phase(name="speech", order="at_once"),),
    stop=(MaxRounds(),),
    decide=Plurality(),
    rounds=Rounds(default=2, hard_max=50),
)


def _rows(path: str) -> list[dict[str, object]]:
    if not (DATA / path).exists():
        pytest.skip(f"labelled public text is not there: {DATA / path}")
    return [json.loads(line) for line in (DATA / path).read_text().splitlines()]


def talk(speeches: Sequence[Sequence[str]], protocol: Protocol = TALK, rounds: int | None = None) -> State:
    """A debate of seats a, b ... in which seat i says speeches[n][i]; what is over goes to the closing.

    A speech is for a round, and with `rounds` for a phase.
    """
    seats = [Seat(id="abcdefgh"[i], occupant="scripted") for i in range(len(speeches[0]))]
    rounds = rounds or len(speeches) - len(protocol.after)
    spec = Spec(question="?", options=("yes", "no"), seats=tuple(seats), protocol=protocol, max_rounds=rounds)
    played = Played(spec)
    for said in speeches:
        for _ in seats:
            asked = requests(played.state)[0]
            content = Argument(rationale=said["abcdefgh".index(asked.seat)], vote="yes")
            played.do(TakeTurn(by=asked.seat, request=asked.id, content=content))
    return played.state


def found(state: State) -> dict[str, tuple[str, ...]]:
    return {f.name: f.turns for f in turn_findings(state, looks(state))}


def test_texts_are_alike_by_the_grams_of_their_words():
    assert grams("Go, cats!") == {" go ", " cat", "cats", "ats "}
    assert (dice("Cats sleep.", "cats, sleep"), dice("cats", "dogs"), dice("", "")) == (1.0, 0.0, 0.0)
    assert dice("надёжность важнее", "надёжность важна") > 0.7


def test_short_sentences_are_not_compared():
    text = "No. Costs rise with every new service!\nAgreed? They do so because of the network."
    assert sentences(text) == ("Costs rise with every new service!", "They do so because of the network.")
    assert sentences("我们应该把这个服务拆分成三个部分。好的。") == ("我们应该把这个服务拆分成三个部分。",)


@pytest.mark.parametrize(
    ("text", "option"),
    [
        ("I still hold that we should split first", "split first"),
        ("Split it", "split"),
        ("My position: SPLIT  FIRST, and only then the rest.", "split first"),
        ("On balance I would stay.", "stay"),
        ("Let us wait and see", None),
        ("split or stay", None),
        ("splitting is fine", None),
    ],
)
def test_an_option_is_named_in_whole_words(text: str, option: str | None):
    # R208
    assert named_option(text, ("split", "split first", "stay")) == option


FIRST = "The queue absorbs bursts of orders at noon. One team can own the consumer from end to end."
OTHER = "Two brokers mean two things that can break at night. Nobody here has run one in production before."


def test_half_a_repetition_is_no_progress_and_new_sentences_are():
    # R162, R167
    half = FIRST + " A nightly export is simply far too late. Refunds need an answer while the caller waits."
    fresh = "Refunds need an answer while the caller waits. The export runs when the shops are closed already."
    assert found(talk([(FIRST, OTHER), (half, fresh)])) == {"no_progress": ("2.speech.a.1",)}


def test_the_same_words_are_a_restatement_or_an_echo():
    # R164, R202
    assert found(talk([(FIRST, OTHER), (FIRST, FIRST)])) == {
        "restatement": ("2.speech.a.1",),
        "no_progress": ("2.speech.a.1",),
        "echo": ("2.speech.b.1",),
    }


def test_repeating_oneself_counts_even_if_others_repeated_it():
    assert "2.speech.a.1" in found(talk([(FIRST, FIRST), (FIRST, OTHER)]))["no_progress"]


def test_findings_are_sentences_in_the_language_of_their_reader():
    state = talk([(FIRST, OTHER), (FIRST, FIRST)])
    with spoken("de"):
        german = [finding.sentence for finding in turn_findings(state, looks(state))]
    assert "1 of 4 turns repeated sentences of other seats (b)." in [
        f.sentence for f in turn_findings(state, looks(state))
    ]
    assert "1 von 4 Beiträgen wiederholten Sätze anderer Plätze (b)." in german


def test_quoting_what_the_other_side_quotes_is_no_echo():
    # R164
    report = "“The consumer lagged by nine minutes at noon. Nobody was called. The queue held all orders.”"
    first = f"The trial speaks for the queue. {report} I would run it for one more week."
    reply = f"I read that as a case against brokers. {report} Nine minutes are too long for refunds."
    assert found(talk([(first, OTHER), ("Then let us count what it costs.", reply)])) == {}


def test_who_speaks_at_once_cannot_have_echoed():
    assert found(talk([(FIRST, FIRST)])) == {}


def test_of_a_long_turn_the_first_sentences_are_compared() -> None:
    # Turns of the greatest length would otherwise keep whoever opens their record waiting for a minute.
    letters = Random(1)
    made = [f"{' '.join(''.join(letters.choices('abcdefghiklmnoprstuw', k=7)) for _ in range(5))}." for _ in range(120)]
    said_before, new = " ".join(made[:60]), " ".join(made[60:])
    state = talk(
        [(said_before, "Nothing."), (f"{new} {said_before}", "Nothing."), (f"{said_before} {new}", "Nothing.")]
    )
    assert [look.new_share for look in looks(state) if look.said.turn.seat == "a"] == [1, 1, 0]


def test_claims_in_other_words_are_a_restatement():
    first = turn("planner", "release", phase="proposal", claims=["The rollback takes four hours of work"])
    again = turn("planner", "release", phase="critique", claims=["A rollback takes about four hours of work"])
    state, _ = hold(script([first, again], settings={"rounds": 1, "threshold": 3}))
    assert found(state) == {"restatement": ("1.critique.planner.1",)}


def test_one_similar_claim_alone_is_no_restatement() -> None:
    # R202: by its likeness alone one claim in five of real debates would be
    claims = "The second region doubles what we pay", "Nobody has tested a switch to the second region yet"
    first = turn("planner", "release", phase="proposal", claims=claims[:1])
    like = turn("planner", "release", phase="critique", claims=claims[1:])
    state, _ = hold(script([first, like], settings={"rounds": 1, "threshold": 3}))
    assert LEAST_DICE <= dice(*claims) < SAME_SENTENCE
    assert found(state) == {}


HALF = ("Planet copper jungle fabric window bishop.", "Planet copper jungle silver garlic modest.")


def test_a_sentence_that_is_half_an_earlier_one_is_not_new() -> None:
    # R167
    assert dice(*HALF) == SAME_SENTENCE
    assert found(talk([(HALF[0], OTHER), (HALF[1], "-")])) == {"no_progress": ("2.speech.a.1",)}


LETTERS = Random(2)
NEW = [f"{' '.join(''.join(LETTERS.choices('abcdefghiklmnoprstuw', k=7)) for _ in range(5))}." for _ in range(30)]


@pytest.mark.parametrize(
    ("repeated", "of", "noticed"), [(2, 5, {}), (3, 5, {"no_progress": ("2.speech.a.1",)}), (0, 0, {})]
)
def test_three_of_five_sentences_have_to_be_new(repeated: int, of: int, noticed) -> None:
    # R167
    said_before, later = NEW[:of], [*NEW[:repeated], *NEW[10 : 10 + of - repeated]]
    assert found(talk([(" ".join(said_before) or "-", OTHER), (" ".join(later) or "No.", "-")])) == noticed


@pytest.mark.parametrize(("repeated", "noticed"), [(3, {}), (4, {"echo": ("2.speech.b.1",)})])
def test_seven_of_ten_sentences_have_to_be_ones_own(repeated: int, noticed) -> None:
    # R164
    later = [*NEW[:repeated], *NEW[10 : 20 - repeated]]
    assert found(talk([(" ".join(NEW[:10]), "-"), ("-", " ".join(later))])) == noticed


LIKE = "The region makes us pay twice", "A region more doubles our spending"


@pytest.mark.parametrize(
    ("claims", "restates_all"),
    [
        (LIKE[:1], False),
        (LIKE, True),
        ((*LIKE, "The second region doubles what we have to pay"), True),
        ((LIKE[0], "Customers have been told about Monday already"), False),
        # Other figures are another claim.
        (("It takes 9 months to move all of it",), False),
        (("It takes 6 months to move all of it",), True),
        # Half of the words is just enough for a single one.
        ((HALF[1],), True),
    ],
)
def test_a_turn_restates_where_every_claim_of_it_does(claims: tuple[str, ...], restates_all: bool) -> None:
    # R202: of several claims likeness is enough, a single one has to say nearly the same words
    earlier = ["The second region doubles what we pay", "It takes 6 months to move all of it", HALF[0]]
    first = turn("planner", "release", phase="proposal", claims=earlier)
    again = turn("planner", "release", phase="critique", claims=claims)
    state, _ = hold(script([first, again], settings={"rounds": 1, "threshold": 3}))
    assert ("restatement" in found(state)) is restates_all


@pytest.mark.parametrize(
    ("votes", "staged"),
    [
        (("release", "revise"), ("2.speech.a.1",)),
        (("release", "release"), ()),
        # Who abstains has no vote to change; who comes back to another one has changed it.
        (("release", None), ()),
        (("release", "abstain", "release"), ()),
        (("release", None, "revise"), ("3.speech.a.1",)),
        ((None, "release"), ()),
    ],
)
def test_a_vote_changes_from_the_last_one_that_was_cast(votes: tuple[str | None, ...], staged: tuple[str, ...]) -> None:
    # R164
    played = small(
        Phase(name="speech", order="at_once"), n=2, rounds=len(votes), decide=Plurality(), stop=(MaxRounds(),)
    )
    played = Played(played.state.spec.model_copy(update={"options": ("release", "revise")}))
    seats = tuple(
        seat.model_copy(update={"id": name}) for seat, name in zip(played.state.spec.seats, "ab", strict=True)
    )
    played = Played(played.state.spec.model_copy(update={"seats": seats}))
    for vote in votes:
        played.say(Argument(rationale=FIRST, vote=vote)).say(Argument(rationale=OTHER, vote="revise"))
    assert found(played.state).get("staged_agreement", ()) == staged


@pytest.mark.parametrize(
    ("first", "later"),
    [
        # All its claims are what it had claimed, in new sentences; and half of a text that claims nothing.
        (
            Argument(rationale=FIRST, claims=(Claim(text=LIKE[0]),)),
            Argument(rationale=OTHER, claims=(Claim(text=LIKE[0]),)),
        ),
        (Argument(rationale=" ".join(NEW[:5])), Argument(rationale=" ".join([*NEW[:3], *NEW[10:12]]))),
    ],
)
def test_a_vote_changes_with_a_restatement_or_without_progress(first: Argument, later: Argument) -> None:
    # R164
    played = small(Phase(name="speech", order="at_once"), n=2, decide=Plurality(), stop=(MaxRounds(),))
    for said, vote in ((first, "a"), (later, "b")):
        played.say(said.model_copy(update={"vote": vote})).say(None)
    assert found(played.state)["staged_agreement"] == ("2.speech.s0.1",)


def test_text_before_a_stop_counts_and_the_panels_form_does_not() -> None:
    played = small(Phase(name="speech", order="at_once"), n=3, decide=Plurality(), stop=(MaxRounds(),))
    for said in (FIRST, OTHER, "Then let us count.", FIRST, FIRST):
        played.say(Argument(rationale=said, vote="a"))
    assert found(played.state) == {}
    stopped = played.do(Stop(by="chair", reason="late")).state
    assert found(stopped)["echo"] == ("2.speech.s1.1",)
    offline = tuple(seat.model_copy(update={"occupant": "offline"}) for seat in stopped.spec.seats)
    assert found(replace(stopped, spec=stopped.spec.model_copy(update={"seats": offline}))) == {}


def test_a_closing_may_sum_up() -> None:
    # R162, R167
    closing = Phase(name="closing", order="at_once")
    closes = TALK.model_copy(update={"after": (closing,)})
    speeches = [(FIRST, OTHER), (FIRST, "A consumer that stops is seen within a minute by whoever is on call.")]
    assert found(talk([*speeches, (FIRST, OTHER)], closes)) == dict.fromkeys(
        ("restatement", "no_progress"), ("2.speech.a.1",)
    )


def _move(**second: object) -> list[Said]:
    others = [turn("planner", "release", repeat=True, rationale="P"), turn("operator", "escalate", repeat=True)]
    said = "We should look at it once more before the release goes out."
    first = turn("critic", "revise", phase="proposal", rationale=said, claims=["It breaks the nightly import job"])
    fields: Said = {"rationale": said, "claims": ["The nightly import job breaks"], **second}
    return [*others, first, turn("critic", "release", **fields)]


@pytest.mark.parametrize(
    ("second", "staged"),
    [
        ({}, True),
        ({"concedes": ["planner.1.1"]}, False),
        ({"claims": ["Customers have been told about Monday already"]}, False),
    ],
)
def test_a_vote_that_changes_after_a_restatement_is_staged(second: Said, staged: bool):
    # R164
    state, _ = hold(script(_move(**second), settings={"rounds": 1, "threshold": 2}))
    assert ("1.critique.critic.1" in found(state).get("staged_agreement", ())) is staged


@pytest.mark.parametrize(
    ("seat", "said", "drifts"),
    [
        ({"stance": "release it now"}, {"vote": "revise"}, True),
        ({"stance": "release it now"}, {"vote": "release"}, False),
        ({"stance": "against release"}, {"vote": "release"}, True),
        ({"stance": "against release"}, {"vote": "revise"}, False),
        ({"stance": "release it now"}, {"vote": "revise", "concedes": ["critic.1.1"]}, False),
        ({"stance": "release it now", "commitment": "open"}, {"vote": "revise"}, False),
        ({"stance": "a side without an option"}, {"vote": "revise"}, False),
        ({"stance": "release it now"}, {"vote": "release", "rationale": "Hm. I now hold that we revise."}, True),
        ({"stance": "release it now"}, {"vote": "release", "rationale": "Hm. We should not revise."}, False),
    ],
)
def test_leaving_the_assigned_side_is_drift(seat: Said, said: Said, drifts: bool):
    # R154, R155
    seats: list[Said] = [{"id": "planner", "commitment": "locked", **seat}, {"id": "critic"}, {"id": "operator"}]
    vote = str(said["vote"])
    turns = [turn("planner", vote, **{k: v for k, v in said.items() if k != "vote"}), turn("critic", "release")]
    state, _ = hold(script(turns, seats=seats, settings={"rounds": 1, "threshold": 3}))
    assert found(state).get("drift", ()) == (("1.proposal.planner.1",) if drifts else ())


@pytest.mark.parametrize(
    ("votes", "concedes", "gave_in"),
    [
        (("release", "revise"), (), True),
        (("release", "revise"), ("critic.1.1",), True),
        (("release", "release"), (), False),
        (("release", "release", "revise"), (), False),
        (("revise", "revise"), (), False),
    ],
)
def test_a_side_abandoned_by_round_two_was_hardly_contested(
    votes: tuple[str, ...], concedes: tuple[str, ...], gave_in: bool
):
    # R135: who never held it has not given it up, and who gives it up later has had something to argue
    seats: list[Said] = [{"id": "planner", "stance": "release it now"}, {"id": "critic"}, {"id": "operator"}]
    turns = [
        turn("planner", vote, round=n, concedes=concedes if n > 1 else (), rationale=f"Reason {n}.", repeat=True)
        for n, vote in enumerate(votes, 1)
    ]
    critic = turn("critic", "escalate", repeat=True, claims=["It breaks the nightly import job"])
    said = script([*turns, critic], seats=seats, settings={"rounds": len(votes), "threshold": 3})
    assert ("gave_in" in found(hold(said)[0])) is gave_in


@pytest.mark.parametrize(
    ("votes", "gave_in"),
    [
        (("revise", "release", "revise", "release"), ()),
        (("release", "revise", "release", "revise"), ("1.critique.planner.1",)),
        (("release", "release", "release", "revise"), ("2.critique.planner.1",)),
    ],
)
def test_a_side_is_given_up_once(votes: tuple[str, ...], gave_in: tuple[str, ...]) -> None:
    # R135
    seats: list[Said] = [{"id": "planner", "stance": "release it now"}, {"id": "critic"}, {"id": "operator"}]
    places = [(n, phase) for n in (1, 2) for phase in ("proposal", "critique")]
    turns = [
        turn("planner", vote, round=n, phase=phase, rationale=f"Reason {n} {phase}.")
        for (n, phase), vote in zip(places, votes, strict=True)
    ]
    critic = turn("critic", "escalate", repeat=True, claims=["It breaks the nightly import job"])
    said = script([*turns, critic], seats=seats, settings={"rounds": 2, "threshold": 3})
    assert found(hold(said)[0]).get("gave_in", ()) == gave_in


def test_the_evidence_panel_repeats_its_form_and_is_not_blamed():
    source = {"id": "E1", "title": "Note", "text": "The rollback takes four hours. The import is idempotent by design."}
    seats = [{"id": s, "occupant": "offline"} for s in SEATS]
    state, _ = hold(script([], seats=seats, sources=[source]))
    assert found(state) == {}


def test_what_is_still_sealed_is_not_looked_at():
    rules = presets.BOUNDED_VOTE.model_dump(mode="json")
    rules["each_round"][0]["sealed"] = True
    protocol = type(presets.BOUNDED_VOTE).model_validate(rules)
    seats = [Seat(id=s, occupant="human", stance="against release", commitment="locked") for s in SEATS]
    played = Played(presets.compose("Which?", ("release", "wait"), protocol, seats))
    request = requests(played.state)[0]
    played.do(TakeTurn(by=request.seat, request=request.id, content=Argument(rationale="r", vote="release")))
    assert (looks(played.state), turn_findings(played.state, ())) == ((), ())


@pytest.mark.parametrize(("order", "answerable"), [("at_once", [0, 0, 0, 2, 2, 2]), ("in_turn", [0, 1, 2, 2, 3, 4])])
def test_answerable_claims_are_those_heard_from_other_seats(order: str, answerable: list[int]):
    phase = Phase.model_validate({"name": "talk", "order": order})
    played = small(phase, rounds=2, decide=Plurality(), stop=(MaxRounds(),))
    while asked := requests(played.state):
        seat, request = asked[0].seat, asked[0].id
        others = tuple(claim for claim in played.state.claims if not claim.startswith(f"{seat}."))
        content = Argument(rationale="why", vote="a", claims=(Claim(text=request),), answers=others)
        played.do(TakeTurn(by=seat, request=request, content=content))
    seen = looks(played.state)
    assert [look.answerable for look in seen] == [look.answered for look in seen] == answerable
    assert [[s.turn.round for s in look.said.own] for look in seen] == [[], [], [], [1], [1], [1]]


WORD = st.sampled_from(["queue", "queues", "broker", "outbox", "log", "relay", "delay", "cost", "team", "日本語"])
TEXTS = st.lists(st.lists(WORD, max_size=8).map(" ".join), max_size=12)


@given(TEXTS, st.lists(WORD, max_size=8).map(" ".join), st.sampled_from([LEAST_DICE, SAME_SENTENCE]))
def test_the_index_finds_every_similar_text_and_no_other(earlier: list[str], text: str, least: float):
    heard = _Heard()
    _hear(heard, "risk", earlier)
    by_pairs = {one: dice(text, one) for one in earlier if grams(text) & grams(one) and dice(text, one) >= least}
    assert dict(_alike(heard, text, least)) == by_pairs


def _auc(hits: Sequence[float], misses: Sequence[float]) -> float:
    above = sum((h > m) + (h == m) / 2 for h in hits for m in misses)
    return above / (len(hits) * len(misses))


def test_restatements_are_detected_on_labelled_pairs():
    rows = _rows("text/restate_perspectrum_train.jsonl")
    scored = [(likeness(str(r["a"]), str(r["b"])), bool(r["label"])) for r in rows]
    same, other = [s for s, hit in scored if hit], [s for s, hit in scored if not hit]
    found = [bool(r["label"]) for r in rows if restates(str(r["b"]), str(r["a"]))]
    hits, alarms = sum(found), len(found) - sum(found)
    auc, precision, recall = _auc(same, other), hits / (hits + alarms), hits / len(same)
    print(f"restatement: AUC {auc:.3f}, precision {precision:.3f}, recall {recall:.3f}, n {len(rows)}")
    assert (auc > 0.855, precision > 0.93, recall > 0.58) == (True, True, True)


def _speeches(row: dict[str, object]) -> list[tuple[str, str]]:
    """The rounds of a real debate of two sides in which both spoke."""
    said: dict[int, dict[str, str]] = {}
    turns = row["turns"]
    assert isinstance(turns, list)
    for t in turns:
        if t["kind"] == "speech" and t["role"] in ("Debater A", "Debater B"):
            said.setdefault(t["round"], {})[t["role"]] = t["text"][:20_000] or "-"
    return [(s["Debater A"], s["Debater B"]) for _, s in sorted(said.items()) if len(s) == 2]


def _flagged(*, people: bool) -> tuple[int, int, int]:
    """(no progress, echo, turns after the first) in the real debates between people, or between models."""
    rows = [r for r in _rows("nyu/sample_40.jsonl") if r["setting"] == {"isHuman": people, "isDebate": True}]
    states = [talk(said) for r in rows if len(said := _speeches(r)) >= 2]
    later = [(s, x) for s in states for x in looks(s) if x.said.turn.round > 1 and x.new_share is not None]
    still = sum(stands_still(s, look) for s, look in later)
    echoes = sum(len(found(s).get("echo", ())) for s in states)
    who = "people" if people else "models"
    print(f"{who}: no_progress {still}, echo {echoes} of {len(later)} turns in {len(states)} debates")
    return still, echoes, len(later)


@pytest.mark.slow
def test_debates_between_people_are_hardly_ever_flagged():
    # Those between models are printed beside it: their transcripts do repeat whole sentences.
    _flagged(people=False)
    still, echoes, turns = _flagged(people=True)
    assert (turns > 20, still <= 0.05 * turns, echoes <= 0.05 * turns) == (True, True, True)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("cat", {" cat", "cat "}),
        ("a", {" a "}),
        ("ab cd", {" ab ", " cd "}),
        ("分成三", {"分成三"}),
        ("分成三个", {"分成三", "成三个"}),
        ("分", {"分"}),
        ("分成三 a", {"分成三", "成三 ", "三 a"}),
    ],
)
def test_grams_are_four_latin_or_three_other_characters(text: str, found: set[str]):
    assert grams(text) == found


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("One two three four five.", 1),
        ("One two three four.", 0),
        ("分" * 15, 1),
        ("分" * 14, 0),
        ("Yes. One two three four five! No?\nSix seven eight nine ten", 2),
    ],
)
def test_a_sentence_is_compared_from_five_words(text: str, count: int):
    assert len(sentences(text)) == count


@pytest.mark.parametrize(
    ("claim", "earlier", "asked", "same"),
    [
        ("Latency rises", "Latency rises", "", True),
        ("Latency rises", "Rises latency", "", True),
        ("Latency rises", "Latency falls", "", False),
        ("It is what it is", "It is what it is", "", True),
        ("The release costs 40 dollars a month", "The release costs 40 dollars a month", "", True),
        ("The release costs 50 dollars a month", "The release costs 40 dollars a month", "", False),
        ("The release costs dollars a month", "The release costs 40 dollars a month", "", True),
        ("The release costs 40 dollars a month", "The release costs dollars a month", "", True),
        ("Release the migration in March or wait", "Release the migration in March, whoever wins", "", True),
        (
            "Release the migration in March or wait",
            "Release the migration in March, whoever wins",
            "Release the migration in March?",
            False,
        ),
        ("Очередь держит 9000 записей в час", "Очередь держит 9000 записей", "", True),
        ("Очередь держит 12000 записей в час", "Очередь держит 9000 записей в час", "", False),
        ("Очередь медленная", "Очередь медленная, и дорогая", "", True),
    ],
)
def test_a_claim_restates_the_same_words_and_figures(claim: str, earlier: str, asked: str, same: bool):
    assert restates(claim, earlier, asked) is same


@pytest.mark.parametrize(
    ("other", "alike"), [("queue очере", True), ("queue десят", True), ("queu десят", False), ("queue десять", False)]
)
def test_a_mostly_latin_text_is_read_by_its_latin_words(other: str, alike: bool):
    assert (dice("queue очере", other) == 1.0) is alike


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("", set()),
        ("A b", {" a ", " b "}),
        ("of it", {" of ", " it "}),
        ("slow", {" slo", "slow", "low "}),
        ("да", {"да"}),
        ("медь", {"мед", "едь"}),
    ],
)
def test_short_words_are_grams_as_a_whole(text: str, found: set[str]):
    assert grams(text) == found


def test_a_vote_counts_if_asked_for_and_if_it_names_an_option():
    judge = Phase(name="verdict", gives="verdict", role="judge")
    counted = small(Phase(name="open", order="at_once"), n=2, rounds=1, decide=Plurality(), stop=(MaxRounds(),))
    ruled = small(
        Phase(name="open", order="at_once"),
        n=2,
        rounds=1,
        after=(judge,),
        decide=BySeat(role="judge"),
        stop=(MaxRounds(),),
    )
    for votes, played in ((["a", None], counted), ([None, None], ruled)):
        for vote in ("a", None):
            played.say(Argument(rationale="why", vote=vote))
        assert [vote_of(played.state, look.said) for look in looks(played.state)] == votes
