"""The transcript in a document: turns and messages to all seats, among the texts of silent steps."""

from collections.abc import Iterator
from dataclasses import dataclass

from debate_core.engine import preparation
from debate_core.language import _
from debate_core.report.facts.account import Account
from debate_core.report.facts.terms import named, recorded
from debate_core.report.facts.turns import TurnRow, shown_text
from debate_core.report.files.document import Block, Heading, Own, Paragraph, Speech, items, titled
from debate_core.report.phrases.content_lines import note_lines
from debate_core.report.phrases.ending import TURN_STATUS
from debate_core.report.phrases.look_ups import look_up_lines
from debate_core.report.phrases.names import speaker_of_turn
from debate_core.report.phrases.turns import NO_REASON_GIVEN, argues_for_words, left_out_words
from debate_core.spec.people import SilentStep
from debate_core.spec.values import ABSTAIN
from debate_core.text import capitalized, line


@dataclass(frozen=True, slots=True)
class _PhaseSpeeches:
    """A phase of a round with its turns, and with messages of people to all seats."""

    words: str
    speeches: tuple[Speech, ...]


def _phase_speeches(account: Account) -> Iterator[_PhaseSpeeches]:
    state = account.state
    for number, phase in state.ran:
        words = _("round {number}, {phase}", number=number, phase=named(phase))
        here = [row for row in account.turns if (row.round, row.phase) == (number, phase)]
        turns = [
            Speech(words, speaker_of_turn(account, row), _turn_remark(row), shown_text(row), _turn_notes(account, row))
            for row in here
        ]
        to_all = [
            Speech(words, given.speaker, f" ({given.kind})", given.text)
            for given in account.to_all.get((number, phase), ())
        ]
        if turns or to_all:
            yield _PhaseSpeeches(words, (*turns, *to_all))


def _turn_notes(account: Account, row: TurnRow) -> tuple[str, ...]:
    if row.status == "struck":
        return ()
    no_reason = _(NO_REASON_GIVEN) if row.no_reason else ""
    findings = (argues_for_words(row.argues_for), no_reason, left_out_words(row.left_out))
    look_ups = look_up_lines(account.look_ups(row))
    return (*note_lines(account, row), *filter(None, findings), *look_ups)


def _turn_remark(row: TurnRow) -> str:
    """`, votes for adopt, attempt 2; attempt 1: no answer within 60 s`."""
    vote = line(row.vote or "")
    attempts = _attempts_words(row)
    match row.status:
        case "struck" if vote:
            return _(", struck; its vote stays: {vote}", vote=vote)
        case "struck":
            return _(", struck")
        case "ok" if vote == ABSTAIN:
            return _(", abstains{attempts}", attempts=attempts)
        case "ok" if vote:
            return _(", votes for {vote}{attempts}", vote=vote, attempts=attempts)
        case "ok":
            return attempts
        case _:
            partial = _(", partial text") if row.text else ""
            status = TURN_STATUS[row.status]
            return _(", no turn: {status}{partial}{attempts}", status=status, partial=partial, attempts=attempts)


def _attempts_words(row: TurnRow) -> str:
    """`, attempt 2; attempt 1: no answer within 60 s`."""
    if not row.failures:
        return ""
    whys = (TURN_STATUS[why] if why in TURN_STATUS else recorded(line(why)) for why in row.failures)
    failed = (_("attempt {number}: {why}", number=n, why=why) for n, why in enumerate(whys, start=1))
    return _(", attempt {retries}; {failed}", retries=row.retries + 1, failed="; ".join(failed))


def speeches(account: Account) -> list[Block]:
    """Turns and messages to all seats, each with its place."""
    return [speech for phase in _phase_speeches(account) for speech in phase.speeches]


def speeches_by_place(account: Account) -> list[Block]:
    """Turns and messages to all seats, under a title for each phase of a round, among silent texts."""
    blocks = written(account, "facts", _("What people knew before the first vote"))
    for phase in _phase_speeches(account):
        blocks += [Heading(3, Own(capitalized(phase.words))), *phase.speeches]
    blocks += written(account, "premortem", _("Premortem: why the decision might be reversed"))
    return blocks or [Paragraph(_("No turn was taken."))]


def transcript(account: Account) -> list[Block]:
    """`speeches_by_place` under a title."""
    return [Heading(2, _("Transcript")), *speeches_by_place(account)]


def written(account: Account, step: SilentStep, title: str) -> list[Block]:
    """The texts of a silent step under a title; nothing without any."""
    # Reasons of seats are in their turns.
    return titled(title, items(preparation.shown_texts(account.state, step)), level=3)
