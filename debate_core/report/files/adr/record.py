"""The decision as a file for a folder of decision records, and the first page, with which reports begin, too.

It is proposed until a person signs it; an escalated decision stays proposed. The first page shows the values of the
screens in sentences; details are in the sections below it.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from textwrap import shorten

from debate_core.engine.stage import ELECTORATES
from debate_core.language import _, _n
from debate_core.report.facts.account import Account
from debate_core.report.facts.decision import DISSENTS
from debate_core.report.facts.option_reasons import option_reasons
from debate_core.report.facts.vote_bars import deciding_bars
from debate_core.report.files.adr.case import Case, blocks_of
from debate_core.report.files.adr.folder import with_predecessor
from debate_core.report.files.adr.front_matter import affected_parts
from debate_core.report.files.adr.outcome import outcome
from debate_core.report.files.adr.participants import day, informed, name_and_role, voters
from debate_core.report.files.adr.profiles import PROFILES, SHEET, AdrProfile, ProfileName, title_of
from debate_core.report.files.adr.record_number import RecordNumber
from debate_core.report.files.anonymise import names_of
from debate_core.report.files.document import Block, Document, Heading, LabelledLines, Paragraph, Quote, Strong, slug
from debate_core.report.phrases.agreement import poll_sentence, ties_sentence
from debate_core.report.phrases.cautions import FLAG_WORDS, doubts
from debate_core.report.phrases.contradictions import contradicting_words
from debate_core.report.phrases.decision import (
    CHANGES_FIRST,
    assumptions_words,
    escalation_sentence,
    reversibility_words,
    since_sentences,
)
from debate_core.report.phrases.decision_status import count_line, decision_status
from debate_core.report.phrases.foreword import warning_words
from debate_core.report.phrases.rules import agreed_sentence
from debate_core.report.phrases.who_decided import decided_sentence, no_person_sentence
from debate_core.text import whole_sentence, with_final_mark

_MAX_CHARS = 240
"""Length of a text of people here; its section has the whole text."""
_MAX_LINES = 3
_MAX_DOUBTS = 6
_ABOVE = ("rehearsal", "origin_unknown", "held_elsewhere", "not_a_debate", "tie", "no_ballots", "too_few_ballots")
"""Flags with a warning below the title, and those that the count shows."""


def brief(case: Case) -> list[Block]:
    """The first page: each row is a label with its sentences; a row without any is omitted."""
    rows = (
        (_("Decision"), _decided(case)),
        (_("Since then"), since_sentences(case.account)),
        (_("Voters"), [_shortened(", ".join(voters(case)))]),
        (_("Count"), _counted(case)),
        (_("Rule"), _rule(case)),
        (_("Against it"), _against(case)),
        *_follows(case),
        (_("Assumptions"), _assumptions(case)),
        (_("Uncertain"), _doubts(case)),
        (_("Next review"), _review(case)),
        (_("Validity"), _valid(case)),
    )
    known = ((label, tuple(case.say(words) for words in lines if words.strip())) for label, lines in rows)
    return [LabelledLines(tuple((label, lines) for label, lines in known if lines))]


def _decided(case: Case) -> Iterator[str]:
    signed = case.decision.signed
    yield decided_sentence(case.account, name=case.who(signed.by.id) if signed else "")
    yield escalation_sentence(case.account)


def _counted(case: Case) -> Iterator[str]:
    """The points of every option, or the arithmetic of a decision without points."""
    if case.state.outcome is None:
        return
    yield count_line(case.account) or decision_status(case.account, with_cautions=False).line
    yield whole_sentence(words) if (words := contradicting_words(case.account)) else ""


def _rule(case: Case) -> Iterator[str]:
    """The agreed rule of the deciding electorate or seat."""
    terms = case.state.spec.terms
    if terms.decides == "debaters":
        yield agreed_sentence(case.state.spec)
    else:
        people = [person for electorate in ELECTORATES for person in case.account.final_voters(electorate)]
        yield f"{poll_sentence(terms, people)} {ties_sentence(terms.vote)}"


def _against(case: Case) -> Iterator[str]:
    """Ballots for other options, dissent, then the claims that people read against the option in force."""
    decision = case.decision
    yield _outvoted(case)
    for dissent in decision.dissents:
        by = case.who(dissent.by.id) if dissent.by else _("without a name")
        yield f"{DISSENTS[dissent.kind]}, {by}: {with_final_mark(_shortened(dissent.text))}"
    if decision.option is None:
        return
    reasons = case.account.once(option_reasons)[decision.option]
    against = [case.within(reason.row.claim) for reason in reasons if reason.side == "against"]
    yield from (whole_sentence(_shortened(claim)) for claim in against[:_MAX_LINES])
    if decision.signed is not None and not decision.dissents:
        yield _("No one recorded a dissent or an objection.")


def _outvoted(case: Case) -> str:
    """The number of ballots for other options; empty if there are none, or a ballot is more than one vote."""
    bars = deciding_bars(case.account)
    if bars is None or bars.unit != "votes" or case.decision.option is None:
        return ""
    if sum(bar.has for bar in bars.bars) > bars.cast:
        return ""
    others = sum(bar.has for bar in bars.bars if bar.option != case.decision.option)
    return (
        _n(
            int(others),
            "{n} of {cast} ballots was for another option.",
            "{n} of {cast} ballots were for other options.",
            cast=bars.cast,
        )
        if others
        else ""
    )


def _follows(case: Case) -> Iterator[tuple[str, list[str]]]:
    """Rows of the owner, people to be informed, and affected parts, as signed."""
    signed = case.decision.signed
    if signed is None:
        return
    for label, said in (
        (_("Owner"), signed.word.owner.strip() or (_("no one named") if signed.word.option else "")),
        (_("To be informed"), ", ".join(informed(case))),
        (_("Affects"), ", ".join(affected_parts(case, signed.word))),
    ):
        yield label, [with_final_mark(_shortened(said)) if said.strip() else ""]


def _assumptions(case: Case) -> list[str]:
    signed = case.decision.signed
    return list(map(whole_sentence, assumptions_words(signed.word, case.say))) if signed else []


def _doubts(case: Case) -> Iterator[str]:
    """Doubts of the screens, without those above, and what is contested."""
    yield no_person_sentence(case.account)
    above = {FLAG_WORDS[name] for name in _ABOVE}
    reasons = [doubt.reason for doubt in doubts(case.account) if doubt.words not in above]
    yield from reasons[:_MAX_DOUBTS]
    synthesis = case.account.standing
    for point in synthesis.content.contested[:_MAX_LINES] if synthesis else ():
        yield _("Contested: {text}", text=with_final_mark(_shortened(point.text)))


def _review(case: Case) -> Iterator[str]:
    signed = case.decision.signed
    if signed is None or signed.word.option is None or case.decision.latest_outcome is not None:
        return
    planned = whole_sentence(case.decision.review or _("No review is planned"))
    effort = whole_sentence(reversibility_words(signed.word)) if signed.word.reversibility else ""
    yield f"{planned} {effort}"


def _valid(case: Case) -> Iterator[str]:
    """The signature in force, and the check of the record."""
    decision = case.decision
    if case.state.outcome is None:
        return
    if decision.signed is None:
        yield _("No one has signed it yet: its status is “proposed” ({day}).", day=day(case))
    else:
        who = name_and_role(case, decision.signed.by)
        yield _("Signed by {who} on {day}.", who=who, day=day(case))
        yield _(CHANGES_FIRST) if decision.changes_asked else ""
        is_escalated = decision.signed.word.verdict == "escalate"
        yield _("Escalated: it stays proposed until someone with the mandate signs.") if is_escalated else ""
    yield _("Anyone who has the record of the debate can count it again.")


def _shortened(text: str) -> str:
    return shorten(text, _MAX_CHARS, placeholder=" …")


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
