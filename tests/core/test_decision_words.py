"""The words around a count: chips of findings, unit and clause of each rule, whose count it is, who has voted."""

import json
import re
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest

from debate_core.engine.count.methods import METHODS
from debate_core.language import spoken
from debate_core.record import acts
from debate_core.report.facts.account import Account, account
from debate_core.report.facts.health import FLAGS
from debate_core.report.facts.vote_bars import IN_HEADS, OptionBar, VoteBars, deciding_bars
from debate_core.report.files.adr.record import decision_record
from debate_core.report.files.export import csv_files, dumps, run_json
from debate_core.report.files.report import markdown_report, text_report
from debate_core.report.phrases.cautions import FINDING_WORDS, cautions, hint_words
from debate_core.report.phrases.counts import points_words
from debate_core.report.phrases.decision_status import count_words, decision_status
from debate_core.report.phrases.rules import clause_words
from debate_core.report.phrases.who_decided import no_person_sentence, rule_words
from debate_core.spec.contents import Argument, Claim
from debate_core.spec.people import Person
from debate_core.spec.presets import compose, protocol
from debate_core.spec.rules import CountedRule, Elected, Majority, Plurality, Supermajority, Threshold, Unanimity
from debate_core.spec.values import Seat, Source
from tests.by_hand import preset_spec
from tests.people import FAY, GUS, OPTIONS, room_spec
from tests.playing import Played

FACTS = Path(__file__).parents[2] / "debate_core" / "report" / "facts"
MADE = re.compile(r'(?:DebateFinding|_finding)\(\s*"(\w+)"')


def test_every_finding_that_code_makes_has_plain_words():
    made = {name for module in FACTS.glob("*.py") for name in MADE.findall(module.read_text("utf-8"))}
    assert made == FINDING_WORDS.keys()
    assert [words for words in FINDING_WORDS.values() if len(words.split()) > 4] == []
    named = {name: words for name, words in FINDING_WORDS.items() if words.casefold() == name.replace("_", " ")}
    assert named == {}


@pytest.mark.parametrize(("decides", "is_cautious"), [("panel", False), ("debaters", True)])
def test_how_the_seats_voted_is_no_caution_where_people_decide(decides: str, is_cautious: bool):
    held = Played(room_spec(decides=decides, hold="none"))
    held.go_on()
    for option in ("adopt", "defer", "reject") * 4:
        held.say(option)
    told = account(held.state, held.events)
    assert "tie" in told.flags
    assert ("Options are tied" in {caution.words for caution in cautions(told)}) == is_cautious


@pytest.mark.parametrize(("last", "is_close"), [("defer", True), ("adopt", False)])
def test_a_vote_of_people_without_a_vote_to_spare_says_so(last: str, is_close: bool):
    people = (FAY, *(Person(id=f"p-r{n}", name=f"R{n}", role="voter", electorate="room") for n in range(4)))
    rule = Threshold(votes=3)
    held = Played(room_spec(people, decides="room", pre_vote="none", vote=rule)).to_the_end()
    held.act(FAY, acts.PollOpened(poll="final"))
    for person, option in zip(people[1:], ("adopt", "adopt", "adopt", last), strict=True):
        held.ballot(person, "final", option)
    held.act(FAY, acts.PollClosed(poll="final"))
    assert decision_status(account(held.state, held.events)).status == "Closed, not revealed yet"
    held.act(FAY, acts.PollRevealed(poll="final"))
    said = {caution.words for caution in cautions(account(held.state, held.events))}
    assert ("No vote to spare" in said) is is_close


def test_ballots_of_people_removed_during_the_vote_are_a_caution():
    held = Played(room_spec((FAY, GUS), decides="room", pre_vote="none")).to_the_end()
    comes = [Person(id=f"p-z{n}", name=f"Zed {n}", role="voter", electorate="room") for n in range(2)]
    for person in comes:
        held.act(person, acts.PersonJoined(person=person))
    held.act(FAY, acts.PollOpened(poll="final"))
    held.ballot(GUS, "final", "adopt")
    held.ballot(comes[0], "final", "reject")
    for person in comes:
        held.act(FAY, acts.PersonLeft(person=person.id, reason="from another team", withdrawn=True))
    held.act(FAY, acts.PollClosed(poll="final")).act(FAY, acts.PollRevealed(poll="final"))
    told = {caution.words: caution.reason for caution in cautions(account(held.state, held.events))}
    assert told["2 voters removed during the vote"].startswith("1 ballot was withdrawn from the deciding vote")


def test_that_nobody_voted_is_no_promise_once_it_is_over():
    held = Played(preset_spec())
    for _seat in range(3):
        held.say("abstain")
    bars = deciding_bars(account(held.state, held.events))
    assert bars is not None
    assert count_words(bars, is_over=False) == "No votes yet, 2 needed"
    assert count_words(bars, is_over=True) == "No votes, 2 needed"


def bars_of(rule: CountedRule, *, needed: int | None = None, decides: bool = True) -> VoteBars:
    """Three options in the room, the second ahead."""
    bars = tuple(OptionBar(letter, letter.lower(), has, None, wins=has == 3.99) for letter, has in OPTION_POINTS)
    return VoteBars(
        voters="room", decides=decides, is_sealed=False, rule=rule, bars=bars, of=5, needed=needed, cast=5, eligible=5
    )


OPTION_POINTS = (("A", 2.24), ("B", 3.99), ("C", 0))


def test_points_keep_the_decimals_that_tell_them_apart():
    assert [points_words(each) for each in (7, 3.0, 2.283333)] == ["7", "3", "2.28"]
    close = (2.283333, 2.282, 7)
    assert [points_words(each, close) for each in close] == ["2.283", "2.282", "7"]


@pytest.mark.parametrize("name", [name for name, method in METHODS.items() if isinstance(method.rule, Elected)])
def test_count_has_the_unit_and_the_clause_of_its_rule(name: str):
    method = METHODS[name]
    words = count_words(bars_of(method.rule), is_over=True)
    assert words.startswith(f"3.99 of 5 {method.unit}" if method.unit in IN_HEADS else f"3.99 {method.unit}")
    assert words.endswith(method.in_short or f"the most {method.unit} win")
    assert "most votes" not in words
    with spoken("de"):
        german = count_words(bars_of(method.rule), is_over=True)
        assert "3,99" in german
        assert clause_words(method.rule) not in (method.in_short, f"the most {method.unit} win")


@pytest.mark.parametrize(
    ("rule", "clause"),
    [
        (Plurality(), "the most votes win"),
        (Majority(), "more than half of all eligible voters"),
        (Majority(base="cast"), "more than half of the ballots cast"),
        (Supermajority(), "at least 2/3 of all eligible voters"),
        (Unanimity(base="cast", all_but=1), "all ballots cast but 1"),
        (Threshold(votes=3), "3 votes"),
    ],
)
def test_rule_without_a_number_of_voters_has_its_clause(rule: CountedRule, clause: str):
    assert clause_words(rule) == clause
    assert count_words(bars_of(rule), is_over=True).endswith(clause)
    # What decides nothing has no line, whatever the rule.
    assert clause not in count_words(bars_of(rule, decides=False), is_over=True)


@pytest.mark.parametrize("decides", ["panel", "room"])
@pytest.mark.parametrize("rule", [Majority(), Supermajority(), Unanimity(), Plurality()])
def test_vote_to_come_of_nobody_has_the_agreed_rule(decides: str, rule: CountedRule):
    told = account(Played(room_spec((FAY,), decides=decides, vote=rule)).state)
    assert rule_words(told) == clause_words(rule)


def test_vote_to_come_counts_who_is_there():
    told = account(Played(room_spec(decides="panel", vote=Majority())).state)
    # Ann weighs 1 and Ben 2.
    assert rule_words(told) == "2 of 3 needed"


def seats_that_abstain() -> Played:
    held = Played(room_spec((FAY, GUS), rounds=1, decides="room", hold="none", pre_vote="none"))
    held.go_on()
    while held.state.outcome is None:
        held.say("abstain")
    held.act(FAY, acts.PollOpened(poll="final"))
    held.ballot(GUS, "final", "adopt")
    held.act(FAY, acts.PollClosed(poll="final"))
    return held.act(FAY, acts.PollRevealed(poll="final"))


def test_that_no_seat_voted_is_said_of_the_seats_alone():
    held = seats_that_abstain()
    told = account(held.state, held.events)
    assert "no_ballots" in told.flags
    texts = (text_report(told), markdown_report(told), decision_record(told).text, csv_files(told)["health.csv"])
    for text in texts:
        assert not re.search(r"[Nn]o ballot was cast|[Nn]obody cast a vote|[Nn]obody was asked", text), text
    assert FLAGS["no_ballots"] == "No seat cast a ballot."
    of_the_count = ("tie", "no_ballots", "too_few_ballots", "split", "incoherent", "two_could_win", "not_blind")
    assert [name for name in of_the_count if "seat" not in FLAGS[name]] == []


def claims(*quotes: str | None) -> Argument:
    made = tuple(Claim(text=f"c{n}", source_id="e1" if q else None, quote=q) for n, q in enumerate(quotes))
    return Argument(rationale="why", vote="a", claims=made)


@pytest.mark.parametrize(
    ("quotes", "told"),
    [
        ((None, None), "0 of 2 claims were checked against a source."),
        (("The load doubles in May.", None), "1 of 2 claims were checked against a source."),
        (("The load doubles in May.", "It halves in June."), ", and 1 of these failed the check."),
        ((), "No claim was made."),
    ],
)
def test_result_without_a_persons_vote_says_so(quotes: tuple[str | None, ...], told: str):
    source = Source(id="e1", title="Load", text="The load doubles in May. Nothing else is known.")
    held = Played(preset_spec().model_copy(update={"sources": (source,)}))
    held.say(claims(*quotes))
    while held.state.outcome is None:
        held.say("a")
    found = account(held.state, held.events)
    words = no_person_sentence(found)
    assert words.startswith("No person voted on this result. Agreement among seats is no evidence. ")
    assert told in words
    for text in (text_report(found), markdown_report(found), decision_record(found).text):
        assert words in " ".join(text.replace("\\", "").split())
    assert json.loads(dumps(run_json(found)))["who_decided"]["note"] == words
    assert decision_status(found).of_no_person == words


@pytest.mark.parametrize(
    ("quotes", "missing", "found"),
    [
        (("The load doubles in May.", None), "1 of 2 claims without quotes", "The quote was found"),
        (("The load doubles in May.", "Nothing else is known."), None, "All 2 quotes were found"),
        ((None, None), None, None),
    ],
)
def test_claims_without_quotes_are_no_passed_check(
    quotes: tuple[str | None, ...], missing: str | None, found: str | None
):
    source = Source(id="e1", title="Load", text="The load doubles in May. Nothing else is known.")
    held = Played(preset_spec().model_copy(update={"sources": (source,)}))
    held.say(claims(*quotes))
    while held.state.outcome is None:
        held.say("a")
    levels = {caution.words: caution.level for caution in cautions(account(held.state, held.events))}
    about_quotes = {words: level for words, level in levels.items() if "quote" in words and level != "grave"}
    assert about_quotes == {words: level for words, level in ((missing, "missing"), (found, "well")) if words}


def test_a_persons_vote_or_no_result_needs_no_such_sentence():
    by_room = seats_that_abstain()
    assert no_person_sentence(account(by_room.state, by_room.events)) == ""
    seats = [Seat(id=name, occupant="human") for name in ("ana", "ben", "cyd")]
    by_people = Played(compose("Which?", OPTIONS, protocol("bounded_vote"), seats))
    assert no_person_sentence(account(by_people.state, by_people.events)) == ""
    while by_people.state.outcome is None:
        by_people.say("adopt")
    assert no_person_sentence(account(by_people.state, by_people.events)) == ""
    abstained = Played(compose("Which?", OPTIONS, protocol("bounded_vote"), seats))
    while abstained.state.outcome is None:
        abstained.say("abstain")
    assert no_person_sentence(account(abstained.state, abstained.events)) == ""
    failed = Played(preset_spec())
    while failed.state.outcome is None:
        failed.fail()
    assert no_person_sentence(account(failed.state, failed.events)) == ""


def test_advice_of_people_leaves_a_result_of_the_seats_alone():
    held = Played(room_spec((FAY, GUS), rounds=1, hold="none", pre_vote="none"))
    held.go_on()
    held.to_the_end("adopt")
    held.act(FAY, acts.PollOpened(poll="final"))
    held.ballot(GUS, "final", "defer")
    held.act(FAY, acts.PollClosed(poll="final"))
    held.act(FAY, acts.PollRevealed(poll="final"))
    assert no_person_sentence(account(held.state, held.events)).startswith("No person voted on this result.")


@pytest.mark.parametrize(
    ("flags", "words"),
    [
        ((), ""),
        (("weak_critic",), "Weak critiques"),
        (("weak_critic", "unattributed_change", "tie"), "2 notes on how the seats argued"),
    ],
)
def test_notes_on_texts_are_counted_where_there_are_several(flags: tuple[str, ...], words: str):
    told = cast("Account", SimpleNamespace(flags=flags, findings=()))
    assert hint_words(told) == words
