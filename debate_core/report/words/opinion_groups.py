"""Opinion groups in sentences and cells: how many there are, what all of them accept, what divides them."""

from collections.abc import Sequence

from debate_core.language import _, _n
from debate_core.report.facts.opinion_groups import LEAST_MARKS, LEAST_PEOPLE, GroupShare, GroupStatement, OpinionGroups
from debate_core.report.words.marks import reading_words


def groups_words(found: OpinionGroups) -> str:
    """How many groups there are, or what is missing for any."""
    if found.people < LEAST_PEOPLE:
        return _n(
            found.people,
            "Opinion groups are looked for once {least} people have marked {marks} passages each; {n} person has.",
            "Opinion groups are looked for once {least} people have marked {marks} passages each; {n} people have.",
            least=LEAST_PEOPLE,
            marks=LEAST_MARKS,
        )
    if not found.sizes:
        return _("The marks of {people} people show no groups that stand apart.", people=found.people)
    return _(
        "By how they marked the passages, {people} people fall into {groups} groups.",
        people=found.people,
        groups=len(found.sizes),
    )


def how_found(found: OpinionGroups) -> str:
    """What the figures of groups rest on, and what they cannot say."""
    return _(
        "A group accepts a reading if the 95 % interval (Wilson) of its share is above one half, and rejects it if the "
        "interval is below. The groups were found in the same marks (mean silhouette {silhouette:.2f}) and may be "
        "parts of one scale: what divides them describes them and tests nothing. Marks are no votes.",
        silhouette=found.silhouette or 0.0,
    )


def group_names(found: OpinionGroups) -> tuple[str, ...]:
    """`Group 1, 12 people`: numbers, as letters name the options."""
    return tuple(
        _("Group {number}, {people} people", number=number, people=people)
        for number, people in enumerate(found.sizes, start=1)
    )


def titled_statements(found: OpinionGroups) -> tuple[tuple[str, str, tuple[GroupStatement, ...]], ...]:
    """What all groups accept, then what divides them: a title, what is said where there is nothing, the statements."""
    accepted = tuple(statement for statement in found.statements if statement.found == "accepted")
    divides = tuple(statement for statement in found.statements if statement.found == "divides")
    return (
        (_("What all groups accept"), _("No reading of a passage is accepted by all groups."), accepted),
        (_("What divides the groups"), _("No reading of a passage clearly divides the groups."), divides),
    )


def statement_cells(statement: GroupStatement) -> Sequence[str]:
    """How the passage is read, then the share of each group."""
    return (reading_words(statement), *map(_share_words, statement.groups))


def _share_words(share: GroupShare) -> str:
    if not share.marked_by:
        return _("nobody marked it")
    return _(
        "{agree} of {marked_by}, {low} to {high} %",
        agree=share.agree,
        marked_by=share.marked_by,
        low=round(100 * share.low),
        high=round(100 * share.high),
    )
