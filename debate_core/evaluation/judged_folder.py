"""Judged questions of a team in one folder: tables of questions, and decision records with a hidden choice."""

from dataclasses import dataclass
from pathlib import Path

from debate_core.errors import InvalidSpec
from debate_core.evaluation.decided_records import UnusableRecord, read_records
from debate_core.evaluation.questions import COLUMNS, JudgedQuestion, read_questions


@dataclass(frozen=True, slots=True)
class JudgedFolder:
    """Questions, those of tables first; and the excluded records with the reason."""

    questions: tuple[JudgedQuestion, ...]
    left_out: tuple[UnusableRecord, ...]


def read_folder(folder: Path) -> JudgedFolder:
    """All judged questions of a folder. InvalidSpec for a table that is wrong, and where no question is left."""
    asked = {question.question.casefold(): question for question in read_questions(folder)}
    left_out: list[UnusableRecord] = []
    for file, found in read_records(folder):
        if isinstance(found, UnusableRecord):
            left_out.append(found)
        elif found.question.casefold() in asked:
            left_out.append(UnusableRecord(file, "has the same question as another file of the folder"))
        else:
            asked[found.question.casefold()] = found
    if asked:
        return JudgedFolder(tuple(asked.values()), tuple(left_out))
    if left_out:
        raise InvalidSpec(
            f"{folder} has no usable decision record: {left_out[0].sentence[:-1]}"
            + (f", and {len(left_out) - 1} more are left out" if left_out[1:] else "")
        )
    raise InvalidSpec(
        f"{folder} holds neither labelled sets nor questions: a .csv file with the columns {', '.join(COLUMNS)} or "
        "decision records in Markdown are needed; docs/command-line.md lists the labelled sets"
    )
