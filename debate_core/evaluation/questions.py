"""A team's own questions with their right answers, from CSV files of one folder."""

import csv
import io
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import get_args

from debate_core.csv_text import separated
from debate_core.errors import InvalidSpec
from debate_core.host.uploads import utf8
from debate_core.spec.values import TaskType

COLUMNS = ("question", "options", "answer")
BETWEEN_OPTIONS = "|"
_TASKS: Mapping[str, TaskType] = {task: task for task in get_args(TaskType)}


@dataclass(frozen=True, slots=True)
class JudgedQuestion:
    """A question with its right answer; `background` is a document for all seats, or empty."""

    question: str
    options: tuple[str, ...]
    answer: str
    task: TaskType | None = None
    background: str = ""


def read_questions(folder: Path) -> tuple[JudgedQuestion, ...]:
    """The questions of all .csv files of a folder, by file and line. InvalidSpec names the first wrong line."""
    found: dict[str, str] = {}
    questions: list[JudgedQuestion] = []
    for path in sorted(folder.glob("*.csv")):
        for line, cells in _rows(path):
            where = f"{path.name}, line {line}"
            asked = _question(cells, where)
            key = asked.question.casefold()
            if key in found:
                raise InvalidSpec(f"{where}, has the same question as {found[key]}: give each question once")
            found[key] = where
            questions.append(asked)
    return tuple(questions)


def _rows(path: Path) -> Iterator[tuple[int, dict[str, str]]]:
    columns: list[str] = []
    for number, cells in _lines(path):
        if not columns:
            columns = [name.casefold() for name in cells]
            missing = [name for name in COLUMNS if name not in columns]
            if missing:
                raise InvalidSpec(f"{path.name} has no column {missing[0]!r}: it needs {', '.join(COLUMNS)}")
        elif any(cells[len(columns) :]):
            raise InvalidSpec(
                f"{path.name}, line {number}, has more cells than columns: put quotes around a cell that has a comma"
            )
        else:
            yield number, dict(zip(columns, cells, strict=False))


def _lines(path: Path) -> Iterator[tuple[int, list[str]]]:
    """Number and cells of each line that is not empty."""
    table, separator = separated(utf8(path.name, path.read_bytes()), COLUMNS)
    reader = csv.reader(io.StringIO(table), delimiter=separator, strict=True)
    try:
        for row in reader:
            cells = [cell.strip() for cell in row]
            if any(cells):
                yield reader.line_num, cells
    except csv.Error as error:
        raise InvalidSpec(f"{path.name}, line {reader.line_num}, is no CSV: {error}") from None


def _question(cells: Mapping[str, str], where: str) -> JudgedQuestion:
    for name in COLUMNS:
        if not cells.get(name):
            raise InvalidSpec(f"{where}, has no {name}: each question needs {', '.join(COLUMNS)}")
    options = tuple(filter(None, map(str.strip, cells["options"].split(BETWEEN_OPTIONS))))
    folded = [option.casefold() for option in options]
    is_each_once = len(set(folded)) == len(folded)
    if len(folded) < 2 or not is_each_once:
        raise InvalidSpec(f"{where}, needs two options or more, each once, with {BETWEEN_OPTIONS} between them")
    answer = cells["answer"].casefold()
    if answer not in folded:
        raise InvalidSpec(f"{where}: the answer {cells['answer']!r} is none of its options: {', '.join(options)}")
    task = cells.get("task", "").casefold()
    if task and task not in _TASKS:
        raise InvalidSpec(f"{where}: there is no task {cells['task']!r}, only {', '.join(_TASKS)}")
    right = options[folded.index(answer)]
    return JudgedQuestion(cells["question"], options, right, _TASKS.get(task), cells.get("background", ""))
