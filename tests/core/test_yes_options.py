"""The closed line of a text, and the option that means yes: how both are read, marked and recorded."""

import json
from pathlib import Path

import pytest

from debate_core.__main__ import main
from debate_core.engine.proposition import asks_yes_or_no, option_for_yes
from debate_core.engine.stance_detection import argued_by, argued_option
from debate_core.errors import InvalidSpec
from debate_core.record.commands import TakeTurn
from debate_core.record.events import DebateOpened, TurnTaken, parse_record
from debate_core.seats.prompts import prompt_for
from debate_core.seats.scripted import script_from_record, spec_of
from debate_core.spec.contents import Argument, Claim
from debate_core.spec.presets import compose, protocol
from debate_core.spec.values import Seat
from debate_core.ui.setup.draft import SetupDraft, example
from debate_core.ui.setup.mapping import draft_of, spec_from
from tests.playing import Played
from tests.prompt_views import seen_in

QUESTION = "Should the depot move to electric vans before winter?"
OPTIONS = ("adopt", "defer")
CASES = Path(__file__).resolve().parents[3] / "shared" / "cases" / "models"


@pytest.mark.parametrize(
    ("line", "argued"),
    [
        ("My position: defer", "defer"),
        ("My position: **Defer**.", "defer"),
        ("**My position:** defer", "defer"),
        ('- My position: "defer"', "defer"),
        ("My position: `defer` ", "defer"),
        ("MY POSITION = DEFER", "defer"),
        ("Meine Position: defer", "defer"),
        ("My position: none", None),
        ("My position: neither", None),
        ("My position: adopt\n\nMy position: defer", "defer"),
    ],
)
def test_closed_line_is_read_before_the_prose(line: str, argued: str | None):
    text = f"We should adopt it, and I recommend to adopt it soon.\n{line}"
    assert argued_option(text, OPTIONS) == argued


def test_closed_line_of_none_is_an_option_where_one_is_called_so():
    assert argued_option("It is of no use.\nMy position: none", ("some", "none")) == "none"


@pytest.mark.parametrize(
    ("text", "argued"),
    [
        ("Adopt the vans.", "adopt"),
        ("Move to electric vans before winter. The range is enough.", "adopt"),
        ("Adopt them.", "adopt"),
        ("The depot should move to electric vans.", "adopt"),
        ("The depot should not move to electric vans this winter.", "defer"),
        ("My position: Move to electric vans before winter. The vans are crucial.", "adopt"),
        ("Electric vans are the right choice.", "adopt"),
        ("Defer the move to electric vans.", "defer"),
        ("Moving to electric vans takes a year.", None),
        ("Adopting electric vans costs a year.", None),
        ("Adoption of electric vans costs a year.", None),
        ("Waiting keeps the risk until January.", None),
        ("Delays cost more than electric vans.", None),
        ("Deferring is cheap.", None),
        ("The depot should have moved to electric vans in April.", None),
        ("I would have moved to electric vans in April.", None),
        ("The depot should be insulated before it moves to electric vans.", None),
        ("If the price falls, the depot should move to electric vans.", None),
        ("The vendor says that the depot should move to electric vans.", None),
        ("Should the depot move to electric vans before winter?", None),
        ("Adopt electric vans and you lose the long routes.", None),
    ],
)
def test_words_of_the_question_name_the_option_for_yes(text: str, argued: str | None):
    assert argued_by(Argument(rationale=text), OPTIONS, QUESTION) == argued


@pytest.mark.parametrize(
    ("question", "options", "yes"),
    [
        (QUESTION, OPTIONS, "adopt"),
        ("Should we drop the fax line?", ("drop it", "keep it"), "drop it"),
        ("Is it time to sell the boat?", ("yes", "no"), "yes"),
        ("Sollen wir das Lager verkaufen?", ("zustimmen", "ablehnen"), "zustimmen"),
        ("Should we move north?", ("a", "b"), None),
        ("Build or buy?", ("build", "buy"), None),
        ("Should we build or buy?", ("build", "buy"), None),
        ("Which van do we take?", ("adopt", "defer"), None),
    ],
)
def test_option_for_yes_follows_from_words_alone(question: str, options: tuple[str, ...], yes: str | None):
    assert option_for_yes(question, options) == yes


def test_marked_yes_beats_the_words_and_none_turns_it_off():
    text = "The depot should move to electric vans."
    assert argued_option(text, ("a", "b"), QUESTION) is None
    assert argued_option(text, ("a", "b"), QUESTION, "b") == "b"
    assert argued_option(text, OPTIONS, QUESTION, "defer") == "defer"
    assert argued_option(text, OPTIONS, QUESTION, "") is None


def spec(yes: str | None = None):
    seats = [Seat(id=name, occupant="human", commitment="open") for name in ("ana", "bo")]
    return compose(QUESTION, ("go", "wait"), protocol("bounded_vote"), seats, yes_option=yes)


@pytest.mark.parametrize(("yes", "argued"), [("go", "go"), ("", None), (None, "go")])
def test_turn_records_the_option_that_its_words_argue_for(yes: str | None, argued: str | None):
    played = Played(spec(yes))
    said = Argument(rationale="The depot should move, and soon.", vote="wait", claims=(Claim(text="Diesel is dear."),))
    events = played.do(TakeTurn(by="ana", request=played.requests()[0].id, content=said)).events
    taken = [event.body for event in events if isinstance(event.body, TurnTaken)]
    assert taken[0].argues_for == argued


def test_marked_yes_must_be_one_of_the_options():
    with pytest.raises(
        InvalidSpec, match="the option that means yes is 'maybe', which is none of the options: go, wait"
    ):
        spec("maybe")


def test_seats_are_told_which_option_means_yes():
    seen = seen_in("opening")
    assert 'The options: "move", "stay"; "move" means yes\n' in prompt_for(seen).blocks[0]


def test_command_line_marks_the_yes_and_a_script_keeps_it(tmp_path: Path):
    file = str(tmp_path / "r.jsonl")
    flags = ["run", QUESTION, "--options", "a,b", "--yes-option", "b", "--offline", "--out", file]
    assert main(flags) == 3
    events = parse_record(Path(file).read_bytes())
    opened = events[0].body
    assert isinstance(opened, DebateOpened)
    assert opened.spec.yes_option == "b"
    script = script_from_record(events)
    assert spec_of(script).yes_option == "b"
    assert spec_of(script, options=("c", "d")).yes_option is None
    assert main(["run", QUESTION, "--options", "a,b", "--yes-option", "c", "--offline"]) == 2


def test_stances_are_the_options_where_none_are_given(tmp_path: Path):
    file = str(tmp_path / "r.jsonl")
    seats = ["--seat", "ana=sell the boat", "--seat", "bo=keep the boat", "--seat", "cy=Keep the boat"]
    main(["run", "What becomes of the boat?", "--protocol", "stance_judge", *seats, "--offline", "--out", file])
    opened = parse_record(Path(file).read_bytes())[0].body
    assert isinstance(opened, DebateOpened)
    assert [option.casefold() for option in opened.spec.options] == ["sell the boat", "keep the boat"]


def test_draft_keeps_the_marked_yes():
    draft = example(QUESTION, ("go", "wait")).model_copy(update={"yes_option": "wait"})
    marked = spec_from(draft)
    assert marked.yes_option == "wait"
    assert draft_of(marked).yes_option == "wait"
    renamed = example(QUESTION, ("go", "stay")).model_copy(update={"yes_option": "wait"})
    assert spec_from(renamed).yes_option is None
    assert isinstance(draft, SetupDraft)


@pytest.mark.skipif(not CASES.is_dir(), reason="the cases beside the project are not here")
def test_texts_of_a_small_model_are_read():
    case = json.loads((CASES / "text-against-ballot-imperative.json").read_text("utf-8"))
    for text in case["texts"]:
        assert argued_by(Argument(rationale=text), case["options"], case["question"]) == "adopt"
    assert asks_yes_or_no(case["question"])
    for text in case["texts"][:2]:
        assert argued_by(Argument(rationale=text), case["options"]) == "adopt"
