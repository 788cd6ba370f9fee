"""Words about a count under each rule: the leading option, its amount, and the number of votes needed."""

import pytest

from debate_core.record import acts
from debate_core.report.facts.account import Account, account
from debate_core.report.facts.vote_bars import VoteBars, deciding_bars
from debate_core.report.files.adr.record import decision_record
from debate_core.report.files.report import markdown_report
from debate_core.report.phrases.cautions import cautions
from debate_core.report.phrases.counts import amount_words
from debate_core.report.phrases.decision import arithmetic
from debate_core.report.phrases.decision_status import count_line, count_words, decision_status
from debate_core.report.phrases.outcome import outcome_sentence, summary_report
from debate_core.report.phrases.polls import poll_sentences
from debate_core.report.phrases.rules import bar_sentence, clause_words
from debate_core.report.phrases.who_decided import line_words
from debate_core.spec.contents import Argument
from debate_core.spec.people import Person
from debate_core.spec.protocol import Driver
from debate_core.spec.rules import CountedRule, Elected, Majority, MaxRounds, Plurality, Supermajority, Unanimity
from debate_core.spec.values import Given
from debate_core.ui.kit.components.parts import small_votes_part, votes_alt
from tests.by_hand import OPEN, small
from tests.people import ABE, FAY, OPTIONS, room_spec
from tests.playing import Played

PEOPLE = tuple(Person(id=f"p-r{n}", name=f"R{n}", role="voter", electorate="room") for n in range(5))


def voted(rule: CountedRule, *ballots: str | dict[str, int], voters: int = 5) -> Account:
    """A final vote of the room that decides; people without a ballot stay away."""
    held = Played(room_spec((FAY, *PEOPLE[:voters]), decides="room", pre_vote="none", vote=rule)).to_the_end()
    held.act(FAY, acts.PollOpened(poll="final"))
    for person, ballot in zip(PEOPLE, ballots, strict=False):
        if isinstance(ballot, str):
            held.ballot(person, "final", ballot)
        else:
            given = tuple(Given(option=option, points=points) for option, points in ballot.items())
            held.act(person, acts.BallotCast(poll="final", given=given))
    held.act(FAY, acts.PollClosed(poll="final")).act(FAY, acts.PollRevealed(poll="final"))
    return account(held.state, held.events)


def bars_of(told: Account) -> VoteBars:
    bars = deciding_bars(told)
    assert bars is not None
    return bars


RULES_OF_CAST: list[tuple[CountedRule, str]] = [
    (Majority(base="cast"), "more than half of the ballots cast"),
    (Supermajority(base="cast"), "at least 2/3 of the ballots cast"),
    (Unanimity(base="cast"), "all ballots cast"),
    (
        Elected(kind="approval", floor_percent=60),
        "the most approvals win, if at least 60 % of the ballots cast approve it",
    ),
]


@pytest.mark.parametrize(("rule", "clause"), RULES_OF_CAST)
def test_share_of_no_ballot_is_no_number(rule: CountedRule, clause: str):
    told = voted(rule, "abstain", "abstain", "abstain")
    bars = bars_of(told)
    assert (bars.needed, line_words(bars)) == (None, clause)
    assert count_words(bars, is_over=True) == f"No votes, {clause}"
    assert "needed" not in votes_alt(bars)
    assert {row.threshold for row in told.poll_tallies} == {None}


def test_nine_lines_need_no_share_of_no_ballot():
    held = small(OPEN, n=3, rounds=1, decide=Supermajority(base="cast"), stop=(MaxRounds(),))
    held.vote({"s0": None, "s1": None, "s2": None})
    lines = summary_report(account(held.state, held.events)).splitlines()
    assert lines[4] == "consensus_threshold: at least two thirds, or another share of the ballots cast"


def test_votes_needed_are_of_the_ballots_cast():
    bars = bars_of(voted(Majority(base="cast"), "adopt", "adopt", "defer"))
    assert line_words(bars) == "2 of the 3 cast needed"
    assert votes_alt(bars).endswith(" 2 of the 3 cast needed.")
    approved = bars_of(voted(Elected(kind="approval", floor_percent=60), *[{"adopt": 1}] * 3, {"defer": 1}))
    assert line_words(approved) == "3 of the 4 cast needed"
    assert line_words(bars_of(voted(Majority(), "adopt", "adopt", "adopt"))) == "3 of 5 needed"


def test_points_needed_are_of_nothing():
    drivers = (Driver(name="cost", weight=100),)
    rule = Elected(kind="weighted_criteria", floor_percent=70)
    spec = room_spec((FAY, PEOPLE[0]), decides="room", pre_vote="none", vote=rule)
    held = Played(spec.model_copy(update={"drivers": drivers})).to_the_end()
    held.act(FAY, acts.PollOpened(poll="final"))
    given = tuple(Given(option=option, driver="cost", points=4) for option in spec.options)
    held.act(PEOPLE[0], acts.BallotCast(poll="final", given=given))
    held.act(FAY, acts.PollClosed(poll="final")).act(FAY, acts.PollRevealed(poll="final"))
    assert votes_alt(bars_of(account(held.state, held.events))).endswith(" 3.5 needed.")


@pytest.mark.parametrize(
    ("kind", "ballot"),
    [
        ("anti_plurality", {"adopt": 1, "defer": 2}),
        ("consent", {"adopt": 1, "defer": 1, "reject": 1}),
        ("minimax", {"adopt": 1, "defer": 1}),
    ],
)
def test_zero_points_are_no_lack_of_votes(kind: str, ballot: dict[str, int]):
    bars = bars_of(voted(Elected.model_validate({"kind": kind}), *[ballot] * 3))
    assert not count_words(bars, is_over=True).startswith("No votes")


def test_winner_leads_where_another_has_more():
    beaten = voted(Elected(kind="star"), {"adopt": 5}, {"adopt": 5}, *[{"adopt": 0, "defer": 1}] * 3)
    assert decision_status(beaten).option == "defer"
    assert decision_status(beaten).line.startswith("It has 3 points, another option 10. ")
    assert count_words(bars_of(beaten), is_over=True).startswith("3 points, ")
    assert small_votes_part(bars_of(beaten))["letter"] == "B"


def test_winner_of_a_tie_break_leads():
    bars = bars_of(voted(Plurality(tie=("lot",)), "adopt", "adopt", "defer", "defer"))
    assert bars.winner is not None
    assert count_words(bars, is_over=True) == "2 of 5 voters, the most votes win"
    assert small_votes_part(bars)["letter"] == bars.winner.letter


def test_level_options_of_a_run_off_are_tied():
    tied = voted(Elected(kind="star"), {"adopt": 5, "defer": 0}, {"adopt": 0, "defer": 1}, voters=2)
    assert count_words(bars_of(tied), is_over=True).startswith("adopt and defer tied, ")


def test_points_so_far_are_of_nothing():
    held = small(OPEN, n=2, rounds=2, decide=Elected(kind="score"), stop=(MaxRounds(),))
    for _seat in range(2):
        held.say(Argument(rationale="why", ballot=(Given(option="b", points=4),)))
    assert decision_status(account(held.state, held.events)).line == "b: 8 points."
    held = small(OPEN, n=2, rounds=2, decide=Elected(kind="anti_plurality"), stop=(MaxRounds(),))
    for ranks in ("ab", "bc"):
        given = tuple(Given(option=option, points=n) for n, option in enumerate(ranks, start=1))
        held.say(Argument(rationale="why", ballot=given))
    assert decision_status(account(held.state, held.events)).line == "b: 0 last places, taken off."


def test_amounts_have_a_singular():
    assert [amount_words(n, "orders won") for n in (1, 0, 2.5)] == ["1 order won", "0 orders won", "2.5 orders won"]


def test_points_keep_the_case_of_an_option():
    held = small(OPEN, n=2, rounds=1, decide=Elected(kind="score"), stop=(MaxRounds(),))
    for _seat in range(2):
        held.say(Argument(rationale="why", ballot=(Given(option="b", points=4),)))
    assert "Decided: b. a 0, b 8, c 0 points" in outcome_sentence(account(held.state, held.events))


def test_clause_names_the_floor_and_all_ballots():
    assert clause_words(Elected(kind="weighted_criteria", floor_percent=70)) == (
        "the highest weighted average wins, if it has at least 70 % of 5 points"
    )
    assert bar_sentence(Unanimity(base="cast", all_but=1)) == "An option is elected with all ballots cast but 1."
    assert bar_sentence(Unanimity(all_but=1), 4) == (
        "An option is elected with the votes of all eligible voters but 1: 3 of 4 votes."
    )


def consented(*ballots: tuple[int, int, int]) -> Account:
    """A consent vote of the room, signed for adopt: 0 is a consent, 1 a concern, 2 an objection."""
    rule = Elected(kind="consent")
    people = (FAY, ABE, *PEOPLE[:4])
    held = Played(room_spec(people, decides="room", pre_vote="none", vote=rule)).to_the_end()
    held.act(FAY, acts.PollOpened(poll="final"))
    for person, ballot in zip(PEOPLE, ballots, strict=False):
        given = tuple(
            Given(option=o, points=p, reason="It costs." if p else "") for o, p in zip(OPTIONS, ballot, strict=True)
        )
        held.act(person, acts.BallotCast(poll="final", given=given))
    held.act(FAY, acts.PollClosed(poll="final")).act(FAY, acts.PollRevealed(poll="final"))
    held.act(ABE, acts.Signed(verdict="accept", option="adopt", owner="Ann"))
    return account(held.state, held.events)


def test_equal_consents_show_what_decided():
    told = consented((0, 2, 1), (1, 0, 2), (1, 1, 0), (0, 0, 0))
    words = "adopt 2 (2 concerns), defer 2 (1 concern, 1 objection), reject 2 (1 concern, 1 objection)"
    assert count_line(told) == f"Consents: {words}. 4 of 4 ballots were cast."
    assert arithmetic(told) == f"The room elected adopt: {words} (4 of 4 ballots cast)."
    assert any(words in sentence for sentence in poll_sentences(told.state))


def test_objection_on_a_ballot_is_an_objection():
    text = decision_record(consented((0, 2, 1), (1, 0, 2), (1, 1, 0), (0, 0, 0))).text
    assert "2 of 4 ballots raised concerns about it." in text
    assert "Objection on a ballot" in text
    assert "No one recorded" not in text
    plain = decision_record(consented((0, 1, 1), (0, 0, 1), (0, 1, 0))).text
    assert "No one recorded a dissent or an objection." in plain
    assert "concern" not in plain.partition("* Against it")[2].partition("\n")[0]


def test_consents_of_seats_show_objections():
    held = small(OPEN, n=2, rounds=1, decide=Elected(kind="consent"), stop=(MaxRounds(),))
    for points in ((0, 2, 0), (0, 1, 1)):
        given = tuple(Given(option=o, points=p, reason="It costs.") for o, p in zip("abc", points, strict=True))
        held.say(Argument(rationale="why", ballot=given))
    assert "a 2, b 0 (1 concern, 1 objection), c 1 (1 concern) consents" in outcome_sentence(account(held.state))


def test_chance_level_is_that_of_its_reason():
    held = small(OPEN, n=5, rounds=2, decide=Majority(ballots_in_a_row=2))
    for vote in ("a", "a", "a", "b", None) * 2:
        held.say(vote)
    (chance,) = (one for one in cautions(account(held.state, held.events)) if one.words.startswith("Chance level"))
    assert chance.words == "Chance level: 33 %"
    assert chance.reason.endswith("on a single ballot 33 % of the time.")


def test_advice_of_seats_elects_no_option_in_the_report():
    told = voted(Plurality(), "defer", "defer", "defer")
    report = markdown_report(told)
    assert "| needed | advised |" in report
    assert "elected |" not in report
    held = small(OPEN, n=2, rounds=1, decide=Plurality(), stop=(MaxRounds(),)).play("a")
    assert "| needed | elected |" in markdown_report(account(held.state, held.events))
