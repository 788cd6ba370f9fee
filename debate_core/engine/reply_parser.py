"""Parser for replies of seats without a person: strict about required fields, lenient about the rest.

Unreadable optional parts are removed from the content and kept verbatim, so that they cost no turn and no vote. Fields
that decide, steer or are read aloud are never dropped or chosen between: two names for one of them, or an unknown field
where one is missing, make the whole reply unreadable.
"""

import json
from collections.abc import Iterable, Mapping
from copy import deepcopy
from dataclasses import dataclass
from typing import Any, get_args

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from debate_core.engine.field_aliases import BALLOT_FIELDS, own_name
from debate_core.engine.validate_content import (
    CONTENT,
    ballot_fault,
    fault_in_content,
    fault_in_given,
    mended_fields,
    option_spelt,
)
from debate_core.errors import BadReply
from debate_core.spec.contents import CONTENT_TYPES, MAX_LEFT_OUT, PROSE_FIELDS, Argument, Content, Gives, LeftOut
from debate_core.spec.protocol import Spec, first_problem
from debate_core.spec.rules import ballot_kind
from debate_core.spec.values import MAX_TEXT_CHARS

GivenFields = dict[str, Any]
PartPlace = tuple[str | int, ...]
"""Names and indices that lead to a part of a reply."""
MAX_PLACE_CHARS = 200

_VOTE = frozenset({"vote", "ballot"})
_STEERS = frozenset({"option", "marks", "positions", "next_speakers", "done", "redo", "recommend_another_round"})
_NEEDED = frozenset({*PROSE_FIELDS, *_VOTE, *_STEERS})
"""Fields of a content that decide, steer or are read aloud."""
_NEEDED_IN_A_LINE = frozenset({"text", "option", "seat", "score", "name"})
"""Required in a line of a list."""
_SAYS_WHICH: Mapping[str, str] = {
    "verdict": "option",
    "synthesis": "option",
    "evaluation": "recommend_another_round",
}
"""Content kind -> the field that an unknown one can mean if it is missing."""
_FIELD_NAMES = {kind: frozenset(T.model_fields) for T in CONTENT_TYPES for kind in get_args(T.__annotations__["kind"])}


@dataclass(frozen=True, slots=True)
class Reading:
    """A reply as content, and its unreadable optional parts."""

    content: Content
    left_out: tuple[LeftOut, ...] = ()


def read_turn(
    spec: Spec,
    gives: Gives,
    data: Any,
    *,
    asks_ballot: bool,
    is_last: bool = False,
    asks_another_round: bool = False,
) -> Reading:
    """Read a seat's reply (a JSON object). Raises BadReply with a sentence on what is missing or wrong.

    With `is_last`, the ballot is accepted even if the text gives no reason. A synthesis that is not asked whether
    another round is needed (`asks_another_round`) cannot say so.
    """
    fields = deepcopy(mended_fields(spec, gives, data, asks_ballot=asks_ballot))
    takes_ballot = is_last and asks_ballot
    left_out: list[LeftOut] = []
    if fields["kind"] not in get_args(Gives):
        left_out.append(_left_out(("kind",), fields["kind"]))
        fields["kind"] = gives
    for name in _not_asked_for(spec, fields["kind"], asks_another_round=asks_another_round) & fields.keys():
        left_out.append(_left_out((name,), fields.pop(name)))
    content = _content_of(spec, fields, left_out, asks_ballot=asks_ballot, data=data)
    if isinstance(content, Argument) and not asks_ballot and ballot_fault(spec, content):
        left_out += [_left_out((name,), fields[name]) for name in sorted(_VOTE & fields.keys())]
        content = content.model_copy(update={"vote": None, "ballot": ()})
    fault = (fault_in_content if takes_ballot else fault_in_given)(spec, gives, content)
    if fault:
        raise BadReply(fault)
    return Reading(content, tuple(reversed(left_out)))


def _not_asked_for(spec: Spec, kind: Gives, *, asks_another_round: bool) -> set[str]:
    """Names of fields that only some protocols ask for, and this one does not."""
    names = set[str]()
    if kind == "synthesis" and not asks_another_round:
        names.add("recommend_another_round")
    if spec.protocol.output_schema is None:
        names.add("deliverable")
    return names


def _content_of(
    spec: Spec, fields: GivenFields, left_out: list[LeftOut], *, asks_ballot: bool, data: GivenFields
) -> Content:
    """Validate the fields; unreadable optional parts move to `left_out`."""
    while True:
        try:
            return CONTENT.validate_python(fields)
        except ValidationError as error:
            if len(left_out) == MAX_LEFT_OUT:
                raise BadReply(first_problem(error)) from None
            left_out.append(_leave_out(spec, fields, error, asks_ballot=asks_ballot, data=data))


def _leave_out(
    spec: Spec, fields: GivenFields, error: ValidationError, *, asks_ballot: bool, data: GivenFields
) -> LeftOut:
    """Remove the last invalid part from the fields. Raises BadReply if it is required, or may be the decision."""
    needed = _FIELD_NAMES[fields["kind"]] & _NEEDED
    place = _not_needed(error, fields, needed if asks_ballot else needed - _VOTE)
    if place is None:
        raise BadReply(first_problem(error)) from None
    around: Any = fields
    for step in place[:-1]:
        around = around[step]
    part = around.pop(place[-1])
    if len(place) == 1:
        _refuse_second_answer(spec, fields, str(place[0]), part, asks_ballot=asks_ballot, data=data)
    return _left_out(place, part)


def _not_needed(error: ValidationError, fields: GivenFields, needed: frozenset[str]) -> PartPlace | None:
    """The smallest part around the last problem that can be removed; None if it is required.

    Working from the last problem keeps the indices of the earlier ones valid.
    """
    problems = error.errors(include_url=False)
    problem = problems[-1]
    place: PartPlace = problem["loc"][1:]  # the first names the kind
    if not place or place[0] in needed:
        return None
    if problem["type"] == "too_long" and isinstance(problem["input"], list):
        return (*place, len(problem["input"]) - 1)
    if problem["type"] == "extra_forbidden":
        line = place[:-1]
        return line if line and _is_lost(line, problems) else place
    return _smallest_part(fields, place)


def _is_lost(line: PartPlace, problems: Iterable[ErrorDetails]) -> bool:
    """True if a line of a list is useless, because one of its required fields is invalid too."""
    return any(problem["loc"][1:-1] == line and problem["loc"][-1] in _NEEDED_IN_A_LINE for problem in problems)


def _smallest_part(fields: GivenFields, place: PartPlace) -> PartPlace | None:
    """This part, or the nearest enclosing one that exists and can be removed; None if there is none."""
    while not _is_there(fields, place) or (len(place) > 1 and place[-1] in _NEEDED_IN_A_LINE):
        place = place[:-1]
    return place or None


def _is_there(fields: GivenFields, place: PartPlace) -> bool:
    part: Any = fields
    for step in place:
        # A line given as plain text has no parts.
        is_inside = step in part if isinstance(part, dict) else isinstance(part, list)
        if not is_inside:
            return False
        part = part[step]
    return True


def _left_out(place: PartPlace, part: Any) -> LeftOut:
    raw = json.dumps(part, ensure_ascii=False, default=str)
    return LeftOut(field=".".join(map(str, place))[:MAX_PLACE_CHARS], raw=raw[:MAX_TEXT_CHARS])


def _refuse_second_answer(
    spec: Spec, fields: GivenFields, name: str, part: Any, *, asks_ballot: bool, data: GivenFields
) -> None:
    """Raise BadReply if a removed field may be the decision: choosing between two answers would be a guess."""
    kind = fields["kind"]
    if name in _FIELD_NAMES[kind]:
        return
    meant = _field_meant(spec, kind, name)
    if meant in _NEEDED & _FIELD_NAMES[kind]:
        raise BadReply(f"the reply says {meant} twice, the second time as {name[:80]!r}: say it once")
    which = _SAYS_WHICH.get(kind)
    if which and all(own_name(kind, spelling) != which for spelling in data):
        raise BadReply(f"{name[:80]!r} is no field of {kind}, and {which} is missing: say it as {which}")
    names_option = which == "option" or (asks_ballot and "ballot" not in fields)
    if names_option:
        _refuse_second_option(spec, fields.get("option" if which else "vote"), name, part)


def _field_meant(spec: Spec, kind: Gives, name: str) -> str:
    """The field that this one can mean; all names of a ballot mean the vote."""
    own = own_name(kind, name)
    if own == BALLOT_FIELDS[ballot_kind(spec.protocol.decide)]:
        return "vote" if own == "vote" else "ballot"
    return own


def _refuse_second_option(spec: Spec, chosen: Any, name: str, part: Any) -> None:
    """Raise BadReply if a removed field names another option than the chosen one."""
    named = option_spelt(spec, part) if isinstance(part, str) else None
    if named and named != chosen:
        raise BadReply(f"the reply names {named!r} as {name[:80]!r} and another option as its vote: name one")
