"""The open points of an undecided debate: addressee and date, the brief, and the draft of a follow-up debate."""

import json

import pytest

from debate_core.engine.audit import verify
from debate_core.errors import InvalidSpec
from debate_core.record.acts import Signed
from debate_core.record.events import canonical
from debate_core.record.state import Request
from debate_core.report.facts.account import Account, account
from debate_core.report.facts.unresolved import unresolved
from debate_core.report.files.adr.record import decision_record
from debate_core.report.files.export import export_files, run_json
from debate_core.report.files.follow_up import brief
from debate_core.report.files.report import markdown_report, text_report
from debate_core.report.phrases.decision import agreed_escalation, escalation_sentence
from debate_core.report.phrases.who_decided import decided_sentence
from debate_core.seats.scripted import read_script, spec_of
from debate_core.spec.contents import Argument, Claim
from debate_core.spec.presets import BOUNDED_VOTE, compose
from debate_core.spec.protocol import Protocol
from debate_core.spec.protocol_changes import with_escalation
from debate_core.spec.protocol_files import protocol_from_toml, protocol_to_toml
from debate_core.spec.rules import Escalation
from debate_core.spec.values import Seat, Source
from tests.people import ABE, room_spec
from tests.playing import Played

BOARD = Escalation(to="Architecture board", by="2027-01-15")
SENTENCE = "The open points go to Architecture board, due on 2027-01-15."
LOAD = Source(id="E1", title="Load test", text="At noon the load doubles within one hour.")


def rules(escalation: Escalation | None = BOARD) -> Protocol:
    return BOUNDED_VOTE.model_copy(update={"escalation": escalation})


def split(protocol: Protocol, votes: tuple[str, ...] = ("adopt", "defer")) -> Account:
    """Two seats vote as given in one round, never for reject; one of them answers the claim of the other."""
    seats = [Seat(id=name, stance=name, occupant="scripted") for name in ("risk", "ops")]
    options = ("adopt", "defer", "reject")
    spec = compose("Do we move?", options, protocol, seats, sources=[LOAD], max_rounds=1, threshold=2)
    played = Played(spec)

    def say(request: Request) -> Argument:
        vote = votes[["risk", "ops"].index(request.seat)]
        first = request.phase == "proposal"
        claims = (Claim(text="The load doubles", source_id="E1", quote="the load doubles within one hour"),)
        answers = () if first else ("risk.1.1",)
        told = claims if request.seat == "risk" else (Claim(text="It halves at night", answers=answers),)
        return Argument(rationale="why", vote=vote, claims=told)

    played.play(say)
    return account(played.state, played.events)


def test_an_unresolved_outcome_names_addressee_and_date():
    found = split(rules())
    assert found.state.outcome is not None
    assert found.state.outcome.status == "undecided"
    assert decided_sentence(found) == "Undecided. Who may decide now: Architecture board."
    for text in (text_report(found), markdown_report(found), decision_record(found).text):
        assert SENTENCE in text.replace("\\", "")
    told = run_json(found)["escalation"]
    assert told == {"to": "Architecture board", "by": "2027-01-15", "options_left": ["adopt", "defer"]}
    assert verify(found.events) == ()


def test_a_decision_shows_no_addressee():
    found = split(rules(), ("adopt", "adopt"))
    assert found.decision.option == "adopt"
    assert unresolved(found) is None
    assert escalation_sentence(found) == ""
    assert "board" not in text_report(found) + markdown_report(found) + decision_record(found).text
    assert "escalation" not in run_json(found)


def test_an_escalated_signature_waits_for_the_addressee():
    played = Played(room_spec()).to_the_end()
    agreed = played.state.spec.protocol.model_copy(update={"escalation": BOARD})
    played = Played(played.state.spec.model_copy(update={"protocol": agreed})).to_the_end()
    decided = account(played.state, played.events)
    assert SENTENCE not in text_report(decided)
    played.act(ABE, Signed(verdict="escalate", reason="too large"))
    assert SENTENCE in text_report(account(played.state, played.events))


def test_without_an_addressee_the_record_is_as_before():
    (opened, *_others) = split(rules(None)).events
    text = canonical(opened.body.model_dump(mode="json", exclude_none=True))
    assert "escalation" not in str(text)
    assert agreed_escalation(rules(None)) == ""
    assert "open points" not in text_report(split(rules(None)))


def test_a_brief_has_the_options_left_and_contested_claims():
    files = export_files(split(rules()), "follow-up")
    assert list(files) == ["follow-up.md", "follow-up.json"]
    brief = files["follow-up.md"].decode().replace("\\", "")
    assert SENTENCE in brief
    assert "- adopt\n- defer\n\nLeft out: reject." in brief
    claim = "- risk.1.1, risk: The load doubles. Quote, verbatim (Load test): “the load doubles within one hour”."
    assert f"{claim} Answered: It halves at night." in brief


def test_a_follow_up_file_is_a_debate_that_can_be_held():
    text = export_files(split(rules()), "follow-up")["follow-up.json"].decode()
    spec = spec_of(read_script(text))
    assert (spec.question, spec.options) == ("Do we move?", ("adopt", "defer"))
    assert [source.title for source in spec.sources] == ["Load test", "Open points: Do we move?"]
    assert "risk.1.1, risk: The load doubles." in spec.sources[1].text
    assert spec.context.startswith("This continues the debate d1, which decided nothing.")
    assert spec.protocol.escalation == BOARD
    assert [seat.occupant for seat in spec.debaters()] == ["model", "model"]


def test_options_without_a_vote_are_left_out_without_a_tie():
    seats = [Seat(id=f"s{n}", occupant="scripted") for n in range(3)]
    spec = compose("Do we move?", ("adopt", "defer", "reject"), rules(), seats, max_rounds=1, threshold=3)
    votes = {"s0": "defer", "s1": "adopt", "s2": "adopt"}
    played = Played(spec).play(lambda request: Argument(rationale="why", vote=votes[request.seat]))
    found = unresolved(account(played.state, played.events))
    assert found is not None
    assert (found.options, found.left_out) == (("adopt", "defer"), ("reject",))


def test_a_brief_gives_no_wrong_reason_for_an_option_left_out():
    seats = [Seat(id=f"s{n}", occupant="scripted") for n in range(5)]
    spec = compose("Do we move?", ("adopt", "defer", "reject"), rules(), seats, max_rounds=1, threshold=3)
    votes = {"s0": "adopt", "s1": "adopt", "s2": "defer", "s3": "defer", "s4": "reject"}
    played = Played(spec).play(lambda request: Argument(rationale="why", vote=votes[request.seat]))
    found = account(played.state, played.events)
    # One ballot supports it, but two others are tied ahead of it.
    assert "Left out: reject." in brief(found).markdown()


def test_rules_that_need_every_option_keep_them_in_a_follow_up():
    seats = [Seat(id=name, stance=name, occupant="scripted") for name in ("adopt", "defer", "reject")]
    spec = compose("Do we move?", ("adopt", "defer", "reject"), rules(), seats, max_rounds=1, threshold=3)
    played = Played(spec)
    votes = {"adopt": "adopt", "defer": "defer", "reject": "defer"}
    played.play(lambda request: Argument(rationale="why", vote=votes[request.seat]))
    data = json.loads(export_files(account(played.state, played.events), "follow-up")["follow-up.json"])
    assert data["options"] == ["adopt", "defer", "reject"]
    spec_of(read_script(json.dumps(data)))


def test_a_follow_up_is_refused_while_running_and_once_decided():
    running = Played(compose("Which?", ("a", "b"), rules(), [Seat(id=s, occupant="human") for s in ("x", "y")]))
    with pytest.raises(InvalidSpec, match="not decided yet"):
        export_files(account(running.state, running.events), "follow-up")
    with pytest.raises(InvalidSpec, match="is decided, so that no point is left"):
        export_files(split(rules(), ("adopt", "adopt")), "follow-up")


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ('to = "Board"\nby = "15.1.2027"', "escalation.by: value error, write a date as year-month-day"),
        ('to = "Board"\nby = "2027-02-30"', "escalation.by: value error, write a date as year-month-day"),
        ('to = " "', "escalation.to: value error, it names no one"),
        ('by = "2027-01-15"', "escalation.to: field required"),
    ],
)
def test_a_protocol_file_with_a_bad_addressee_is_refused(text: str, why: str):
    toml = protocol_to_toml(rules(None)) + f"\n[escalation]\n{text}\n"
    with pytest.raises(InvalidSpec) as told:
        protocol_from_toml(toml, where="own.toml")
    assert why in str(told.value)


def test_a_protocol_file_takes_a_date_of_toml():
    toml = protocol_to_toml(rules(None)) + '\n[escalation]\nto = "Architecture board"\nby = 2027-01-15\n'
    assert protocol_from_toml(toml, where="own.toml") == rules()
    assert protocol_from_toml(protocol_to_toml(rules()), where="own.toml") == rules()


def test_flags_replace_parts_of_the_protocols_addressee():
    assert with_escalation(rules(), None, None) == rules()
    later = with_escalation(rules(), None, "2027-02-01").escalation
    assert later == Escalation(to="Architecture board", by="2027-02-01")
    with pytest.raises(InvalidSpec, match="has a date and no addressee"):
        with_escalation(rules(None), None, "2027-02-01")


def test_a_date_before_the_debate_is_refused():
    with pytest.raises(InvalidSpec, match="due on 2026-03-03, before the debate begins: name 2026-03-04 or a later"):
        split(rules(Escalation(to="Board", by="2026-03-03")))
    assert split(rules(Escalation(to="Board", by="2026-03-04"))).state.outcome is not None
