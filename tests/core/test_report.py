"""Reports say what happened: honest first lines, flags by code, and no text that becomes markup."""

import re

import pytest

from debate_core.engine.engine import requests
from debate_core.errors import InvalidSpec
from debate_core.record import acts
from debate_core.record.commands import Pause, Resume, SetMark, SkipTurn, Stop, TakeTurn
from debate_core.record.events import Partial
from debate_core.record.state import State
from debate_core.report.facts.account import account
from debate_core.report.facts.counts import ballot_counts
from debate_core.report.facts.health import flags
from debate_core.report.facts.interventions import override_rows
from debate_core.report.facts.synthesis import synthesis_rows
from debate_core.report.facts.turns import turn_rows
from debate_core.report.files.adr.profiles import PROFILES, ProfileName
from debate_core.report.files.adr.record import decision_record
from debate_core.report.files.export import dumps, export_files, run_json
from debate_core.report.files.report import markdown_report, text_report
from debate_core.report.phrases.ending import end_words, ended_words
from debate_core.report.phrases.foreword import first_words
from debate_core.report.phrases.outcome import outcome_sentence, summary_report
from debate_core.report.phrases.rules import chance_sentence, rule_sentence
from debate_core.spec import presets
from debate_core.spec.contents import Argument, Claim, Mark
from debate_core.spec.presets import BOUNDED_VOTE, DELIBERATION, compose
from debate_core.spec.protocol_changes import with_decision
from debate_core.spec.rules import (
    AllOf,
    DecisionReached,
    Elected,
    FromRound,
    Majority,
    MaxRounds,
    NoProgress,
    Plurality,
    Stable,
    Supermajority,
    Threshold,
    Unanimity,
    ballot_kind,
)
from debate_core.spec.values import Seat
from debate_core.text import md_text, plain
from tests.adr_reader import lint, read_adr
from tests.by_hand import OPEN, small, small_spec
from tests.holding import OPTIONS, SEATS, Said, hold, script, steady, turn
from tests.people import ABE, room_spec, whole_workshop
from tests.playing import Played

UNANIMOUS = steady(dict.fromkeys(SEATS, "release"))


def test_the_end_reason_is_separate_from_the_decision():
    split = steady(dict(zip(SEATS, OPTIONS, strict=True)))
    for turns, status, why in (
        (UNANIMOUS, "decided", "the rule had a winner"),
        (split, "undecided", "the last round was over"),
    ):
        state, _ = hold(script(turns))
        assert state.outcome is not None
        assert (state.outcome.status, end_words(state.outcome), ended_words(account(state))) == (status, why, why)
    played = Played(room_spec().model_copy(update={"room": None}))
    played.do(Stop(by="facilitator", reason="enough"))
    assert played.state.outcome is not None
    assert end_words(played.state.outcome) == ended_words(account(played.state)) == "a person stopped it"


def _panel(turns: list[Said], **fields: object) -> Said:
    seats: list[Said] = [{"id": s} for s in SEATS]
    seats.append({"id": "synthesiser", "role": "synthesiser"})
    return script(turns, protocol="expert_panel", seats=seats, settings={"rounds": 2}, **fields)


def test_the_object_of_a_run_has_its_fields():
    state, _ = hold(script(UNANIMOUS))
    assert set(run_json(account(state))) == {
        *("debate_id", "question", "protocol", "status", "decision", "ended_by", "decided_by", "decision_rule"),
        *("tally", "tally_unit", "tie_steps", "debater_ids", "consensus_threshold"),
        *("unheard", "rests_on_unverified_quotes", "contradicting_ballots"),
        *("first_tally", "ballots", "agreement", "rounds_run", "max_rounds", "phase_sequence"),
        *("speaker_schedule", "speaker_selected_by", "turns", "directives", "verdict", "synthesis"),
        *("waiting_for", "waits_until", "limit_met", "paused", "flags", "usage", "record", "baselines"),
        *("baselines_pending", "who_decided"),
    }


def test_a_rehearsal_says_so_first():
    state, events = hold(script(UNANIMOUS))
    assert text_report(account(state, events)).startswith("Rehearsal: ")
    assert markdown_report(account(state, events)).startswith("**Rehearsal: ")
    assert "rehearsal" in flags(state)


def test_an_evidence_panel_says_that_it_is_no_model():
    seats = [{"id": s, "occupant": "offline"} for s in SEATS]
    state, events = hold(script([], seats=seats))
    assert text_report(account(state, events)).startswith("Evidence panel (no model): planner, critic, operator")
    assert (run_json(account(state))["status"], "no_model" in flags(state)) == ("undecided", True)


@pytest.mark.parametrize(
    ("rule", "line", "number"),
    [
        (Threshold(votes=2), "2", 2),
        (Majority(), "2", 2),
        (Majority(ballots_in_a_row=2), "2 on 2 consecutive counts", 2),
        (Majority(base="cast"), "2", 2),
        (Supermajority(), "2", 2),
        (Unanimity(), "3", 3),
        (Plurality(), "none (the option with the most votes wins)", None),
        (Elected(kind="approval"), "none (the option with the most approvals wins)", None),
    ],
)
def test_the_summary_says_what_was_needed_under_every_rule(rule, line, number):
    # R058
    rules = with_decision(BOUNDED_VOTE, rule)
    played = Played(compose("Which?", OPTIONS, rules, [Seat(id=name, occupant="human") for name in SEATS]))
    if ballot_kind(rule) == "one":
        played.play("release")
    assert _needed(played.state) == (line, number)
    told = run_json(account(played.state))
    assert told["debater_ids"] == SEATS


def test_where_a_seat_decides_the_summary_says_so():
    played = Played(compose("Which?", OPTIONS, DELIBERATION, presets.default_seats(DELIBERATION, "", OPTIONS, "human")))
    assert _needed(played.state) == ("none (synthesiser decides)", None)


def test_shares_of_ballots_not_yet_cast_have_no_number():
    rules = with_decision(BOUNDED_VOTE, Majority(base="cast"))
    played = Played(compose("Which?", OPTIONS, rules, [Seat(id=name, occupant="human") for name in SEATS]))
    assert _needed(played.state) == ("more than half of the ballots cast", None)


def _needed(state: State) -> tuple[str, object]:
    lines = dict(text.split(": ", 1) for text in summary_report(account(state)).split("\n"))
    return lines["consensus_threshold"], run_json(account(state))["consensus_threshold"]


def test_names_cannot_add_lines_to_the_summary():
    state, _ = hold(script(steady(dict.fromkeys(SEATS, "a\ndecision: b")), options=["a\ndecision: b", "c"]))
    assert len(summary_report(account(state)).split("\n")) == 9


def test_the_rule_and_its_chance_level_in_words():
    # R027
    state, _ = hold(script(UNANIMOUS))
    rule = rule_sentence(state.spec.protocol, 3)
    assert rule == "An option is decided with 2 of 3 current votes, checked after every phase."
    assert "78 % of the time" in chance_sentence(state.spec.protocol.decide, 3, 3)
    assert outcome_sentence(account(state)) == (
        "Decided: release. 3 of 3 seats, 2 needed → decided by threshold vote after round 1, proposal."
    )


def test_opinions_alone_are_flagged_and_a_marker_lifts_the_flag():
    # R203
    state, _ = hold(script(UNANIMOUS))
    assert "all_opinion_consensus" in flags(state)
    facts = [turn(s, "release", repeat=True, claims=["it saves $120/month"]) for s in SEATS]
    assert "all_opinion_consensus" not in flags(hold(script(facts))[0])


def test_a_change_of_vote_names_what_moved_it_or_is_flagged():
    others = [turn("planner", "release", repeat=True, claims=["c"]), turn("operator", "escalate", repeat=True)]
    silent = [*others, turn("critic", "revise", phase="proposal"), turn("critic", "release", repeat=True)]
    assert "unattributed_change" in flags(hold(script(silent))[0])
    moved = turn("critic", "release", repeat=True, concedes=["planner.1.1"])
    named = [*others, turn("critic", "revise", phase="proposal"), moved]
    assert "unattributed_change" not in flags(hold(script(named))[0])


@pytest.mark.parametrize(
    ("votes", "word"),
    [
        ({"planner": "release", "critic": "revise", "operator": "escalate"}, "incoherent"),
        (dict.fromkeys(SEATS), "no_ballots"),
    ],
)
def test_the_verdict_on_agreement(votes: dict[str, str | None], word: str):
    # R205, R210
    state, _ = hold(_panel(steady(votes)))
    assert (run_json(account(state))["agreement"], word in flags(state)) == (word, True)


def test_a_split_of_two_camps():
    # R205
    seats: list[Said] = [{"id": i} for i in "abcd"]
    turns = steady({"a": "release", "b": "release", "c": "revise", "d": "revise"})
    state, _ = hold(script(turns, protocol="expert_panel", seats=seats, settings={"rounds": 2}))
    assert run_json(account(state))["agreement"] == "split"


def test_everything_people_do_is_listed_with_its_reason():
    spec = presets.compose("Which?", OPTIONS, presets.BOUNDED_VOTE, [Seat(id=s, occupant="human") for s in SEATS])
    played = Played(spec)
    first = requests(played.state)[0]
    claim = Claim(text="it is slow")
    said = Argument(rationale="r", vote="release", claims=(claim,))
    played.do(TakeTurn(by="planner", request=first.id, content=said))
    played.do(SetMark(by="anna", mark=Mark(claim_id="planner.1.1", reading="supports", option="release")))
    played.do(SetMark(by="ben", mark=Mark(claim_id="planner.1.1", reading="neutral"), reason="off topic"))
    played.do(Pause(by="anna", reason="coffee"))
    played.do(Resume(by="anna"))
    played.do(SkipTurn(by="anna", request=requests(played.state)[0].id, reason="ill"))
    partial = Partial(request="1.proposal.operator.1", text="I was about")
    # What the planner was saying has been given meanwhile, and is in the record already.
    played.do(Stop(by="anna", reason="fire alarm", partials=(Partial(request=first.id, text="r"), partial)))
    assert played.state.stopped is not None
    assert played.state.stopped.partials == (partial,)
    acts = [(a.actor, a.action, a.target, a.before, a.after, a.reason) for a in override_rows(played.events)]
    assert acts == [
        ("anna", "mark", "planner.1.1", "", "supports release", ""),
        ("ben", "mark", "planner.1.1", "supports release", "neutral", "off topic"),
        ("anna", "pause", "debate", "running", "paused", "coffee"),
        ("anna", "resume", "debate", "paused", "running", ""),
        ("anna", "skip", "1.proposal.critic", "asked", "skipped", "ill"),
        ("anna", "stop", "debate", "running", "stopped", "fire alarm"),
    ]
    assert [(r.seat, r.status, r.text) for r in turn_rows(played.state)][-1] == ("operator", "cut", "I was about")
    assert (
        outcome_sentence(account(played.state)) == "Stopped by hand. The reason given: fire alarm. Nothing was decided."
    )
    assert all(
        reason in markdown_report(account(played.state, played.events)) for reason in ("fire alarm", "ill", "off topic")
    )


def test_what_a_sealed_phase_hides_is_in_no_row_and_no_export():
    rules = presets.BOUNDED_VOTE.model_dump(mode="json")
    rules["each_round"][0]["sealed"] = True
    spec = presets.compose(
        "Which?",
        OPTIONS,
        type(presets.BOUNDED_VOTE).model_validate(rules),
        [Seat(id=s, occupant="human") for s in SEATS],
    )
    played = Played(spec)
    secret = Argument(rationale="my secret", vote="release", claims=(Claim(text="my secret claim"),))
    played.do(TakeTurn(by="planner", request=requests(played.state)[0].id, content=secret))
    assert turn_rows(played.state) == ()
    told = run_json(account(played.state))
    shown = text_report(account(played.state)) + markdown_report(account(played.state)) + dumps(told)
    assert "my secret" not in shown
    assert (told["tally"], ballot_counts(played.state)["cast"]) == ({}, 0)
    with pytest.raises(InvalidSpec, match="sealed phase is open"):
        export_files(account(played.state, played.events), "csv")


def test_a_synthesis_shows_its_links_and_what_is_not_grounded():
    # R159, R194
    lines = [{"text": "agreed", "links": ["planner.1.1"]}, {"text": "invented", "links": ["nobody.9.9"]}, "bare"]
    content: Said = {"answer": "So be it", "established": lines, "option": "release"}
    turns = [turn(s, "release", repeat=True, claims=["a point"]) for s in SEATS]
    state, _ = hold(_panel([*turns, {"seat": "synthesiser", "content": content}]))
    told = [(r.line_id, r.text, r.flags) for r in synthesis_rows(state)]
    assert told == [
        ("answer.1", "So be it", ()),
        ("option.1", "release", ()),
        ("established.1", "agreed", ()),
        ("established.2", "invented", ("unknown_claim",)),
        ("established.3", "bare", ("unlinked",)),
    ]


def test_one_ballot_and_one_debater_are_told_as_one():
    spec = small_spec(OPEN, n=1, rounds=1, decide=Plurality(), stop=(MaxRounds(),))
    heavy = spec.seats[0].model_copy(update={"weight": 3})
    played = Played(spec.model_copy(update={"seats": (heavy,)})).vote({"s0": "a"})
    told = text_report(account(played.state, played.events))
    assert "1 of 1 ballot cast" in told
    assert "The ballot of 1 seat weighs 3." in told


def test_what_chance_can_do_is_not_told_as_never():
    assert "12 of 12 on a single ballot under 1 % of the time" in chance_sentence(Unanimity(), 12, 3)
    assert "1 of 1 on a single ballot 100 % of the time" in chance_sentence(Threshold(votes=1), 1, 3)


def test_several_combined_rules_end_a_debate_together():
    decided, stuck = AllOf(rules=(DecisionReached(), FromRound(round=2))), AllOf(rules=(NoProgress(), Stable()))
    for stops, why in (
        ((stuck,), "the round had brought no new claim and no ballot had changed since the previous round"),
        ((decided, stuck), "all conditions that end it together were met"),
    ):
        played = small(OPEN, rounds=4, decide=Majority(), stop=(*stops, MaxRounds()))
        for _ in range(2):
            played.vote({"s0": "a", "s1": "b", "s2": "c"})
        assert ended_words(account(played.state)) == why


def test_one_seat_without_a_model_is_told_as_one():
    spec = small_spec(OPEN, n=2, decide=Plurality(), stop=(MaxRounds(),))
    alone = spec.seats[0].model_copy(update={"occupant": "offline"})
    played = Played(spec.model_copy(update={"seats": (alone, spec.seats[1])}))
    said = "Evidence panel (no model): s0 only quotes the sources and links claims."
    assert said in first_words(account(played.state))


def test_where_the_most_votes_win_no_number_of_them_is_needed():
    played = small(OPEN, rounds=1, decide=Plurality(), stop=(MaxRounds(),)).vote(dict.fromkeys(("s0", "s1", "s2"), "a"))
    text = markdown_report(account(played.state, played.events))
    assert "| a | 3 | 3 |  | yes |" in text
    assert "None" not in text


HOSTILE = "![x](http://evil.example/a.png) <img src=x onerror=alert(1)> [l](http://e.example) $E=mc^2$ `code` | cell"


def test_markdown_never_carries_an_image_a_link_or_html():
    said = [turn(s, "release", repeat=True, rationale=HOSTILE, claims=[HOSTILE]) for s in SEATS]
    state, events = hold(script(said, question=HOSTILE))
    text = markdown_report(account(state, events))
    live = (r"!\[", r"(?<!\\)\]\(", r"(?<!\\)<", r"(?<!\\)\$", r"(?<!\\)://", r"(?<!\\)`code")
    assert [pattern for pattern in live if re.search(pattern, text)] == []


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("# head", "\\# head"),
        ("- item", "\\- item"),
        ("1. first", "1\\. first"),
        ("a\n> quote", "a\n\\> quote"),
        ("a *b* _c_", "a \\*b\\* \\_c\\_"),
        ("$5/month", "\\$5/month"),
        ("www.example.com", "www\\.example.com"),
        ("me@example.com", "me\\@example.com"),
        ("https://example.com", "https\\://example.com"),
        ("plain words, 40 %.", "plain words, 40 %."),
    ],
)
def test_markup_is_shown_as_it_was_written(text: str, shown: str):
    assert md_text(text) == shown


def test_a_terminal_is_sent_no_commands():
    assert plain("a\x1b[31mred\x07\u202eb\r\nc\td") == "a[31mredb\nc\td"


def signed(*informed: str) -> Played:
    held = whole_workshop()
    held.act(ABE, acts.Signed(verdict="accept", option="adopt", informed=informed))
    return held


def records(played: Played, *, anonymous: bool = False) -> dict[ProfileName, str]:
    """The decision in every form."""
    told = account(played.state, played.events)
    return {profile: decision_record(told, profile=profile, anonymous=anonymous).text for profile in PROFILES}


def test_every_report_lists_who_is_to_be_informed():
    held = signed("Ops", " ", 'the "Dev" team: all', "* Ann")
    names = 'Ops, the "Dev" team: all, * Ann'
    texts = records(held)
    read = {profile: read_adr(text) for profile, text in texts.items()}
    assert read["madr"].front["informed"] == read["madr_minimal"].front["informed"] == names
    assert f"To be informed: {names}." in read["nygard"].sections["1. Which: adopt"]
    assert read["log4brains"].sections["Which: adopt"][1:5] == [
        "Deciders: Abe, Ann, Ben",
        f"Informed: {names}",
        "Date: 2026-03-04",
        "Tags: debate",
    ]
    assert [fault for text in texts.values() for fault in lint(text)] == []
    assert not [text for text in records(held, anonymous=True).values() if "Ann" in text]
    assert f"; to be informed: {names}." in text_report(account(held.state))
    assert f"To be informed: {names}." in plain(markdown_report(account(held.state))).replace("\\", "")


def test_without_people_to_inform_reports_say_nothing_of_it():
    for held in (signed(), signed(" ")):
        texts = [*records(held).values(), text_report(account(held.state)), markdown_report(account(held.state))]
        assert not [text for text in texts if "informed" in text.casefold()]
