"""Front matter of decision records: fields for programs, safe for YAML, and read back to the same decision."""

import re
from datetime import date

import pytest
from hypothesis import given, reject
from hypothesis import strategies as st

from debate_core.documents.choices import chosen_places
from debate_core.documents.decision import read_decision
from debate_core.documents.decision_fields import DecisionFields, StatedAssumption, read_fields
from debate_core.documents.document import read_document
from debate_core.errors import InvalidSpec
from debate_core.language import spoken
from debate_core.record import acts
from debate_core.report.facts.account import account
from debate_core.report.files.adr.profiles import PROFILES
from debate_core.report.files.adr.record import decision_record
from debate_core.report.files.export import run_json
from debate_core.report.files.report import text_report
from debate_core.spec.contents import Argument
from debate_core.spec.rules import Elected, MaxRounds
from debate_core.spec.values import Given, Source
from debate_core.text import line
from tests.adr_reader import lint, read_adr, status_in_adr_viewer, status_in_backstage, status_in_log4brains
from tests.by_hand import OPEN, small
from tests.core.test_adr import argued, signed, text_of
from tests.examples import examples
from tests.people import ABE, ANN, FAY, room_spec, whole_workshop
from tests.playing import Played

KEY = "ab" * 32
AFFECTS = ("services/checkout/**", "*.tf", "pom.xml", "component:default/checkout", "Orders / Payments", "")
ASSUMPTIONS = (
    {"text": "Load stays below 2,000 a minute", "watched_by": "Ben", "claim_id": "s0.1.1"},
    {"text": "Ann keeps the licence"},
)
GIVEN = {"affects": AFFECTS, "reversibility": "one-way-door", "revisit": "2027-03-01", "assumptions": ASSUMPTIONS}


def test_front_matter_has_what_the_approver_gave():
    front = read_adr(text_of(signed(argued(), **GIVEN), signing_key=KEY)).front
    assert front["affects"] == [
        {"type": "path", "pattern": "services/checkout/**"},
        {"type": "path", "pattern": "*.tf"},
        {"type": "path", "pattern": "pom.xml"},
        {"type": "entity", "pattern": "component:default/checkout"},
        {"type": "entity", "pattern": "Orders / Payments"},
    ]
    assert (front["reversibility"], front["review-by"], front["reviewBy"]) == ("one-way-door", *["2027-03-01"] * 2)
    assert front["assumptions"] == [
        {"text": "Load stays below 2,000 a minute", "watched-by": "Ben", "claim": 1},
        {"text": "Ann keeps the licence"},
    ]
    assert front["record"]["key"] == KEY


@pytest.mark.parametrize("profile", PROFILES)
def test_every_profile_tells_the_new_fields_in_its_text(profile):
    text = text_of(signed(argued(), **GIVEN), profile=profile)
    found = read_adr(text)
    assert lint(text) == []
    page = found.sections[found.headings[0][1]]
    affected = ", ".join(part for part in AFFECTS if part)
    assert [row for row in page if f"Affects: {affected}." in row]
    assert [row for row in page if row.startswith("Next review: ") and row.endswith("Hard to reverse.")]
    assert ("Assumptions: Load stays below 2,000 a minute (claim 1; watched by Ben). Ann keeps the licence.") in page
    for_programs = {"options", "affects", "reversibility", "review-by", "reviewBy", "assumptions", "record"}
    assert (for_programs <= set(found.front)) is (profile == "madr")
    assert profile == "madr" or not for_programs & set(found.front)


def test_a_decision_without_new_fields_does_not_name_them():
    text = text_of(signed(argued()))
    assert not re.search("Affects|reverse|Assumptions", text)
    assert set(read_adr(text).front) == {"status", "date", "decision-makers", "consulted", "options", "record"}


@pytest.mark.parametrize("revisit", ["after 2027-03-01", "2027-02-31", "20270301", "2027-W01-1", "never", ""])
def test_review_that_is_no_single_date_is_only_in_the_text(revisit: str):
    found = read_adr(text_of(signed(argued(), revisit=revisit)))
    assert not {"review-by", "reviewBy"} & set(found.front)
    assert f"Next review: {revisit or 'No review is planned'}.".casefold() in map(
        str.casefold, found.sections["Which: adopt"]
    )


def counts(held: Played) -> list[object]:
    options = read_adr(text_of(held)).front["options"]
    return [option.get("votes", option.get("points")) for option in options]


def test_votes_weigh_as_counted():
    assert counts(whole_workshop()) == [3, 0, 0]


def test_votes_that_are_not_counted_yet_are_left_out():
    held = Played(room_spec(decides="panel", rounds=1))
    held.to_the_end()
    assert counts(held) == [None, None, None]
    held.act(FAY, acts.PollOpened(poll="final"))
    held.ballot(ANN, "final", "adopt")
    held.act(FAY, acts.PollClosed(poll="final"))
    assert counts(held) == [None, None, None]


RANKING = (Given(option="b", points=1), Given(option="a", points=2), Given(option="c", points=3))


def test_points_are_not_called_votes():
    held = small(OPEN, n=2, decide=Elected(kind="borda"), stop=(MaxRounds(),), rounds=1)
    held.play(lambda _request: Argument(rationale="why", ballot=RANKING))
    points = {option["option"]: option["points"] for option in read_adr(text_of(held)).front["options"]}
    assert points == run_json(account(held.state))["tally"]


def test_rejected_decision_has_no_chosen_option():
    held = signed(argued(), verdict="reject", option=None, reason="too early")
    assert not any("chosen" in option for option in read_adr(text_of(held)).front["options"])


HOSTILE = (
    'yes: "no"\n---\nstatus: accepted\r\n...\n# x',
    "\u2028---\u2029\x85---\x0b\x0c\x1c",
    "@ana",
    "*a &b !c %d `e` |f >g",
    "007",
    "1e3",
    "null",
    "'",
    "\\ \\u0041 \\",
    "{a: [b]}",
    "\ufffe\uffff\ufeff\U0001f600",
    "word " * 390,
)


@pytest.mark.parametrize("text", HOSTILE)
def test_no_text_breaks_the_front_matter(text: str):
    assumptions = ({"text": text, "watched_by": text},)
    held = signed(argued(), affects=(text,), assumptions=assumptions, informed=(text,), revisit=text)
    front = read_adr(text_of(held)).front
    assert front["affects"][0]["pattern"] == front["assumptions"][0]["text"] == front["informed"] == line(text)
    assert front["status"] == "accepted"


def test_question_and_options_of_2000_letters_stay_readable():
    long = "x" * 1_999
    spec = room_spec(rounds=1).model_copy(update={"options": (f"{long}a", f"{long}b"), "question": long})
    held = Played(spec).to_the_end(f"{long}a")
    held.act(ABE, acts.Signed(verdict="accept", option=f"{long}a", affects=(long,) * 5))
    found = read_fields(text_of(held))
    assert (found.chosen, found.affects) == (f"{long}a", (long,))
    # Too long for a name in set-up, which shortens the list in the text.
    assert len(read_decision(Source(id="E1", title="x.md", text=text_of(held))).options.values) < 2


# --- reading back

TEXTS = st.text(min_size=1, max_size=40)
REVIEWS = st.one_of(st.dates(min_value=date(1000, 1, 1)).map(date.isoformat), st.text(max_size=20))
STATED = st.builds(
    lambda text, who: {"text": text, "watched_by": who}, TEXTS.filter(lambda t: bool(t.strip())), st.text(max_size=20)
)


def decided(options: tuple[str, ...], votes: tuple[int, ...]) -> Played:
    """Three seats vote for the options at these places."""
    held = Played(room_spec(rounds=1).model_copy(update={"options": options}))
    chosen = {f"s{seat}": options[place % len(options)] for seat, place in enumerate(votes)}
    while held.state.outcome is None:
        if held.state.paused is not None:
            held.go_on()
        held.play(lambda request: Argument(rationale="why", vote=chosen[request.seat]))
    return held


def last_votes(held: Played) -> dict[str, int]:
    votes = [ballot.choice for ballot in held.state.ballots.values()]
    return {option: votes.count(option) for option in held.state.spec.options}


@examples(60)
@given(
    options=st.lists(TEXTS, min_size=2, max_size=4, unique=True),
    votes=st.tuples(*[st.integers(0, 3)] * 3),
    place=st.integers(0, 3),
    affects=st.lists(st.text(max_size=40), max_size=4),
    reversibility=st.sampled_from(["two-way-door", "one-way-door", None]),
    revisit=REVIEWS,
    assumptions=st.lists(STATED, max_size=3),
    supersedes=st.sampled_from(["", "0001-use-a-broker.md"]),
)
def test_same_decision_comes_back(options, votes, place, affects, reversibility, revisit, assumptions, supersedes):
    try:
        held = decided(tuple(options), votes)
    except InvalidSpec:
        reject()
    option = options[place % len(options)]
    word = {"verdict": "accept", "option": option, "reason": "so", "affects": affects, "revisit": revisit}
    word |= {"reversibility": reversibility, "assumptions": assumptions}
    held.act(ABE, acts.Signed.model_validate(word))
    text = text_of(held, supersedes=supersedes, signing_key=KEY)
    found = read_fields(text)
    tally = last_votes(held)
    assert [(each.name, each.count) for each in found.options] == [(line(o), tally[o]) for o in options]
    assert (found.status, found.chosen) == ("accepted", line(option))
    assert found.affects == tuple(dict.fromkeys(line(part) for part in affects if line(part)))
    assert found.reversibility == (reversibility or "")
    assert found.review_by == exact_date(revisit)
    assert [(each.text, each.watched_by) for each in found.assumptions] == [
        (line(each["text"]) or "(empty)", line(each["watched_by"])) for each in assumptions
    ]
    assert (found.supersedes, found.head, found.key) == (supersedes, held.state.head, KEY)
    names = read_decision(Source(id="E1", title="x.md", text=text)).options.values
    assert names == tuple(map(line, options))
    assert chosen_places(read_document(text), names) == {options.index(option)}


def exact_date(text: str) -> date | None:
    bare = text.strip()
    try:
        read = date.fromisoformat(bare)
    except ValueError:
        return None
    return read if read.isoformat() == bare else None


@pytest.mark.parametrize(
    "front",
    [
        'options: [1, null, {}, {"option": 3}]',
        f"options: {'[' * 100_000}",
        f'options: [{{"option": "a", "votes": {"9" * 10_000}}}]',
        "options: {broken",
        "affects: yes",
        'record: [[]]\nassumptions: "text"',
        "review-by: soon",
    ],
)
def test_foreign_front_matter_is_left_out(front: str):
    assert read_fields(f"---\n{front}\n---\n# Bus\n") == DecisionFields()


def test_fields_of_a_hand_written_record_are_read():
    text = (
        '---\nstatus: accepted # since May\naffects: [{"type": "path", "pattern": "C #/**"}]\n'
        'review-by: 2027-03-01\nassumptions: [{"text": "A \\u00e9", "watched-by": "Ana"}]\n---\n# Bus\n'
    )
    found = read_fields(text)
    assert (found.status, found.affects, found.review_by) == ("accepted", ("C #/**",), date(2027, 3, 1))
    assert found.assumptions == (StatedAssumption("A é", "Ana"),)


# --- people and other readers


def test_anonymous_record_names_no_one_who_watches():
    held = whole_workshop()
    signed(held, assumptions=({"text": "As Ann said to Ben", "watched_by": "Ben"},), affects=("Ann's laptop",))
    text = decision_record(account(held.state, held.events), anonymous=True).text
    assert "Ann" not in text
    assert "Ben" not in text
    assert "As named person 1 said to named person 2" in text


@pytest.mark.parametrize("lang", ["en", "de"])
@pytest.mark.parametrize(
    ("verdict", "status"), [("accept", "accepted"), ("reject", "rejected"), ("escalate", "proposed")]
)
def test_each_profile_is_read_by_its_own_tool(verdict: str, status: str, lang):
    held = signed(argued(), verdict=verdict, option="adopt" if verdict == "accept" else None, reason="so")
    with spoken(lang):
        texts = {profile: text_of(held, profile=profile) for profile in PROFILES}
    assert status_in_backstage(texts["madr"]) == status_in_backstage(texts["madr_minimal"]) == status
    assert status_in_log4brains(texts["log4brains"]) == status
    shown = {"accepted": "accepted", "proposed": "pending", "rejected": "unknown"}
    assert status_in_adr_viewer(texts["nygard"]) == shown[status]


def test_reports_tell_what_the_decision_rests_on():
    held = signed(argued(), **GIVEN)
    for lang, told in (
        (
            "en",
            "reversibility: hard to reverse; assumptions: Load stays below 2,000 a minute (claim 1; watched by Ben)",
        ),
        ("de", "Umkehrbarkeit: schwer umkehrbar; Annahmen: Load stays below 2,000 a minute (Aussage 1; beobachtet"),
    ):
        with spoken(lang):  # type: ignore[arg-type]
            assert told in text_report(account(held.state, held.events))


def test_signature_without_new_fields_keeps_its_bytes():
    plain = acts.Signed(verdict="accept", option="adopt").model_dump_json()
    assert plain == (
        '{"verdict":"accept","option":"adopt","changes":"","reason":"","owner":"","confirmation":"","revisit":"",'
        '"informed":[]}'
    )
