"""The fate of a decision since its signature, wherever the decision is told; an early end, and abstentions."""

from debate_core.host.debate_list import sign_off_of
from debate_core.record import acts
from debate_core.record.commands import Stop
from debate_core.record.events import Closed, DebateOpened
from debate_core.report.facts.decision_outcomes import aftermath, right_option
from debate_core.report.phrases.cautions import cautions
from debate_core.report.phrases.decision_status import decision_status
from debate_core.report.phrases.polls import poll_sentences
from debate_core.report.phrases.who_decided import decision_row
from debate_core.spec.rules import Majority
from tests.adr_reader import read_adr
from tests.core.test_adr import signed, text_of
from tests.core.test_first_page import ZOE, account_of, page_of, voted
from tests.people import ABE, FAY, GUS, room_spec
from tests.playing import Played


def told(held: Played) -> dict[str, str]:
    return {caution.words: caution.reason for caution in cautions(account_of(held))}


def recorded(held: Played, result: acts.OutcomeResult, option: str | None = None) -> Played:
    held.act(FAY, acts.OutcomeRecorded(result=result, option=option, reason="it broke in May"))
    return held


def status_of(held: Played) -> object:
    return read_adr(text_of(held)).front["status"]


def listed(held: Played) -> str:
    opened, end = held.events[0].body, next(event for event in held.events if isinstance(event.body, Closed))
    assert isinstance(opened, DebateOpened)
    assert isinstance(end.body, Closed)
    return sign_off_of(opened, end.body.outcome, held.events[end.seq :]).since


def test_first_page_and_lists_name_a_reversed_decision():
    held = signed(voted("adopt", "adopt"), revisit="2027-03-01")
    assert page_of(held)["Next review"] == "2027-03-01."
    assert decision_status(account_of(held)).is_signed
    recorded(held, "reversed", "defer")
    assert "Next review" not in page_of(held)
    status = decision_status(account_of(held))
    assert (status.status, status.is_signed, status.option) == ("Reversed since", False, "adopt")
    day = account_of(held).decision.later[-1].at[:10]
    since = f"{day}: reversed. It broke in May. Right was: defer."
    assert page_of(held)["Since then"] == since
    assert since not in page_of(held).get("Uncertain", "")
    assert told(held)["Reversed since"] == since
    assert listed(held) == "reversed"
    assert decision_row(account_of(held)).since == "reversed"
    assert status_of(held) == "deprecated"


def test_lists_name_the_fate_of_an_unsigned_decision_too():
    held = recorded(voted("adopt", "adopt"), "reversed")
    assert (listed(held), decision_row(account_of(held)).since) == ("reversed", "reversed")


def test_held_or_unknown_outcome_is_no_caution():
    held = signed(voted("adopt", "adopt"))
    assert "Since then" not in page_of(held)
    assert "Since then" not in page_of(recorded(held, "unknown"))
    assert listed(held) == ""
    page = page_of(recorded(held, "held"))
    assert page["Since then"].endswith("held. It broke in May.")
    assert listed(held) == "held"
    assert not {"Reversed since", "Revised since"} & told(held).keys()
    assert status_of(held) == "accepted"


def test_new_signature_leaves_the_earlier_outcome_behind():
    held = recorded(signed(voted("adopt", "adopt")), "held")
    assert right_option(held.state) == "adopt"
    signed(held, option="defer", reason="the budget was cut")
    assert right_option(held.state) is None
    assert aftermath(held.state).result is None
    assert listed(held) == ""
    assert "Since then" not in page_of(held)
    assert status_of(held) == "accepted"


def test_stopped_debate_says_so_beside_its_count():
    held = Played(room_spec((FAY, ABE, GUS, ZOE), rounds=3, decides="room", pre_vote="none"))
    held.do(Stop(by=FAY.id, reason="the fire alarm rang"))
    assert "Ended early" not in told(held)
    held.act(FAY, acts.PollOpened(poll="final"))
    for voter in (GUS, ZOE):
        held.ballot(voter, "final", "adopt")
    held.act(FAY, acts.PollClosed(poll="final"))
    held.act(FAY, acts.PollRevealed(poll="final"))
    early = "It ended in round 1 of at most 3, because a person stopped it."
    assert told(held)["Ended early"] == early
    assert early in page_of(held)["Uncertain"]
    assert "Ended early" not in told(voted("adopt", "adopt"))


def test_abstentions_stand_beside_the_ballots_cast():
    told = decision_status(account_of(voted("adopt", "abstain", vote=Majority(base="cast", quorum=2))))
    assert told.line.endswith("1 of 2 ballots were cast, 1 abstained.")


def swing_of(before: tuple[str, ...], final: tuple[str, ...]) -> str:
    voters = (GUS, ZOE, *(GUS.model_copy(update={"id": f"p-{name}", "name": name}) for name in ("kay", "lou")))
    held = Played(room_spec((FAY, ABE, *voters), rounds=1, decides="room"))
    for poll, choices in (("pre", before), ("final", final)):
        held.act(FAY, acts.PollOpened.model_validate({"poll": poll}))
        for voter, choice in zip(voters, choices, strict=True):
            held.ballot(voter, poll, choice)
        held.act(FAY, acts.PollClosed.model_validate({"poll": poll}))
        held.to_the_end()
    held.act(FAY, acts.PollRevealed(poll="final"))
    held.act(FAY, acts.PollRevealed(poll="pre"))
    return next(said for said in poll_sentences(held.state) if said.startswith("Swing"))


def test_swing_and_vote_differ_only_if_others_gained_more():
    shared = swing_of(("defer", "defer", "adopt", "adopt"), ("adopt", "adopt", "adopt", "reject"))
    assert "adopt and reject gained most" in shared
    assert "not the same" not in shared
    assert "These are not the same." in swing_of(("adopt",) * 4, ("adopt", "adopt", "adopt", "reject"))
