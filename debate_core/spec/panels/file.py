"""The panel file: its lines and panels, and a reader that reports errors with line numbers.

Pure: text in, values out. It knows no seats and no model by name.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Annotated, TypeVar

from pydantic import Field, ValidationError

from debate_core.errors import InvalidSpec
from debate_core.sentence import Sentence
from debate_core.spec.decode import Undecodable, decode_toml
from debate_core.spec.dialects import VENDOR_DIALECTS
from debate_core.spec.models import ModelLine
from debate_core.spec.panels.addresses import check_base_url
from debate_core.spec.protocol import first_problem
from debate_core.spec.values import Line, SeatId, Value

V = TypeVar("V", bound=Value)
OWN_FIELDS = ("model", "messages", "input", "instructions", "system", "stream")
"""Fields that a call sets itself; no line of a file may override them."""


class Panel(Value):
    """A set of models: debaters in turn over the seats; without a synthesiser one of the debaters is chosen."""

    name: SeatId
    title: Line = ""
    debaters: Annotated[tuple[SeatId, ...], Field(min_length=1)]
    synthesiser: SeatId | None = None

    def line_ids(self) -> tuple[str, ...]:
        """Every line of the panel once, debaters first."""
        line_ids = dict.fromkeys(self.debaters)
        if self.synthesiser:
            line_ids[self.synthesiser] = None
        return tuple(line_ids)


class PanelFile(Value):
    """The available lines and panels. `families`: prefix of a model's name -> its family."""

    lines: tuple[ModelLine, ...] = ()
    panels: tuple[Panel, ...] = ()
    families: Mapping[str, str] = {}
    as_of: Annotated[str, Field(pattern=r"^(\d{4}-\d{2}-\d{2})?$")] = ""
    """The day on which names and addresses were last checked; "" = unknown."""

    def line(self, line_id: str) -> ModelLine:
        """The line of this id; InvalidSpec lists the lines."""
        for line in self.lines:
            if line.id == line_id:
                return line
        raise InvalidSpec(
            "unknown model line {line_id!r}: choose one of {names}", line_id=line_id, names=_names(self.lines)
        )

    def panel(self, name: str) -> Panel:
        """The panel of this name; InvalidSpec lists the panels."""
        for panel in self.panels:
            if panel.name == name:
                return panel
        raise InvalidSpec(
            "unknown panel {name!r}: choose one of {panels}",
            name=name,
            panels=", ".join(p.name for p in self.panels) or Sentence("none"),
        )


class _Decimal(str):
    """A decimal number as written in the file."""


def _names(lines: Sequence[ModelLine]) -> str:
    return ", ".join(line.id for line in lines) or "none"


def read_panels(text: str, *, where: str) -> PanelFile:
    """Parse a panel file. Raises InvalidSpec with one sentence: file, line number, field, allowed values."""
    reader = _PanelText(text, where)
    data = reader.load()
    reader.refuse_unknown((), data, ("as_of", "lines", "panels", "families"))
    lines = tuple(reader.line(name, given) for name, given in reader.table(data, "lines").items())
    panels = tuple(reader.panel(name, given, lines) for name, given in reader.table(data, "panels").items())
    families = reader.table(data, "families")
    for beginning, family in families.items():
        if not isinstance(family, str) or not family:
            raise reader.error(("families", beginning), "must be the name of a family, as text in quotes")
    if not lines:
        raise reader.error(("lines",), "there is no model: give at least one table [lines.NAME]")
    return PanelFile(
        lines=lines, panels=panels, families={k.casefold(): str(v) for k, v in families.items()}, as_of=reader.day(data)
    )


@dataclass(frozen=True, slots=True)
class _PanelText:
    """A panel file during parsing, for errors with line numbers."""

    text: str
    where: str

    def error(self, path: Sequence[str], what: str) -> InvalidSpec:
        named = ".".join(path)
        return InvalidSpec(
            "{where}, line {line_number}: {named}{what}",
            where=self.where,
            line_number=self._line_number(path),
            named=named and named + ": ",
            what=what,
        )

    def load(self) -> dict[str, object]:
        try:
            # Prices are decimal text everywhere, so a number is kept as written, without passing through a float.
            return decode_toml(self.text, parse_float=_Decimal)
        except Undecodable as error:
            message = str(error)
        at = re.search(r"\(at line (\d+), column (\d+)\)", message)
        number = int(at[1]) if at else max(len(self.text.splitlines()), 1)
        what = re.sub(r" \(at .*\)$", "", message)
        raise InvalidSpec(
            "{where}, line {number}: not readable TOML: {what}",
            where=self.where,
            number=number,
            what=what[:1].lower() + what[1:],
        )

    def table(self, data: Mapping[str, object], name: str) -> dict[str, object]:
        given = data.get(name, {})
        if not isinstance(given, dict):
            raise self.error((name,), f"must be tables [{name}.NAME]")
        return given

    def day(self, data: Mapping[str, object]) -> str:
        """`as_of`, as a date of TOML or as text; "" if there is none."""
        given = data.get("as_of", "")
        try:
            return str(given and date.fromisoformat(str(given)))
        except ValueError:
            raise self.error(("as_of",), "must be a day, as in 2026-11-22") from None

    def refuse_unknown(self, path: Sequence[str], given: Mapping[str, object], allowed: Sequence[str]) -> None:
        for name in given:
            if name not in allowed:
                raise self.error((*path, name), f"there is no such field; allowed are {', '.join(allowed)}")

    def line(self, name: str, given: object) -> ModelLine:
        path = ("lines", name)
        if isinstance(given, dict) and "extra" in given:
            given = {**given, "extra": self._extra((*path, "extra"), given["extra"])}
        line = self._value(ModelLine, "id", path, given)
        address = self._address(path, line)
        if line.tokens_per_minute is not None and line.tokens_per_minute <= line.max_tokens:
            least = f"must be more than max_tokens, which is {line.max_tokens}: a call has to fit into a minute"
            raise self.error((*path, "tokens_per_minute"), least)
        return line.model_copy(update={"base_url": address})

    def _address(self, path: tuple[str, str], line: ModelLine) -> str:
        """The address of the line; "" for a vendor's own address."""
        if line.base_url:
            try:
                return check_base_url(line.base_url)
            except InvalidSpec as error:
                raise self.error((*path, "base_url"), str(error)) from None
        if line.dialect in VENDOR_DIALECTS.get(line.provider, ()):
            return ""
        own = " and ".join(f"{p} ({', '.join(d)})" for p, d in VENDOR_DIALECTS.items())
        raise self.error(path, f"base_url is missing: only {own} have a known address")

    def _extra(self, path: Sequence[str], given: object) -> str:
        if not isinstance(given, dict):
            raise self.error(path, "must be a table of fields for the body of a call, as in { top_p = 0.9 }")
        for name in given:
            if name in OWN_FIELDS:
                raise self.error(path, f"{name} is said by the program itself; allowed are other fields of a call")
        try:
            return json.dumps(_with_numbers(given), sort_keys=True, ensure_ascii=False, allow_nan=False)
        except (TypeError, ValueError):
            raise self.error(path, "must hold texts, numbers, true, false, lists and tables alone") from None

    def panel(self, name: str, given: object, lines: Sequence[ModelLine]) -> Panel:
        panel = self._value(Panel, "name", ("panels", name), given)
        known = {line.id for line in lines}
        for line_id in panel.line_ids():
            if line_id not in known:
                field = "debaters" if line_id in panel.debaters else "synthesiser"
                what = f"there is no line {line_id!r}; allowed are {_names(lines)}"
                raise self.error(("panels", name, field), what)
        return panel

    def _value(self, kind: type[V], id_field: str, path: tuple[str, str], given: object) -> V:
        """A table as a value with the table's name as its id."""
        if not isinstance(given, dict):
            raise self.error(path, f"must be a table [{path[0]}.{path[1]}]")
        self.refuse_unknown(path, given, [f for f in kind.model_fields if f != id_field])
        # Strict, and as JSON, where a list may become a tuple: texts are not read as numbers, nor dates as texts.
        text = json.dumps({**given, id_field: path[1]}, default=lambda value: [str(value)])
        try:
            return kind.model_validate_json(text, strict=True)
        except ValidationError as error:
            raise self._fault_in_value(id_field, path, error) from None

    def _fault_in_value(self, id_field: str, path: tuple[str, str], error: ValidationError) -> InvalidSpec:
        problem = error.errors(include_url=False, include_context=False)[0]
        field = [str(part) for part in problem["loc"] if isinstance(part, str)]
        if field[:1] == [id_field]:
            return self.error(path, "a name has 1 to 40 letters, digits, - and _")
        if problem["type"] == "missing":
            return self.error((*path, *field[:-1]), f"{field[-1]} is missing")
        what = first_problem(error).partition(": ")[2]
        return self.error((*path, *field), what)

    def _line_number(self, path: Sequence[str]) -> int:
        """Number of the first line that matches most of this path; 1 if none does."""
        names_by_line = [*self._names_by_line()]
        for length in range(len(path), 0, -1):
            for number, names in enumerate(names_by_line, start=1):
                if names[:length] == [*path[:length]]:
                    return number
        return 1

    def _names_by_line(self) -> Iterator[list[str]]:
        """The path of each line of the file: its table, or its field within a table."""
        header: list[str] = []
        for line in self.text.splitlines():
            if table := re.match(r"\s*\[+([^\]]+)\]", line):
                header = _parts(table[1])
                yield header
            elif key := re.match(r"\s*([\w\".'-]+(?:\s*\.\s*[\w\"'-]+)*)\s*=", line):
                yield [*header, *_parts(key[1])]
            else:
                yield []


def _with_numbers(given: object) -> object:
    """The value with decimals as numbers, for the call."""
    if isinstance(given, dict):
        return {name: _with_numbers(value) for name, value in given.items()}
    if isinstance(given, list):
        return [_with_numbers(value) for value in given]
    if isinstance(given, _Decimal):
        return float(given)
    return given


def _parts(dotted: str) -> list[str]:
    """The names of a dotted TOML key."""
    return [name.strip("\"'") for name in re.findall(r"\"[^\"]*\"|'[^']*'|[\w-]+", dotted)]
