"""Decision records as judged questions: the question, the hidden answer, and the records left out."""

from pathlib import Path

import pytest

from debate_core.errors import InvalidSpec
from debate_core.evaluation.decided_records import read_folder
from debate_core.evaluation.questions import JudgedQuestion

RECORDS = Path(__file__).resolve().parents[1] / "decided"

LEFT_OUT = {
    "0005-one-option.md": "names fewer than two options",
    "0006-superseded.md": "has a choice that did not hold: its status is superseded",
    "0007-proposed.md": "has decided nothing yet: its status is proposed",
    "0008-no-choice.md": "does not clearly name one chosen option",
    "0009-title-tells.md": "names the chosen option in its title and has no neutral context",
    "0010-both.md": "does not clearly name one chosen option",
    "0011-two-outcomes.md": "records more than one decision",
    "0012-option-tells.md": "reveals the chosen option in the name of an option",
    "0013-twice.md": "has the same question as another file of the folder",
}


def test_a_record_gives_its_question_and_the_choice_apart():
    asked = read_folder(RECORDS).questions
    assert [(q.question, q.answer) for q in asked] == [
        ("Which option is best here? An order must be published once it is stored.", "Outbox table"),
        ("Where do sessions live?", "The database that is there"),
        (
            "Which option is best here? Payments fail at night, and each retry of a client may charge twice.",
            "Retry in a queue",
        ),
        ("Which search should the shop have?", "A server of its own"),
    ]
    for question in asked:
        assert question.options == tuple(sorted(question.options, key=str.casefold))
    assert "each request reads a row" in asked[1].background
    assert "Criteria of a good decision: Nothing gets lost; Few moving parts." in asked[0].background


def test_what_was_decided_is_nowhere_in_what_is_asked():
    for question in read_folder(RECORDS).questions:
        assert "secret" not in f"{question.question} {question.options} {question.background}".casefold()


def test_a_record_that_cannot_be_used_is_named_with_its_reason():
    assert {one.file: one.reason for one in read_folder(RECORDS).left_out} == LEFT_OUT


def one_record(folder: Path, outcome: str, title: str = "Bus") -> JudgedQuestion:
    (folder / "r.md").write_text(
        f"# {title}\n## Options\n- Kafka\n- Kafka Streams\n- RabbitMQ for all teams\n## Decision Outcome\n{outcome}\n",
        "utf-8",
    )
    return read_folder(folder).questions[0]


@pytest.mark.parametrize(
    ("outcome", "answer"),
    [
        ('Chosen option: "Kafka Streams", because it is more than Kafka.', "Kafka Streams"),
        ("**Chosen option:** `Kafka`; RabbitMQ for all teams was not fast enough.", "Kafka"),
        ("Chosen option: Option #3", "RabbitMQ for all teams"),
        ('* Chosen option: "RabbitMQ"', "RabbitMQ for all teams"),
        ("Kafka Streams was selected over Kafka.", "Kafka Streams"),
        ("We will not use Kafka. We use Kafka Streams.", "Kafka Streams"),
        ("### Option 1: Kafka\nIt is known.", "Kafka"),
    ],
)
def test_a_choice_is_known_in_the_words_of_many_writers(outcome: str, answer: str, tmp_path: Path):
    assert one_record(tmp_path, outcome).answer == answer


@pytest.mark.parametrize(
    "outcome",
    [
        "Chosen option: Option 1.2",
        "Chosen option: Option 7",
        "Chosen option: none",
        "Chosen option: Pulsar\n\nWe will use Kafka elsewhere.",
        "Kafka is fast, and RabbitMQ for all teams is known.",
        "Kafka is fast.",
        "We will use Kafka or RabbitMQ for all teams.",
    ],
)
def test_no_choice_is_guessed(outcome: str, tmp_path: Path):
    with pytest.raises(InvalidSpec, match="does not clearly name one chosen option"):
        one_record(tmp_path, outcome)


@pytest.mark.parametrize(
    ("title", "is_fair"),
    [
        ("Kafka, Kafka Streams, or RabbitMQ?", False),  # "Kafka" has no word of its own beside "Kafka Streams"
        ("RabbitMQ or streams", False),
        ("RabbitMQ for teams", False),
        ("Message bus", True),
        ("We selected a bus", False),
    ],
)
def test_a_title_that_speaks_of_the_choice_alone_is_not_asked(title: str, is_fair: bool, tmp_path: Path):
    if is_fair:
        assert one_record(tmp_path, "Chosen option: RabbitMQ for all teams", title).question == title
        return
    with pytest.raises(InvalidSpec, match=r"r\.md names the chosen option in its title"):
        one_record(tmp_path, "Chosen option: RabbitMQ for all teams", title)


def test_real_records_are_asked_as_far_as_their_choice_is_plain(shared: Path):
    """Read by hand: of 27 records 4 have several options, one choice that was accepted, and a title without it."""
    found = read_folder(shared / "data" / "adr")
    assert {question.answer for question in found.questions} >= {
        "Change IFunctionFilter signature by adding next delegate",
        "Independent Connectors from Start",
        "Keep As-Is",
        "IChatClient implementation per orchestration strategy",
    }
    assert len(found.left_out) <= 23
