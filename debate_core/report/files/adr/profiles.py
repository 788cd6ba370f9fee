"""The forms of decision records, one row each: MADR 4.0.0 full and minimal, Nygard's, log4brains."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal, get_args

from debate_core.errors import InvalidSpec
from debate_core.language import _, message
from debate_core.report.files.adr import more_information as more
from debate_core.report.files.adr import outcome, participants, sections
from debate_core.report.files.adr.case import Case, Section
from debate_core.report.files.adr.front_matter import full_front, madr_front
from debate_core.report.files.adr.more_information import MORE, more_information
from debate_core.report.files.document import Block, Front, Items, Paragraph, unlike
from debate_core.text import capitalized

ProfileName = Literal["madr", "madr_minimal", "nygard", "log4brains"]


@dataclass(frozen=True, slots=True)
class AdrProfile:
    """A form of decision records; titles and descriptions are in English."""

    title: str
    sections: tuple[Section, ...]
    front: Callable[[Case], Front] = lambda _case: {}
    """The front matter of the file."""
    below_title: Callable[[Case], list[Block]] = lambda _case: []
    """Blocks between the title and the sections."""
    numbered: bool = False
    """True if the title begins with the number of the file."""
    marker: Literal["-", "*"] = "*"
    """Marker of a list item."""
    leaves_out: str = ""
    """Parts of the fullest profile that this one omits."""


def title_of(case: Case, chosen: Sequence[Section]) -> str:
    """The question and the option in force: `Which queue do we use: Postgres`. It differs from all section titles."""
    words = unlike(case.question, ())
    if option := case.decision.option:
        words = f"{words}: {case.names.text(option)}"
    return unlike(words, [_(section.title) for section in (*chosen, *MORE)])


def _pros_and_cons(case: Case) -> list[Block]:
    """Options under unique headings: site generators link to a heading by its words."""
    fixed = [_(section.title) for section in (*MADR, *MORE)]
    return sections.pros_and_cons(case, [*fixed, title_of(case, MADR)])


_CONTEXT = Section(2, message("Context and Problem Statement"), sections.context)
_BACKGROUND = replace(_CONTEXT, blocks=sections.background)
_DRIVERS = Section(2, message("Decision Drivers"), sections.drivers)
_OPTIONS = Section(2, message("Considered Options"), sections.options)
_OUTCOME = Section(2, message("Decision Outcome"), outcome.outcome)
_CONSEQUENCES = Section(3, message("Consequences"), outcome.consequences)
_CONFIRMATION = Section(3, message("Confirmation"), outcome.confirmation)
_PROS_AND_CONS = Section(2, message("Pros and Cons of the Options"), _pros_and_cons)
_MORE_INFORMATION = Section(2, message("More Information"), more_information)
MADR = (
    _CONTEXT,
    _DRIVERS,
    _OPTIONS,
    _OUTCOME,
    _CONSEQUENCES,
    _CONFIRMATION,
    _PROS_AND_CONS,
    _MORE_INFORMATION,
)
_ON_THE_SHEET = (more.dissent, more.interests, more.signatures, more.later)
SHEET = tuple(
    replace(section, level=2)
    for section in (_CONSEQUENCES, _CONFIRMATION, _BACKGROUND, _DRIVERS, _PROS_AND_CONS, *MORE)
    if section not in MORE or section.blocks in _ON_THE_SHEET
)
"""Sections of the decision sheet below its first page."""
MADR_MINIMAL = (_CONTEXT, _OPTIONS, _OUTCOME, _CONSEQUENCES, _MORE_INFORMATION)


def _nygard_context(case: Case) -> list[Block]:
    return [*sections.context(case), Paragraph(_("The options were:")), *sections.options(case)]


def _nygard_decision(case: Case) -> list[Block]:
    blocks = outcome.outcome(case)
    if check := outcome.confirmation(case):
        blocks += [Paragraph(_("Confirmation:")), *check]
    return blocks


def _nygard_consequences(case: Case) -> list[Block]:
    established = outcome.consequences(case) or [Paragraph(_("The debate established none."))]
    return [*established, *more_information(case)]


NYGARD = (
    Section(2, message("Status"), lambda case: [Paragraph(capitalized(case.decision.status))]),
    Section(2, message("Context"), _nygard_context),
    Section(2, message("Decision"), _nygard_decision),
    Section(2, message("Consequences"), _nygard_consequences),
)


def _log4brains_list(case: Case) -> list[Block]:
    """The list that log4brains (MADR 2) reads in place of front matter; it knows only the English names."""
    makers = participants.labelled("Deciders", participants.makers(case))
    informed = participants.labelled(_("Informed"), participants.informed(case))
    status, date = f"Status: {case.decision.status}", f"Date: {participants.day(case)}"
    return [Items((status, *makers, *informed, date, "Tags: debate"))]


PROFILES: Mapping[ProfileName, AdrProfile] = {
    "madr": AdrProfile(message("MADR 4, full"), MADR, full_front),
    "madr_minimal": AdrProfile(
        message("MADR 4, minimal"),
        MADR_MINIMAL,
        madr_front,
        leaves_out=message("drivers, pros and cons, confirmation"),
    ),
    "nygard": AdrProfile(
        message("Nygard"),
        NYGARD,
        below_title=lambda case: [Paragraph(_("Date: {date}", date=participants.day(case)))],
        numbered=True,
        leaves_out=message("drivers, pros and cons"),
    ),
    "log4brains": AdrProfile(message("log4brains"), MADR, below_title=_log4brains_list, marker="-"),
}
assert set(PROFILES) == set(get_args(ProfileName))


def profile_named(word: str) -> ProfileName:
    """The profile of this name as the command line writes it: `madr-minimal`. InvalidSpec for an unknown one."""
    for name in PROFILES:
        if word == name.replace("_", "-"):
            return name
    allowed = ", ".join(name.replace("_", "-") for name in PROFILES)
    raise InvalidSpec(
        "there is no profile {word!r} of decision records: choose one of {allowed}", word=word, allowed=allowed
    )
