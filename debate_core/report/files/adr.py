"""The decision as a file for a folder of decision records: MADR 4.0.0 whole or minimal, Nygard's form, log4brains.

Proposed until somebody signs; what was escalated stays proposed and says so.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, assert_never, get_args

from debate_core.engine.stage import ELECTORATES, present
from debate_core.language import Words, _, _n, message
from debate_core.report.facts.account import Account
from debate_core.report.facts.option_reasons import claims_that_stand
from debate_core.report.files import adr_outcome
from debate_core.report.files import adr_sections as sections
from debate_core.report.files.adr_case import EMPTY, Case, Section, blocks_of
from debate_core.report.files.anonymise import names_of
from debate_core.report.files.document import Block, Document, Front, Heading, Items, Paragraph, slug, unlike
from debate_core.spec.people import Person
from debate_core.text import capitalized, line

AdrProfile = Literal["madr", "madr_minimal", "nygard", "log4brains"]
PROFILES: Words[AdrProfile] = Words(
    {
        "madr": "MADR 4, full",
        "madr_minimal": "MADR 4, minimal",
        "nygard": "Nygard",
        "log4brains": "log4brains",
    }
)
assert set(PROFILES) == set(get_args(AdrProfile))


@dataclass(frozen=True, slots=True)
class Adr:
    """A decision record: its file name, its text, and what the debate has beside it."""

    name: str
    document: Document
    """What it says, for a screen."""
    left_out: tuple[str, ...]

    @property
    def text(self) -> str:
        """The file."""
        return self.document.markdown()


def decision_record(account: Account, *, profile: AdrProfile = "madr", anonymous: bool = False, number: int = 1) -> Adr:
    """The decision as it stands now; `number` is its place in the folder that it will lie in."""
    case = Case(account, names_of(account, anonymous=anonymous))
    document = _document(case, profile, number)
    return Adr(f"{number:04d}-{slug(case.question)}.md", document, left_out(case, profile))


def next_number(folder: Mapping[str, str], debate_id: str) -> int:
    """The number for a debate in a folder, file name -> text: the one it has there, else one above the highest."""
    highest = 0
    for name, text in folder.items():
        numbered = re.match(r"(\d{4,6})-.*\.md$", name)
        if numbered is None:
            continue
        number = int(numbered[1])
        if sections.is_decision_record_of(text, debate_id):
            return number
        highest = max(highest, number)
    return highest + 1


def _document(case: Case, profile: AdrProfile, number: int) -> Document:
    match profile:
        case "madr":
            return Document((*_madr_head(case), *blocks_of(case, MADR)), _front(case), marker="*")
        case "madr_minimal":
            return Document((*_madr_head(case), *blocks_of(case, MADR_MINIMAL)), _front(case), marker="*")
        case "nygard":
            return Document((*_nygard_head(case, number), *blocks_of(case, NYGARD)), marker="*")
        case "log4brains":
            return Document((*_log4brains_head(case), *blocks_of(case, MADR)), marker="-")
        case _:
            assert_never(profile)


# MADR

MADR: tuple[Section, ...] = (
    Section(2, message("Context and Problem Statement"), sections.context, minimal=True),
    Section(2, message("Decision Drivers"), sections.drivers),
    Section(2, message("Considered Options"), sections.options, minimal=True),
    Section(2, message("Decision Outcome"), adr_outcome.outcome, minimal=True),
    Section(3, message("Consequences"), adr_outcome.consequences, minimal=True),
    Section(3, message("Confirmation"), adr_outcome.confirmation),
    Section(
        2,
        message("Pros and Cons of the Options"),
        lambda case: sections.pros_and_cons(case, _taken_headings(case)),
    ),
    Section(2, message("More Information"), sections.more_information, minimal=True),
)
MADR_MINIMAL = tuple(section for section in MADR if section.minimal)


def _taken_headings(case: Case) -> list[str]:
    """Headings that no option may read like: site generators link to a heading by its words."""
    fixed = [_(section.title) for section in (*MADR, *sections.MORE)]
    return [*fixed, _document_title(case, MADR)]


def _document_title(case: Case, chosen: Sequence[Section]) -> str:
    """The problem and, where one holds, its solution: `Which queue do we use: Postgres`."""
    words = unlike(case.question, ())
    if option := case.decision.option:
        words = f"{words}: {case.names.text(option)}"
    return unlike(words, [_(section.title) for section in chosen])


def _madr_head(case: Case) -> list[Block]:
    return [Heading(1, _document_title(case, MADR)), *sections.warning(case)]


def _front(case: Case) -> Front:
    """The front matter of MADR 4."""
    return {
        "status": case.decision.status,
        "date": _date(case),
        "decision-makers": _makers(case),
        "consulted": _consulted(case),
        "informed": _informed(case),
    }


# Nygard


def _nygard_status(case: Case) -> list[Block]:
    return [Paragraph(capitalized(case.decision.status))]


def _nygard_context(case: Case) -> list[Block]:
    return [*sections.context(case), Paragraph(_("The options were:")), *sections.options(case)]


def _nygard_decision(case: Case) -> list[Block]:
    blocks = adr_outcome.outcome(case)
    if check := adr_outcome.confirmation(case):
        blocks += [Paragraph(_("It will be confirmed so:")), *check]
    return blocks + [Paragraph(words) for words in _labelled(_("To be informed"), _informed(case))]


def _nygard_consequences(case: Case) -> list[Block]:
    established = adr_outcome.consequences(case) or [Paragraph(_("The debate established none."))]
    return [*established, *sections.more_information(case)]


NYGARD = (
    Section(2, message("Status"), _nygard_status),
    Section(2, message("Context"), _nygard_context),
    Section(2, message("Decision"), _nygard_decision),
    Section(2, message("Consequences"), _nygard_consequences),
)


def _nygard_head(case: Case, number: int) -> list[Block]:
    title = _document_title(case, NYGARD)
    return [Heading(1, title, number), Paragraph(_("Date: {date}", date=_date(case))), *sections.warning(case)]


# log4brains: MADR 2


def _log4brains_head(case: Case) -> list[Block]:
    """A list instead of front matter: the tool reads nothing else, and takes a status that it does not know for one
    that it does."""
    title, *warning = _madr_head(case)
    status = _("Status: {status}", status=case.decision.status)
    makers = _labelled(_("Deciders"), _makers(case))
    informed = _labelled(_("Informed"), _informed(case))
    return [
        title,
        Items((status, *makers, *informed, _("Date: {date}", date=_date(case)), _("Tags: debate"))),
        *warning,
    ]


# Who took part, and when


def _date(case: Case) -> str:
    signed = case.decision.signed
    if signed:
        return signed.at[:10]
    ended = case.state.closed_at or case.state.opened_at
    return ended[:10]


def _makers(case: Case) -> tuple[str, ...]:
    """Who signs or signed, and whose final vote decides, as it was counted."""
    state = case.state
    signed = case.decision.signed
    makers = [signed.by.id] if signed else []
    makers += [person.id for person in present(state) if person.role == "approver"]
    voters = _final_voters(case, decide=True)
    if case.names.anonymous and state.spec.terms.decides == "room":
        crowd = _n(len(voters), "the room ({n} voter)", "the room ({n} voters)")
        return (*_people(case, makers), crowd)
    return _people(case, [*makers, *(person.id for person in voters)])


def _people(case: Case, actors: Iterable[str]) -> tuple[str, ...]:
    return tuple(case.names.person(actor) for actor in dict.fromkeys(actors))


def _final_voters(case: Case, *, decide: bool) -> list[Person]:
    """Those whose final vote decides, or those whose vote is advice."""
    decides = case.state.spec.terms.decides
    voting = [electorate for electorate in ELECTORATES if (electorate == decides) is decide]
    return [person for electorate in voting for person in case.account.final_voters(electorate)]


def _consulted(case: Case) -> tuple[str, ...]:
    """Debaters who are people or models, judges, and voters whose vote is advice; no code that quotes or recites."""
    state = case.state
    debaters = [seat for seat in state.spec.debaters() if seat.occupant in ("human", "model")]
    seats = [f"{case.names.seat(seat.id)} ({sections.sits_words(case, seat)})" for seat in debaters]
    judges = [person for person in present(state) if person.role == "judge"]
    advisers = [*judges, *_final_voters(case, decide=False)]
    return (*seats, *dict.fromkeys(case.names.person(person.id) for person in advisers))


def _informed(case: Case) -> tuple[str, ...]:
    """Who has to be told, as signed."""
    signed = case.decision.signed
    if signed is None:
        return ()
    return tuple(case.names.text(name) for name in signed.word.informed if name.strip())


def _labelled(label: str, names: Iterable[str]) -> list[str]:
    """`Deciders: Abe, Ann`, for forms that have no front matter; nothing without names."""
    shown = ", ".join(line(name) or EMPTY for name in names)
    return [f"{label}: {shown}"] if shown else []


def left_out(case: Case, profile: AdrProfile) -> tuple[str, ...]:
    """What the debate has and this file has not."""
    turns = _n(len(case.account.readable_turns), "{n} turn", "{n} turns")
    parts = [_("the transcript ({turns})", turns=turns), _("ballots one by one")]
    claims = len(claims_that_stand(case.account))
    if claims:
        parts.append(_n(claims, "the evidence table ({n} claim)", "the evidence table ({n} claims)"))
    if profile == "madr_minimal":
        parts.append(_("drivers, pros and cons, confirmation"))
    if profile == "nygard":
        parts.append(_("drivers, pros and cons"))
    if case.account.secrets:
        parts.append(_("what is sealed: {secrets}", secrets=", ".join(case.account.secrets)))
    if case.names.anonymous:
        parts.append(_("names of people and seats; what they wrote stays, so its style may still tell who it was"))
    return tuple(parts)
