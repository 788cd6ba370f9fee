"""Quotes that were invented or altered: their claims support nothing, and a winner that rests on them is marked."""

import json

import pytest

from debate_core.engine.audit import verify
from debate_core.engine.evidence import rests_on, unverified_claims, winner_rests_on
from debate_core.record.acts import Noted, PollClosed, PollOpened, PollRevealed, Struck
from debate_core.record.commands import Stop
from debate_core.record.fold import replay
from debate_core.record.state import State
from debate_core.report.facts.account import account
from debate_core.report.facts.claims import claim_rows
from debate_core.report.facts.synthesis_checks import CheckedLine, check_line, ground_of
from debate_core.report.files.adr.profiles import PROFILES
from debate_core.report.files.adr.record import decision_record
from debate_core.report.files.export import csv_files, debate_json, dumps, run_json
from debate_core.report.files.report import markdown_report, text_report
from debate_core.report.phrases.counts import lead_words, robustness_sentence
from debate_core.report.phrases.decision import arithmetic
from debate_core.report.phrases.evidence import gap_words, rests_sentence, unverified_words
from debate_core.report.phrases.outcome import agreement_words, outcome_sentence
from debate_core.spec.contents import Argument, Claim
from debate_core.spec.presets import protocol
from debate_core.spec.protocol_files import protocol_from_toml, protocol_to_toml
from debate_core.spec.rules import MaxRounds, Plurality
from debate_core.spec.values import Source
from tests.by_hand import OPEN, small_spec
from tests.holding import Said, hold, script, turn
from tests.people import ANN, BEN, FAY, MO, room_spec
from tests.playing import Played

LEASE = "Either party may end the lease with notice of thirty days. The rent is not to rise before March."
SOURCES = [{"id": "E1", "title": "Lease", "text": LEASE}]
MARK = "rests on unverified quotes"
INVENTED: Said = {"text": "It costs 40 USD.", "source_id": "E1", "quote": "The rent falls to 40 USD from the first day"}
NEGATED: Said = {"text": "The rent may rise.", "source_id": "E1", "quote": "The rent is to rise before March"}
UNKNOWN: Said = {"text": "It saves 40 %.", "source_id": "E9", "quote": "It saves 40 % of the rent"}
TRUE: Said = {"text": "It can be ended.", "source_id": "E1", "quote": "Either party may end the lease"}
OPINION: Said = {"text": "It feels right."}
FIGURE: Said = {"text": "It takes 30 days."}


def fab(*for_release: Said, against: Said = TRUE, **fields: object) -> Said:
    """Two seats choose `release` and claim this, one of them; the third chooses `revise`."""
    turns = [
        turn("planner", "release", claims=list(for_release), repeat=True),
        turn("critic", "release", repeat=True),
        turn("operator", "revise", claims=[against], repeat=True),
    ]
    return script(turns, sources=SOURCES, **fields)


def ids(state: State) -> list[str]:
    return [claim.id for claim in winner_rests_on(state)]


def test_what_a_winner_rests_on_is_known_as_soon_as_it_would_win():
    state, events = hold(fab(INVENTED))
    assert events[-1].kind == "closed"
    before = replay(events[:-1])
    assert before.outcome is None
    assert ids(before) == ids(state) == ["planner.1.1"]


def test_a_winner_on_bad_quotes_is_marked_on_every_surface():  # R263, R270
    state, events = hold(fab(INVENTED, NEGATED))
    told = account(state, events)
    assert state.outcome is not None
    assert (state.outcome.status, state.outcome.decision) == ("decided", "release")
    assert ids(state) == ["planner.1.1", "planner.1.2"]
    assert outcome_sentence(told).startswith(f"Decided: release ({MARK}). ")
    assert rests_sentence(told) == (
        f"The winner {MARK} (planner.1.1, planner.1.2): no claim of those who chose it has other support."
    )
    assert unverified_words(told) == (
        "2 quotes are not in their sources: planner.1.1 (not found in the source), planner.1.2 (altered). "
        "Such a claim supports nothing."
    )
    for text in (text_report(told), markdown_report(told)):
        assert text.count(MARK) >= 2  # the outcome and the flag
        assert "No findings" not in text
        assert "planner.1.2 (altered)" in text
    for profile in PROFILES:
        assert MARK in decision_record(told, profile=profile).text
    assert run_json(told)["rests_on_unverified_quotes"] == ["planner.1.1", "planner.1.2"]
    flags = run_json(told)["flags"]
    assert isinstance(flags, tuple)
    assert {"rests_on_unverified_quotes", "unverified_quotes", "false_quotes"} <= {*flags}
    assert MARK in dumps(debate_json(told))
    files = csv_files(told)
    assert MARK in files["health.csv"]
    assert [row.quote_verified for row in claim_rows(state)] == ["not_found", "altered", "verbatim"]
    # R263: a figure in the claim is no evidence beside a false quote.
    assert [row.has_evidence_marker for row in claim_rows(state)][:2] == [False, False]


def test_a_running_debate_marks_its_leader_unless_level():
    held = Played(
        small_spec(
            OPEN, OPEN.model_copy(update={"name": "again"}), n=2, rounds=1, decide=Plurality(), stop=(MaxRounds(),)
        )
    )
    assert winner_rests_on(held.state) == ()
    false = Claim.model_validate(INVENTED)
    held.vote({"s0": "a", "s1": "b"})
    assert winner_rests_on(held.state) == ()
    for choice in ("a", "a"):
        held.say(Argument(rationale="why", vote=choice, claims=(false,)))
    assert held.state.outcome is not None
    assert ids(held.state) == ["s0.1.1", "s1.1.1"]


@pytest.mark.parametrize(
    ("said", "rests"),
    [
        ([UNKNOWN], True),
        ([INVENTED, OPINION], True),
        ([INVENTED, TRUE], False),
        ([INVENTED, FIGURE], False),
        ([OPINION], False),
        ([TRUE], False),
        ([], False),
    ],
)
def test_one_claim_with_a_support_is_enough(said: list[Said], rests: bool):
    state, events = hold(fab(*said))
    assert bool(winner_rests_on(state)) is rests
    assert (MARK in outcome_sentence(account(state, events))) is rests
    assert ("false_quotes" in [f.name for f in account(state).findings]) is bool(unverified_claims(state))


def test_claims_of_others_count_only_if_conceded():
    assert ids(hold(fab(TRUE, against=INVENTED))[0]) == []
    assert ids(hold(fab(INVENTED, against=TRUE))[0]) == ["planner.1.1"]
    conceding = [
        turn("operator", "revise", claims=[TRUE], repeat=True),
        turn("planner", "escalate", phase="proposal", claims=[INVENTED]),
        turn("planner", "release", concedes=["operator.1.1"], repeat=True),
        turn("critic", "release", repeat=True),
    ]
    state, _ = hold(script(conceding, sources=SOURCES))
    assert state.outcome is not None
    assert (state.outcome.decision, ids(state)) == ("release", [])


def test_where_a_seat_decides_claims_of_its_side_count():
    seats: list[Said] = [
        {"id": "planner", "stance": "release"},
        {"id": "critic", "stance": "not release but revise"},
        {"id": "judge", "role": "judge"},
    ]
    said = {"repeat": True, "content": {"reasoning": "It is better founded.", "option": "release", "verdict": "Yes."}}
    turns: list[Said] = [
        {"seat": "planner", "repeat": True, "content": {"rationale": "r", "claims": [INVENTED]}},
        {"seat": "critic", "repeat": True, "content": {"rationale": "r", "claims": [TRUE]}},
        {"seat": "judge", **said},
    ]
    state, events = hold(script(turns, sources=SOURCES, protocol="stance_judge", seats=seats, settings={"rounds": 1}))
    assert state.outcome is not None
    assert state.outcome.decision == "release"
    assert ids(state)[:1] == ["planner.1.1"]
    assert outcome_sentence(account(state, events)).startswith(f"Decided: release ({MARK})")


def test_a_protocol_can_refuse_such_a_winner():  # R263
    rules = protocol("bounded_vote").model_copy(update={"unverified_quotes": "refuse"})
    assert protocol_from_toml(protocol_to_toml(rules), where="here").unverified_quotes == "refuse"
    assert "unverified_quotes" not in protocol_to_toml(protocol("bounded_vote"))
    refused, events = hold(fab(INVENTED, protocol=rules.model_dump(mode="json")))
    assert refused.outcome is not None
    assert (refused.outcome.status, refused.outcome.ended_by) == ("undecided", "unverified_quotes")
    assert verify(events) == ()
    ruling = account(refused, events).ruling
    assert (ruling.option, ruling.result.obstacle if ruling.result else None) == (None, "refused")
    assert "says: nothing decided" in robustness_sentence(ruling)
    told = outcome_sentence(account(refused, events))
    assert "The winner would rest on unverified quotes, and the protocol refuses that" in told
    assert "planner.1.1 (not found in the source)" in told
    supported, _ = hold(fab(INVENTED, TRUE, protocol=rules.model_dump(mode="json")))
    assert supported.outcome is not None
    assert supported.outcome.status == "decided"


def test_no_surface_elects_what_the_protocol_refuses():  # R263
    rules = protocol("bounded_vote").model_copy(update={"unverified_quotes": "refuse"})
    lease = Source(id="E1", title="Lease", text=LEASE)
    held = Played(room_spec().model_copy(update={"protocol": rules, "room": None, "sources": (lease,)}))
    said = Argument(rationale="why", vote="adopt", claims=(Claim.model_validate(INVENTED),))
    while not held.state.counted:
        held.say(said)
    while_it_runs = account(held.state, held.events)
    while held.state.outcome is None:
        held.say(said)
    for told in (while_it_runs, account(held.state, held.events)):
        assert told.ruling.result is not None
        assert (told.ruling.result.obstacle, told.ruling.has_reached) == ("refused", False)
        assert agreement_words(told) == "not measured: the winner is refused because its quotes are not verified"
        assert lead_words(told.ruling) == ("adopt", "3 of 3, needed 2, refused because its quotes are not verified")
        assert "says: nothing decided" in robustness_sentence(told.ruling)
        assert "consensus: " not in text_report(told) + markdown_report(told)


def test_a_corrected_quote_lets_its_option_win():
    rules = protocol("bounded_vote").model_copy(update={"unverified_quotes": "refuse"})
    turns = [
        turn("planner", "release", phase="proposal", claims=[INVENTED]),
        turn("planner", "release", phase="critique", claims=[TRUE]),
        turn("planner", "release", repeat=True),
        turn("critic", "release", repeat=True),
        turn("operator", "revise", repeat=True),
    ]
    state, _ = hold(script(turns, sources=SOURCES, protocol=rules.model_dump(mode="json")))
    assert state.outcome is not None
    assert (state.outcome.status, state.outcome.decision) == ("decided", "release")
    assert state.ran == ((1, "proposal"), (1, "critique"))


def test_what_a_person_noted_on_a_claim_stands():
    lease = Source(id="E1", title="Lease", text=LEASE)
    held = Played(room_spec().model_copy(update={"sources": (lease,)}))
    held.go_on()
    false = Claim.model_validate(INVENTED)
    for _ in range(3):
        held.say(Argument(rationale="why", vote="adopt", claims=(false,)))
    assert [claim.id for claim in rests_on(held.state, "adopt")] == ["s0.1.1", "s1.1.1", "s2.1.1"]
    held.act(MO, Noted(claim_id="s1.1.1", has_evidence=True, reason="It stands in the annex."))
    assert rests_on(held.state, "adopt") == ()


def test_a_vote_of_people_for_such_an_option_is_marked():
    lease = Source(id="E1", title="Lease", text=LEASE)
    held = Played(room_spec(rounds=1, decides="panel").model_copy(update={"sources": (lease,)}))
    held.go_on()
    false = Claim.model_validate(INVENTED)
    while held.state.outcome is None:
        held.say(Argument(rationale="why", vote="adopt", claims=(false,)))
    held.act(FAY, PollOpened(poll="final"))
    assert winner_rests_on(held.state) == ()
    held.ballot(ANN, "final", "adopt")
    held.ballot(BEN, "final", "adopt")
    held.act(FAY, PollClosed(poll="final"))
    held.act(FAY, PollRevealed(poll="final"))
    told = account(held.state, held.events)
    assert ids(held.state)[0] == "s0.1.1"
    assert f"The named people elected adopt ({MARK})" in arithmetic(told)
    assert f"Decided by the named people: adopt ({MARK})." in decision_record(told).text


def test_sealed_turns_are_hidden_and_struck_ones_do_not_count():
    lease = Source(id="E1", title="Lease", text=LEASE)
    spec = room_spec(rounds=1).model_copy(update={"sources": (lease,)})
    opening = spec.protocol.each_round[0].model_copy(update={"sealed": True})
    phases = (opening, *spec.protocol.each_round[1:])
    held = Played(spec.model_copy(update={"protocol": spec.protocol.model_copy(update={"each_round": phases})}))
    held.go_on()
    false = Argument(rationale="why", vote="adopt", claims=(Claim.model_validate(INVENTED),), answers=("no.1.1",))
    held.say(false)
    assert unverified_claims(held.state) == ()
    assert "unknown_ids" not in account(held.state).flags
    # Whoever reads a debate that was stopped there reads this turn, and has to know it.
    stopped = held.copy().do(Stop(by=FAY.id, reason="enough"))
    assert [row.claim_id for row in account(stopped.state).claims] == ["s0.1.1"]
    assert {"unverified_quotes", "unknown_ids"} <= {*account(stopped.state).flags}
    held.say("adopt")
    held.say("defer")
    assert [claim.id for claim in unverified_claims(held.state)] == ["s0.1.1"]
    assert "unknown_ids" in account(held.state).flags
    held.act(MO, Struck(turn="1.opening.s0", reason="it insults"))
    assert unverified_claims(held.state) == ()


def before_anybody_concedes(*, sealed: bool = False) -> Played:
    """After the opening two hold `adopt`, one of them by an invented quote, and one holds `defer` by a true one."""
    spec = room_spec(rounds=1).model_copy(update={"sources": (Source(id="E1", title="Lease", text=LEASE),)})
    opening, reply = spec.protocol.each_round
    reply = reply.model_copy(update={"order": "at_once", "sealed": sealed})
    protocol = spec.protocol.model_copy(update={"each_round": (opening, reply)})
    held = Played(spec.model_copy(update={"protocol": protocol})).go_on()
    held.say(Argument(rationale="why", vote="adopt", claims=(Claim.model_validate(INVENTED),)))
    held.say("adopt")
    return held.say(Argument(rationale="why", vote="defer", claims=(Claim.model_validate(TRUE),)))


@pytest.mark.parametrize(
    "conceding", [{"concedes": ("s2.1.1",)}, {"claims": (Claim(text="So be it", concedes=("s2.1.1",)),)}]
)
def test_what_a_struck_turn_concedes_is_not_conceded(conceding: Said):
    held = before_anybody_concedes()
    assert ids(held.state) == ["s0.1.1"]
    held.say(Argument.model_validate({"rationale": "why", "vote": "adopt", **conceding}))
    assert ids(held.state) == []
    held.act(MO, Struck(turn="1.reply.s0", reason="it insults"))
    assert ids(held.state) == ["s0.1.1"]


def test_concessions_under_seal_stay_hidden_until_opened():
    held = before_anybody_concedes(sealed=True)
    held.say(Argument(rationale="why", vote="adopt", concedes=("s2.1.1",)))
    assert ids(held.state) == [claim.id for claim in account(held.state).winner_rests_on] == ["s0.1.1"]
    held.say("adopt").say("defer")
    assert ids(held.state) == []


def test_a_line_that_rests_on_such_claims_alone_is_red():  # R194, R263
    state, _ = hold(fab(INVENTED, TRUE))
    ground = ground_of(state, state.turns)
    line = CheckedLine("established", "The rent falls.", ("planner.1.1",))
    assert "unverified" in [r.kind for r in check_line(ground, line).remarks]
    both = CheckedLine("established", "The rent falls.", ("planner.1.1", "planner.1.2"))
    assert "unverified" not in [r.kind for r in check_line(ground, both).remarks]


def test_the_evidence_table_shows_what_an_ellipsis_omits():
    quote = "Either party ... end the lease ... is not to rise before March"
    state, events = hold(fab({"text": "It can be ended.", "source_id": "E1", "quote": quote}))
    row = claim_rows(state)[0]
    assert (row.quote_verified, row.left_out_of_quote) == ("near", ("may", "with notice of thirty days the rent"))
    left_out = ", without “may” and “with notice of thirty days the rent”"
    assert gap_words(row.left_out_of_quote) == left_out
    told = account(state, events)
    assert f"near{left_out}" in markdown_report(told).replace("\\", "")
    assert "with notice of thirty days the rent" in csv_files(told)["claims.csv"]
    assert json.dumps("with notice of thirty days the rent") in dumps(debate_json(told))


def test_long_gaps_are_shortened_with_their_length():
    assert "(40 words)" in gap_words([" ".join(["word"] * 40)])
    assert gap_words([]) == gap_words([""]) == ""


def test_of_many_such_claims_the_first_are_named():
    state, _ = hold(fab(*[INVENTED] * 9))
    assert "planner.1.6 (not found in the source) and 3 more. " in unverified_words(account(state))
    assert "planner.1.6 and 3 more)" in rests_sentence(account(state))
    false = next(f for f in account(state).findings if f.name == "false_quotes")
    assert "planner.1.6 (not found) and 3 more. " in false.sentence


def test_an_option_that_nobody_chose_rests_on_nothing():
    state, _ = hold(fab(INVENTED))
    assert rests_on(state, "escalate") == ()
