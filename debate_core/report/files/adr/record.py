"""The decision as a file for a folder of decision records.

It is proposed until a person signs it; an escalated decision stays proposed.
"""

from dataclasses import dataclass

from debate_core.language import _, _n
from debate_core.report.facts.account import Account
from debate_core.report.files.adr.brief import brief
from debate_core.report.files.adr.case import Case, blocks_of
from debate_core.report.files.adr.folder import with_predecessor
from debate_core.report.files.adr.outcome import outcome
from debate_core.report.files.adr.profiles import PROFILES, SHEET, AdrProfile, ProfileName, title_of
from debate_core.report.files.adr.record_number import RecordNumber
from debate_core.report.files.anonymise import names_of
from debate_core.report.files.document import Block, Document, Heading, Paragraph, Quote, Strong, slug
from debate_core.report.phrases.foreword import warning_words

FIRST = RecordNumber(1)


@dataclass(frozen=True, slots=True)
class Adr:
    """A decision record: file name, content, and the parts of the debate that it omits."""

    name: str
    document: Document
    """The content, for a screen."""
    left_out: tuple[str, ...]

    @property
    def text(self) -> str:
        """The file."""
        return self.document.markdown()


def decision_record(
    account: Account,
    *,
    profile: ProfileName = "madr",
    anonymous: bool = False,
    number: RecordNumber = FIRST,
    supersedes: str = "",
    signing_key: str = "",
) -> Adr:
    """The present decision, with the number that it has in its folder.

    `supersedes` is the file name of the decision record that it replaces, `signing_key` the public key that signs the
    record of the debate, in hex.
    """
    case = Case(account, names_of(account, anonymous=anonymous), signing_key)
    form = PROFILES[profile]
    title = Heading(1, title_of(case, form.sections), number.number if form.numbered else None)
    blocks = (
        title,
        *form.below_title(case),
        *map(Quote, warning_words(account)),
        *brief(case),
        *blocks_of(case, form.sections),
    )
    document = Document(blocks, form.front(case), form.marker)
    if supersedes:
        document = with_predecessor(document, supersedes)
    return Adr(number.file_name(slug(case.question)), document, left_out(case, form))


def decision_sheet(account: Account) -> tuple[Block, ...]:
    """The decision on one page, then consequences, context, reasons and dissent; of a running debate its state."""
    case = Case(account, names_of(account, anonymous=False))
    warnings = (Paragraph(Strong(words)) for words in warning_words(account))
    title = title_of(case, SHEET) if case.decision.option else case.question
    head: tuple[Block, ...] = (*warnings, Heading(1, title))
    if account.state.outcome is None:
        return (*head, *brief(case))
    return (*head, *outcome(case), *brief(case), *blocks_of(case, SHEET))


def left_out(case: Case, profile: AdrProfile) -> tuple[str, ...]:
    """Parts of the debate that this file omits."""
    turns = _n(len(case.account.readable_turns), "{n} turn", "{n} turns")
    parts = [_("the transcript ({turns})", turns=turns), _("ballots one by one")]
    claims = len(case.account.claims)
    if claims:
        parts.append(_n(claims, "the evidence table ({n} claim)", "the evidence table ({n} claims)"))
    if profile.leaves_out:
        parts.append(_(profile.leaves_out))
    if case.account.secrets:
        parts.append(_("sealed content: {secrets}", secrets=", ".join(case.account.secrets)))
    if case.names.anonymous:
        parts.append(_("names of people and seats; their texts stay, so the style may still identify the author"))
    return tuple(parts)
