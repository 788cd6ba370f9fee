"""The marks of the room in sentences: progress of the marking, and readings of passages and claims."""

from collections.abc import Iterable, Iterator

from debate_core.documents.document import in_one_line
from debate_core.engine.private_sources import opened_sources
from debate_core.engine.reason_labels import ReasonLabel, author_reason
from debate_core.language import Words, _, _n
from debate_core.record.state import State
from debate_core.report.facts.opinion_groups import GroupStatement
from debate_core.report.facts.option_reasons import OptionReason
from debate_core.report.facts.people_marks import MarkRow, marking_progress
from debate_core.spec.contents import Mark

LABELS: Words[ReasonLabel] = Words({"good": "Good, because", "bad": "Bad, because", "neutral": "Neutral, because"})


def marking_words(state: State) -> str:
    """`3 of 7 people have seen every passage`; empty while there is nothing to mark."""
    progress = marking_progress(state)
    if progress is None:
        return ""
    return _("{done} of {people} people have seen every passage", done=progress.done, people=progress.people)


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


def together_words(marks: Iterable[Mark]) -> str:
    """`11 marks set together, as the author sorted the passages`; empty if each was set alone."""
    n_together = sum(mark.together != "" for mark in marks)
    if not n_together:
        return ""
    return _n(
        n_together,
        "{n} mark set together with others, as the author sorted the passages",
        "{n} marks set together, as the author sorted the passages",
    )


def marks_words(rows: Iterable[MarkRow]) -> str:
    """`3 for outbox, 1 neutral`: the marks on one passage; empty without any."""
    return ", ".join(f"{row.people} {reading_words(row)}" for row in rows if row.reading != "skipped")


def marked_words(rows: Iterable[MarkRow]) -> str:
    """`9 passages were marked, by at most 7 people.`"""
    passages = {row.claim_id: row.marked_by for row in rows if row.marked_by}
    people = max(passages.values(), default=0)
    by = _("1 person") if people == 1 else _("at most {people} people", people=people)
    if len(passages) == 1:
        return _("1 passage was marked by {by}.", by=by)
    return _("{passages} passages were marked by {by}.", passages=len(passages), by=by)


def labelled_reason(label: ReasonLabel, reason: str) -> str:
    """`Good, because it is fast`, from a label and a reason."""
    return f"{LABELS[label]} {reason}"


def reading_sentences(state: State, option: str, reason: OptionReason) -> Iterator[str]:
    """Marks of the room on a claim about an option, and the label of its author if that differs.

    `2 of 3 who marked it read it for Postgres`; `contrary to the author, who wrote “Bad, because”`.
    """
    if reason.marked_by:
        yield _count_readings(option, reason)
    author = author_reason(opened_sources(state), reason.row.source_ref, reason.row.evidence_text, state.spec.options)
    reading = {"for": "supports", "against": "against"}.get(reason.side, "")
    if author.label and author.is_contradicted(reading, option):
        # A heading is named if it contains no option by its whole name.
        heading = in_one_line(author.headings)
        under = _(" under “{heading}”", heading=heading) if heading and author.option is None else ""
        yield _("contrary to the author, who wrote “{label}”{under}", label=author.words, under=under)
    elif author.label and author.option not in (None, option):
        yield _("the author wrote “{label}” of {about}", label=author.words, about=author.option)


def _count_readings(option: str, reason: OptionReason) -> str:
    numbers = {"supports": reason.supports, "against": reason.against, "n": reason.marked_by, "option": option}
    if reason.supports and not reason.against:
        return _("{supports} of {n} who marked it read it for {option}", **numbers)
    if reason.against and not reason.supports:
        return _("{against} of {n} who marked it read it against {option}", **numbers)
    if reason.supports:
        return _("{supports} of {n} who marked it read it for {option}, {against} against it", **numbers)
    return _("0 of {n} who marked it in the room agree with this reading", n=reason.marked_by)
