"""Practice debates from files: one custom debate as JSON, or recorded debates between two sides, one a line.

The lines have the format of the published debates of New York University on stories that only the debaters had read
(Michael et al. 2023): `question`, `answers`, `correct_index` and `turns`. Names of debaters and turns of judges are
dropped.
"""

import hashlib
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from pydantic import ConfigDict, Field, StrictBool, StrictInt, StrictStr

from debate_core.errors import InvalidSpec
from debate_core.evaluation.practice import PracticeCase, PracticeTurn, read_case, refuse_unplayable
from debate_core.host.drafts import Drafts
from debate_core.host.uploads import utf8
from debate_core.spec.decode import Undecodable, decode_json
from debate_core.spec.protocol import read
from debate_core.spec.values import MAX_TEXT_CHARS, Value
from debate_core.text import line

MAX_DEBATES = 500
SIDES = ("Debater A", "Debater B")


@dataclass(frozen=True, slots=True)
class PracticeFile:
    """The debates of a file by name, and the number of lines without a debate between two sides."""

    cases: Mapping[str, PracticeCase]
    left_out: int


class _Loose(Value):
    """A value that ignores unknown fields, because lines have more than this module reads."""

    model_config = ConfigDict(frozen=True, extra="ignore")


class _Setting(_Loose):
    isDebate: StrictBool = True  # noqa: N815


class _RecordedTurn(_Loose):
    round: StrictInt = 0
    kind: StrictStr = ""
    role: StrictStr = ""
    text: StrictStr = ""

    @property
    def is_speech(self) -> bool:
        """True if it is text of one of the two sides."""
        return self.kind == "speech" and self.role in SIDES and bool(self.text.strip())


class _RecordedDebate(_Loose):
    id: StrictStr
    question: StrictStr
    answers: tuple[StrictStr, StrictStr]
    correct_index: StrictInt = Field(ge=0, le=1)
    setting: _Setting = _Setting()
    turns: tuple[_RecordedTurn, ...]


def is_practice_file(name: str, data: bytes) -> bool:
    """True if a file has practice debates, and not a record or a script."""
    if name.lower().endswith(".json"):
        first = data
        needed = {"rounds", "right"}
    else:
        first = data.removeprefix(b"\xef\xbb\xbf").lstrip().split(b"\n", 1)[0]
        needed = {"answers", "correct_index"}
    try:
        found = decode_json(first)
    except Undecodable:
        return False
    return isinstance(found, dict) and needed <= found.keys()


def read_practice_file(name: str, data: bytes) -> PracticeFile:
    """The practice debates of a file: `.json` has one custom debate, `.jsonl` recorded ones.

    InvalidSpec names the wrong line; nothing of that file is imported.
    """
    text = utf8(name, data)
    if name.lower().endswith(".json"):
        case = read_case(text)
        refuse_unplayable(case)
        return PracticeFile({_name_of(name.rpartition("/")[2].removesuffix(".json"), case): case}, 0)
    numbered = [(number, row) for number, row in enumerate(text.split("\n"), start=1) if row.strip()]
    if len(numbered) > MAX_DEBATES:
        raise InvalidSpec(
            "{name} has {n_numbered} lines: at most {max_debates} practice debates are read at once",
            name=name,
            n_numbered=len(numbered),
            max_debates=MAX_DEBATES,
        )
    named: dict[str, PracticeCase] = {}
    left_out = 0
    for debate, recorded in _recorded_debates(name, numbered):
        if recorded is None:
            left_out += 1
        else:
            named[_name_of(debate.id, recorded)] = recorded
    if not named:
        raise InvalidSpec("{name} has no debate between two sides with text of both", name=name)
    return PracticeFile(named, left_out)


def keep(drafts: Drafts, found: PracticeFile, *, owner: str = "") -> None:
    """Store these debates for this account or for all; existing ones are unchanged."""
    for name, case in found.cases.items():
        drafts.keep_practice_debate(name, case.model_dump_json(), owner=owner)


def _recorded_debates(
    name: str, numbered: Sequence[tuple[int, str]]
) -> Iterator[tuple[_RecordedDebate, PracticeCase | None]]:
    for number, row in numbered:
        try:
            debate = read(_RecordedDebate, decode_json(row))
            yield debate, _practice_case(debate)
        except InvalidSpec as error:
            raise InvalidSpec(
                "{name}, line {number}: {error}", name=name, number=number, error=error.sentence
            ) from None
        except Undecodable:
            raise InvalidSpec("{name}, line {number}, is no JSON", name=name, number=number) from None


def _practice_case(debate: _RecordedDebate) -> PracticeCase | None:
    """None for a line without a debate, or without text of both sides."""
    said = [turn for turn in debate.turns if turn.is_speech]
    sides = {turn.role for turn in said}
    if not debate.setting.isDebate or len(sides) < len(SIDES):
        return None
    options = tuple(line(answer) for answer in debate.answers)
    numbers = sorted({turn.round for turn in said})
    rounds = tuple(tuple(_practice_turn(said, number, side) for side in SIDES) for number in numbers)
    value = {
        "question": line(debate.question),
        "options": options,
        "rounds": rounds,
        "right": options[debate.correct_index],
    }
    case = read(PracticeCase, value)
    refuse_unplayable(case)
    return case


def _practice_turn(said: Sequence[_RecordedTurn], number: int, side: str) -> PracticeTurn:
    texts = [turn.text.strip() for turn in said if turn.round == number and turn.role == side]
    text = "\n\n".join(texts).replace("<quote>", "“").replace("</quote>", "”")
    if len(text) > MAX_TEXT_CHARS:
        raise InvalidSpec(
            "round {number} of {side} has {n_text} characters, at most {max_text_chars} are read",
            number=number,
            side=side,
            n_text=len(text),
            max_text_chars=MAX_TEXT_CHARS,
        )
    return PracticeTurn(text=text)


def _name_of(title: str, case: PracticeCase) -> str:
    """`the-great-nebraska-sea-0-1f2e3d4c`: title and digest of the debate."""
    digest = hashlib.sha256(case.model_dump_json().encode()).hexdigest()[:8]
    return f"{re.sub('[^A-Za-z0-9_-]+', '-', title)[:100]}-{digest}"
