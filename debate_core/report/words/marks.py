"""The marks of the room in sentences: how many have marked, and what they made of a passage."""

from collections.abc import Iterable

from debate_core.language import _
from debate_core.record.state import State
from debate_core.report.facts.opinion_groups import GroupStatement
from debate_core.report.facts.people_marks import MarkRow, marking_progress
from debate_core.spec.contents import Mark


def marking_words(state: State) -> str:
    """`3 of 7 people have marked every passage`; empty while nothing is to be marked."""
    progress = marking_progress(state)
    if progress is None:
        return ""
    return _("{done} of {people} people have marked every passage", done=progress.done, people=progress.people)


def reading_words(mark: Mark | MarkRow | GroupStatement) -> str:
    """`for outbox`, `against retries`, `neutral`."""
    match mark.reading:
        case "supports":
            return _("for {option}", option=mark.option)
        case "against":
            return _("against {option}", option=mark.option)
        case "neutral":
            return _("neutral")
        case "skipped":
            return _("skipped")


def marks_words(rows: Iterable[MarkRow]) -> str:
    """`3 for outbox, 1 neutral`: what people made of one passage; empty if nobody marked it."""
    return ", ".join(f"{row.people} {reading_words(row)}" for row in rows if row.reading != "skipped")


def marked_words(rows: Iterable[MarkRow]) -> str:
    """`9 passages were marked, by at most 7 people.`"""
    passages = {row.claim_id: row.marked_by for row in rows if row.marked_by}
    people = max(passages.values(), default=0)
    by = _("1 person") if people == 1 else _("at most {people} people", people=people)
    if len(passages) == 1:
        return _("1 passage was marked by {by}.", by=by)
    return _("{passages} passages were marked by {by}.", passages=len(passages), by=by)
