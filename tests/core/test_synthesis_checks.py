"""Checks of a synthesis line: links first, then figures and names, then words."""

import json
from dataclasses import dataclass
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from debate_core.engine.engine import requests
from debate_core.engine.similarity import sentences
from debate_core.language import Language, spoken
from debate_core.record.acts import Struck
from debate_core.record.commands import TakeTurn
from debate_core.report.facts import named_entities as facts
from debate_core.report.facts.synthesis import synthesis_findings
from debate_core.report.facts.synthesis_checks import NOBODY, Checked, Ground, GroundPassage, check, covered, ground_of
from debate_core.spec.contents import Argument, Claim, Evaluation, Linked, Strongest, Synthesis
from debate_core.spec.protocol import Phase
from debate_core.spec.rules import MaxRounds, Plurality
from debate_core.spec.values import Source
from tests.by_hand import ASSESS, OPEN, small, small_spec
from tests.people import FAY, room_spec
from tests.playing import Played

SPEED = "The new queue handled 4,000 messages per second in our load test, and the old one did not keep up."
COST = "Running Kafka costs $900 a month; nobody on the team has operated it."


def ground(**said: str) -> Ground:
    """Claims of one sentence each, every one a turn of its own."""
    return Ground({i: GroundPassage(i, text, text, struck=False) for i, text in said.items()}, frozenset(), {})


def kinds(checked: Checked) -> list[list[str]]:
    return [[r.kind for r in line.remarks] for line in checked.lines]


def checked(given_ground: Ground, *lines: tuple[str, str]) -> Checked:
    """Established lines, each with its links."""
    established = tuple(Linked(text=text, links=tuple(links.split())) for text, links in lines)
    return check(given_ground, Synthesis(answer="Nothing.", established=established), ())


@pytest.mark.parametrize("language", ["en", "de"])
def test_an_unsupported_option_needs_no_link(language: Language):
    """It is on record in English: what code says of it does not depend on the language of a screen."""
    given_ground = ground(**{"a.1.1": SPEED})
    with spoken(language):
        found = check(given_ground, Synthesis(answer="No.", strongest=(Strongest(option="b", text=NOBODY),)), ("b",))
    assert found.blocking() == ()
    assert kinds(found)[-1] == []


@pytest.mark.parametrize(
    ("line", "links", "found"),
    [
        (SPEED, "speed", []),
        ("In a load test the queue handled 4000 messages/s.", "speed", []),
        ("It is quick.", "", ["unlinked"]),
        ("It is quick.", "nobody.9.9", ["unknown_claim"]),
        (SPEED, "speed nobody.9.9", ["unknown_claim"]),
        ("The new queue handled 9,000 messages per second.", "speed", ["not_said"]),
        ("The new queue handled 40 % more messages.", "speed", ["not_said"]),
        ("They ran Kafka for all messages of the load test.", "speed", ["not_in_links"]),
        ("The queue costs $900 and $700 a month in the load test.", "speed", ["not_said", "not_in_links"]),
        ("Gardeners water their roses before breakfast.", "speed", ["thin"]),
        # A share of fewer than three words says nothing.
        ("Gardeners water roses.", "speed", ["thin"]),
        ("Gardeners sleep.", "speed", []),
        ("The new queue did not handle 4,000 messages per second in our load test.", "speed", ["polarity"]),
        ("Running Kafka costs $900 a month; somebody on the team has operated it.", "cost", ["polarity"]),
        (COST, "cost speed", []),
        # Without a link nothing is said of what the links have.
        ("They ran Kafka for all messages of the load test.", "", ["unlinked"]),
        ("Gardeners water their roses before breakfast.", "", ["unlinked"]),
        # Two of five words are just enough.
        ("Queue messages water gardens quietly.", "speed", []),
        ("Queue messages water gardens quietly tonight.", "speed", ["thin"]),
    ],
)
def test_each_kind_of_remark(line, links, found):
    # R194
    told = checked(ground(speed=SPEED, cost=COST), (line, links))
    assert kinds(told) == [[], found]
    # What else is found is a person's to answer for.
    assert len(told.blocking()) == len({"unlinked", "unknown_claim"} & {*found})


def test_a_line_that_inverts_its_claim_is_amber_and_names_it():
    said = ground(a="The migration reduces the load on the team.", b="Costs increase after the first year.")
    told = checked(
        said, ("The migration never reduces the load on the team.", "a"), ("Costs decrease after the first year.", "b")
    )
    assert kinds(told)[1:] == [["polarity"], ["polarity"]]
    assert told.lines[1].remarks[0].sentence == (
        "may reverse what it links: “The migration reduces the load on the team.”"
    )
    assert [line.has("red") or line.has("blocks") for line in told.lines] == [False, False, False]


@pytest.mark.parametrize(("months", "shown"), [("twelve", "twelve months.”"), ("fifteen", "fifteen month…”")])
def test_an_inverted_claim_is_shown_up_to_ninety_characters(months: str, shown: str):
    claim = f"The migration reduces the load on the team of the database by a half within {months} months."
    told = checked(ground(a=claim), (claim.replace("reduces", "never reduces"), "a"))
    assert told.lines[-1].remarks[0].sentence.endswith(shown)


def test_the_answer_names_nothing_that_nobody_said():
    said = ground(speed=SPEED)
    given_now = Synthesis(answer="The queue is fast. It saves 40 % of the cost.")
    told = check(said, given_now, ())
    assert [(line.section, line.text, [r.sentence for r in line.remarks]) for line in told.lines] == [
        ("answer", "The queue is fast.", []),
        ("answer", "It saves 40 % of the cost.", ["not said by anyone: 40 %"]),
    ]


def test_unlinked_lines_and_an_option_without_an_argument_block():
    strongest = (Strongest(option="adopt", text=SPEED, links=("speed",)), Strongest(option="defer", text=" ", links=()))
    given_now = Synthesis(answer="So.", strongest=strongest, contested=(Linked(text="Bare"),))
    told = check(ground(speed=SPEED), given_now, ("adopt", "defer", "reject"))
    assert told.one_sided == ("defer", "reject")
    assert told.blocking() == (
        "“” is not linked to a claim or turn: link one",
        "“Bare” is not linked to a claim or turn: link one",
        "defer has no strongest argument: write one, or choose “No one argued for defer”",
        "reject has no strongest argument: write one, or choose “No one argued for reject”",
    )


def test_the_ground_of_a_debate_includes_ways_to_name_claims():
    held = Played(room_spec(rounds=1))
    held.go_on()
    held.play()
    turns = held.state.all_turns()
    found = ground_of(held.state, turns)
    assert "1.opening.s0" in found.passages
    assert [found.named(t) for t in (" 1.OPENING.s0 ", "1.opening.s0.1", "nobody.1.1")] == [
        "1.opening.s0",
        "1.opening.s0",
        "nobody.1.1",
    ]


def test_a_claim_is_named_by_the_letter_of_its_seat_too():
    held = Played(room_spec(rounds=1))
    held.go_on()
    state = held.state
    for request in requests(state):
        content = Argument(rationale=SPEED, claims=(Claim(text=COST),), vote="adopt")
        held.do(TakeTurn(by=request.seat, request=request.id, content=content))
    found = ground_of(held.state, held.state.turns)
    assert (found.named("b1.1"), found.named("S1.1.1")) == ("s1.1.1", "s1.1.1")
    assert found.passages["s1.1.1"].whole == f"{SPEED}\n{COST}\n"
    assert [found.passages[i].number for i in ("1.opening.s1", "s0.1.1", "s1.1.1")] == [0, 1, 2]
    assert found.passages["s1.1.1"].point == COST
    held.act(FAY, Struck(turn="1.opening.s1", reason="off topic"))
    after = ground_of(held.state, held.state.turns)
    struck = check(after, Synthesis(answer="So.", established=(Linked(text=COST, links=("s1.1.1",)),)), ())
    assert [(r.kind, r.what) for r in struck.lines[1].remarks] == [("struck", ("s1.1.1",))]


def test_what_was_struck_was_not_said_but_by_whoever_links_it():
    said = ground(speed=SPEED)
    struck = GroundPassage("cost", COST, COST, struck=True)
    given_ground = Ground({**said.passages, "cost": struck}, frozenset(), {})
    line = "Kafka costs $900 a month in our load test."
    assert kinds(checked(given_ground, (line, "speed")))[1] == ["not_said"]
    assert kinds(checked(given_ground, (line, "speed cost")))[1] == ["struck"]


def test_lines_are_compared_with_quotes_and_other_turns():
    page = Source(id="log", title="Log", text="It says: the migration reduces the load on the team.")
    spec = small_spec(OPEN, n=2, rounds=1, after=(ASSESS,), decide=Plurality(), stop=(MaxRounds(),))
    held = Played(spec.model_copy(update={"sources": (page,)}))
    quote = "the migration reduces the load on the team."
    held.say(Argument(rationale="why", vote="a", claims=(Claim(text="It helps.", quote=quote, source_id="log"),)))
    unresolved = ({"text": "Who pays?", "links": ("s0.1.1",)},)
    held.say("a").say(
        Evaluation.model_validate({"synthesis": "Thin.", "unresolved": unresolved, "uncertainties": ["load"]})
    )
    found = ground_of(held.state, held.state.all_turns())
    assert found.passages["s0.1.1"].point == f"It helps. {quote}"
    assert found.passages["1.assess.evaluator"].whole.split("\n") == ["Thin.", "Who pays?", "s0.1.1", "load"]


@pytest.mark.parametrize(
    ("lines", "told"),
    [
        ((SPEED, COST), []),
        # What only differs in its words is marked at its line, and is no finding.
        (("Gardeners water their roses before breakfast.",), []),
        (("-Bare.", SPEED), []),
        (("-Bare.", "-It is quick."), ["No line of the synthesis is linked to a claim or turn."]),
        (
            ("The new queue handled 9,000 messages per second.", COST),
            ["1 line of the synthesis contains facts that no one stated: 9000."],
        ),
        (
            ("The queue saves 40 % and 50 % of it.", "Kafka saves 40 % of the cost."),
            ["2 lines of the synthesis contain facts that no one stated: 40 %, 50 %."],
        ),
    ],
)
def test_findings_of_all_lines_are_listed_for_the_reader(lines: tuple[str, ...], told: list[str]):
    """A line with a dash before it has no link."""
    last = Phase(name="synthesis", gives="synthesis", role="synthesiser")
    held = small(OPEN, n=2, rounds=1, after=(last,), decide=Plurality(), stop=(MaxRounds(),))
    assert synthesis_findings(held.state) == ()
    held.say(Argument(rationale="Measured.", claims=(Claim(text=SPEED),), vote="a"))
    held.say(Argument(rationale="Counted.", claims=(Claim(text=COST),), vote="a"))
    links = ("s0.1.1", "s1.1.1")
    given_lines = tuple(Linked(text=text.lstrip("-"), links=() if text[0] == "-" else links) for text in lines)
    held.say(Synthesis(answer="So.", established=given_lines, option="a"))
    found = synthesis_findings(held.state)
    assert [finding.sentence for finding in found] == told
    assert {finding.turns for finding in found} <= {("1.synthesis.synthesiser.1",)}


sentences_said = st.lists(
    st.sampled_from(
        ["40", "%", "ms", "$5", "Kafka", "not", "the", "p95", "in", "March", "2024", "v2", "queue.", "AWS"]
    ),
    min_size=1,
    max_size=25,
).map(" ".join)


@given(st.lists(sentences_said, min_size=1, max_size=4), st.data())
def test_exact_copies_of_what_was_said_are_never_red(said, data):
    passages = ground(**{f"s{i}": text for i, text in enumerate(said)})
    which = data.draw(st.integers(0, len(said) - 1))
    tokens = said[which].split()
    first = data.draw(st.integers(0, len(tokens) - 1))
    copy = " ".join(tokens[first : data.draw(st.integers(first + 1, len(tokens)))])
    told = checked(passages, (copy, f"s{which}"))
    assert not any(line.has("red") or line.has("amber") for line in told.lines)


@given(st.lists(sentences_said, min_size=1, max_size=4), st.integers(0, 10**6), st.sampled_from(["%", "GB", "hours"]))
def test_a_planted_number_is_always_red(said, number, unit):
    passages = ground(**{f"s{i}": "".join(c for c in text if not c.isdigit()) for i, text in enumerate(said)})
    told = checked(passages, (f"{said[0]} and then {number} {unit}", "s0"))
    assert told.red() != ()


# --- measured on debates between people


@dataclass(frozen=True)
class RealDebate:
    title: str
    frame: frozenset[str]
    speeches: list[str]
    judged: list[str]
    quotes: list[str]


@pytest.fixture
def debates(shared: Path) -> list[RealDebate]:
    """Forty debates on stories (Michael et al. 2023): speeches with quotes picked from the text, judges' words."""
    path = shared / "data" / "nyu" / "sample_40.jsonl"
    if not path.exists():
        pytest.skip("the public debates are not here")
    found = []
    for line in path.read_text(encoding="utf-8").splitlines():
        told = json.loads(line)
        turns = told["turns"]
        speeches = [t["text"].replace("<quote>", "“").replace("</quote>", "”") for t in turns if t["kind"] == "speech"]
        judged = [s for t in turns if t["kind"] == "judge" and t["round"] > 1 for s in sentences(t["text"])]
        quotes = [q["text"] for t in turns for q in t.get("quotes") or []]
        frame = facts.vocabulary([told["question"], *told["answers"], told["title"], *told["roles"]])
        found.append(RealDebate(told["title"], frame, speeches, judged, quotes))
    return found


@pytest.mark.slow
def test_real_quotes_are_never_red_and_planted_numbers_always(debates):
    quotes = [(q, d.speeches) for d in debates for q in d.quotes]
    assert len(quotes) == 539
    assert [q for q, said in quotes if facts.missing(f"It was said that {q}", said)] == []
    planted = [f"{q} That is 40.7 %." for q, _ in quotes]
    assert [p for p, (_, said) in zip(planted, quotes, strict=True) if "40.7 %" not in facts.missing(p, said)] == []


def test_amber_flags_foreign_sentences_and_few_honest_ones(debates):
    honest, foreign = [], []
    for i, debate in enumerate(debates):
        others = [o for s in (7, 13, 21) if (o := debates[(i + s) % len(debates)]).title != debate.title]
        shares = [covered(s, debate.speeches) for s in debate.judged]
        honest += [c >= 0.3 for c in shares if c is not None]
        away = [covered(s, o.speeches) for o in others for s in debate.judged]
        foreign += [c < 0.3 for c in away if c is not None]
    assert (round(sum(honest) / len(honest), 2), round(sum(foreign) / len(foreign), 2)) == (0.73, 0.88)


HONEST = (
    "The planner shows in planner.1.1 that the rollback takes four hours.",
    "[planner.1.1, critic.2.2] settle the cost.",
    "Claims 1.1 and 2.2 were not answered.",
    "The critic (2.2) concedes that the import is slow.",
    "Round 2 brought the better argument.",
    "R2 was about the import alone.",
    "In rounds 1 and 2 the rollback was the issue.",
    "Turn 3 repeats turn 1.",
    "By 2 of 3 votes the panel prefers release.",
    "They voted 2 to 1 for release.",
    "The vote ended 2-1.",
    "2 out of 3 debaters preferred to wait.",
    "The critic made 2 claims and answered 1 of 3.",
    "3. The rollback takes four hours.",
    "3.",
    "2) The import is slow",
    "The issues were (1) the rollback and (2) the import.",
    "- 1. The rollback",
    "Point 1 stands, points 2-3 fall.",
    "Option 2 is the cautious one.",
    "The 2nd round added nothing.",
    "See 2.speech.critic for the figures.",
)
PLANTED = (
    "Round 2 showed 12 % more load.",
    "planner.9.9 says so.",
    "Claim 7.3 settles it.",
    "Round 40 settles it.",
    "The rollback takes 4 hours and 17 minutes.",
    "By 2 of 3 votes they spent $900.",
    "2. It costs 55 USD per month.",
    "In turn 3 the critic named 1,250 customers.",
    "The vote was 31 to 12.",
    "It failed on 2023-05-02 in round 1.",
    "R2 was held at Frankfurt.",
)


def debate_ground() -> Ground:
    said = "The rollback takes four hours. The import is slow, and the panel prefers to wait or to release."
    ids = ("planner.1.1", "planner.1.2", "critic.2.1", "critic.2.2", "1.speech.planner", "2.speech.critic")
    names = facts.vocabulary(["The planner and the critic", "release", "wait"])
    return Ground({i: GroundPassage(i, said, said, struck=False) for i in ids}, names, {i: i for i in ids})


@pytest.mark.parametrize("line", HONEST)
def test_what_points_at_the_debate_is_no_fact_that_nobody_said(line: str):
    # R194
    ground = debate_ground()
    found = check(ground, Synthesis(answer=line, established=(Linked(text=line, links=(*ground.passages,)),)), ())
    assert [r.what for checked in found.lines for r in checked.remarks if r.level == "red"] == []


@pytest.mark.parametrize("line", PLANTED)
def test_what_was_planted_beside_a_reference_is_still_found(line: str):
    # R194
    ground = debate_ground()
    found = check(ground, Synthesis(answer=line, established=(Linked(text=line, links=(*ground.passages,)),)), ())
    assert [checked.section for checked in found.red()] == ["answer", "established"]
