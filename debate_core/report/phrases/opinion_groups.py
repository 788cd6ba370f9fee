"""Opinion groups in sentences and table cells: their number, common ground and differences."""

from collections.abc import Sequence

from debate_core.language import _, _n
from debate_core.report.facts.opinion_groups import LEAST_MARKS, LEAST_PEOPLE, GroupShare, GroupStatement, OpinionGroups
from debate_core.report.phrases.marks import reading_words


def groups_words(found: OpinionGroups) -> str:
    """Number of groups, or the data that are missing to find any."""
    if found.people < LEAST_PEOPLE:
        return _n(
            found.people,
            "Opinion groups need {least} people with {marks} marked passages each; there is {n} so far.",
            "Opinion groups need {least} people with {marks} marked passages each; there are {n} so far.",
            least=LEAST_PEOPLE,
            marks=LEAST_MARKS,
        )
    if not found.sizes:
        return _("The marks of {people} people show no distinct groups.", people=found.people)
    return _(
        "By their marks, {people} people form {groups} groups.",
        people=found.people,
        groups=len(found.sizes),
    )


def how_found(found: OpinionGroups) -> str:
    """Method and limits of the figures of groups."""
    return _(
        "A group accepts a reading if the 95 % interval (Wilson) of its share is above one half, and rejects it if the "
        "interval is below. The groups come from the same marks (mean silhouette {silhouette:.2f}) and may be parts of "
        "one scale: the differences describe them and test nothing. Marks are no votes.",
        silhouette=found.silhouette or 0.0,
    )


def group_names(found: OpinionGroups) -> tuple[str, ...]:
    """`Group 1, 12 people`; options have the letters."""
    return tuple(
        _("Group {number}, {people} people", number=number, people=people)
        for number, people in enumerate(found.sizes, start=1)
    )


def titled_statements(found: OpinionGroups) -> tuple[tuple[str, str, tuple[GroupStatement, ...]], ...]:
    """Common ground, then differences: title, sentence for an empty list, statements."""
    accepted = tuple(statement for statement in found.statements if statement.found == "accepted")
    divides = tuple(statement for statement in found.statements if statement.found == "divides")
    return (
        (_("Accepted by all groups"), _("No reading of a passage is accepted by all groups."), accepted),
        (_("Differences between groups"), _("No reading of a passage clearly divides the groups."), divides),
    )


def statement_cells(statement: GroupStatement) -> Sequence[str]:
    """The reading of the passage, then the share of each group."""
    return (reading_words(statement), *map(_share_words, statement.groups))


def _share_words(share: GroupShare) -> str:
    if not share.marked_by:
        return _("not marked")
    return _(
        "{agree} of {marked_by}, {low} to {high} %",
        agree=share.agree,
        marked_by=share.marked_by,
        low=round(100 * share.low),
        high=round(100 * share.high),
    )
