"""The decision as a file for a folder of decision records.

Proposed until somebody signs; what was escalated stays proposed and says so.
"""

from dataclasses import dataclass

from debate_core.language import _, _n
from debate_core.report.facts.account import Account
from debate_core.report.facts.option_reasons import claims_that_stand
from debate_core.report.files.adr.case import Case, blocks_of
from debate_core.report.files.adr.profiles import PROFILES, AdrProfile, ProfileName, title_of
from debate_core.report.files.adr.record_number import RecordNumber
from debate_core.report.files.adr.sections import warning
from debate_core.report.files.anonymise import names_of
from debate_core.report.files.document import Document, Heading, slug

FIRST = RecordNumber(1)


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


def decision_record(
    account: Account, *, profile: ProfileName = "madr", anonymous: bool = False, number: RecordNumber = FIRST
) -> Adr:
    """The decision as it stands now, with its number in the folder where it is kept."""
    case = Case(account, names_of(account, anonymous=anonymous))
    chosen = PROFILES[profile]
    name = number.file_name(slug(case.question))
    return Adr(name, _document(case, chosen, number.number), left_out(case, chosen))


def _document(case: Case, profile: AdrProfile, number: int) -> Document:
    title = Heading(1, title_of(case, profile.sections), number if profile.numbered else None)
    blocks = (title, *profile.below_title(case), *warning(case), *blocks_of(case, profile.sections))
    return Document(blocks, profile.front(case), profile.marker)


def left_out(case: Case, profile: AdrProfile) -> tuple[str, ...]:
    """What the debate has and this file has not."""
    turns = _n(len(case.account.readable_turns), "{n} turn", "{n} turns")
    parts = [_("the transcript ({turns})", turns=turns), _("ballots one by one")]
    claims = len(claims_that_stand(case.account))
    if claims:
        parts.append(_n(claims, "the evidence table ({n} claim)", "the evidence table ({n} claims)"))
    if profile.leaves_out:
        parts.append(_(profile.leaves_out))
    if case.account.secrets:
        parts.append(_("what is sealed: {secrets}", secrets=", ".join(case.account.secrets)))
    if case.names.anonymous:
        parts.append(_("names of people and seats; what they wrote stays, so its style may still tell who it was"))
    return tuple(parts)
