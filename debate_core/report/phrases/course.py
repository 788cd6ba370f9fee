"""The course of a debate: whether all were heard, whether people stepped in, and its time, rounds and cost.

Unknown figures are left out or called unknown. Knows no screen.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from debate_core.engine.quotes import FOUND
from debate_core.engine.stage import speaker_name
from debate_core.language import _, _n, spoken_list
from debate_core.report.facts.account import Account
from debate_core.report.facts.usage import used_in
from debate_core.report.facts.vote_bars import deciding_bars
from debate_core.report.facts.who_decided import who_decided
from debate_core.report.phrases.costs import UNKNOWN, usd_words
from debate_core.report.phrases.limits import about_words
from debate_core.report.phrases.who_decided import count_sentence, override_words
from debate_core.spec.protocol import agenda, speakers_in
from debate_core.text import capitalized


@dataclass(frozen=True, slots=True)
class CourseFigure:
    """A figure with its label; `note` explains what it includes, or is empty."""

    label: str
    value: str
    note: str = ""


def course_figures(account: Account) -> tuple[CourseFigure, ...]:
    """The figures that say how large the debate was."""
    return tuple(_figures(account))


def _figures(account: Account) -> Iterator[CourseFigure]:
    state = account.state
    if state.outcome and state.closed_at and not state.spec.held_elsewhere:
        yield CourseFigure(_("Time of the rounds"), *_duration(account, state.closed_at))
    yield _of(_("Rounds"), state.current_round(), state.spec.max_rounds)
    if state.spec.models:
        yield CourseFigure(_("Paid to models"), *_cost(account))


def _duration(account: Account, end: str) -> tuple[str, str]:
    """The time of the rounds, and what it includes: a room waits in its lobby for people."""
    turns = account.turns if account.state.spec.has_people else ()
    begun = [turn.started_at or turn.submitted_at for turn in turns]
    note = _("From the opening to the end.")
    if begun:
        note = _("From the first turn to the end of the rounds. Pauses and waiting are included.")
    since = min(filter(None, begun), default=account.state.opened_at)
    return about_words((datetime.fromisoformat(end) - datetime.fromisoformat(since)).total_seconds()), note


def _of(label: str, number: int, of: int) -> CourseFigure:
    return CourseFigure(label, _("{number} of {of}", number=number, of=of))


def participation_figures(account: Account) -> tuple[CourseFigure, ...]:
    """Turns and deciding ballots, each with its base, after the end."""
    given = sum(turn.content is not None for turn in account.readable_turns)
    turns = CourseFigure(_("Turns given"), _turns_words(account, given))
    bars = deciding_bars(account)
    return (turns, _of(_("Deciding ballots"), bars.cast, bars.eligible)) if bars and bars.eligible else (turns,)


def _turns_words(account: Account, given: int) -> str:
    """`12 of 12`, `3 of at most 24` if the rounds ended early, or the number alone where a moderator chooses."""
    planned = planned_turns(account)
    if planned is None:
        return str(given)
    if account.state.current_round() < account.state.spec.max_rounds:
        return _("{number} of at most {of}", number=given, of=planned)
    return _("{number} of {of}", number=given, of=planned)


def planned_turns(account: Account) -> int | None:
    """Turns of all rounds as agreed; None where a moderator chooses the speakers."""
    spec = account.state.spec
    if any(phase.gives == "directive" for phase in spec.protocol.phases()):
        return None
    return sum(len(speakers_in(spec, [slot])) for slot in agenda(spec))


def _cost(account: Account) -> tuple[str, str]:
    """The cost, and what it means."""
    used = used_in(account.usage)
    if not used.calls:
        return _("nothing"), ""
    if used.unpriced_calls == used.calls:
        return _(UNKNOWN), _("The prices of the models are not known.")
    if used.unpriced_calls:
        note = _n(used.unpriced_calls, "Without {n} call of unknown price.", "Without {n} calls of unknown price.")
        return _("at least {usd}", usd=usd_words(used.priced_usd)), note
    return usd_words(used.priced_usd), ""


def calls_sentence(account: Account) -> str:
    """The reason why nothing was paid; empty if calls were made."""
    if used_in(account.usage).calls:
        return ""
    if account.state.spec.models:
        return _("No model was called.")
    return _("No model took part.")


def silent_sentence(account: Account) -> str:
    """The seats that gave no turn."""
    state = account.state
    spoke = {turn.seat for turn in account.readable_turns if turn.content is not None}
    silent = [speaker_name(state, seat.id) for seat in state.spec.debaters() if seat.id not in spoke]
    if not silent:
        return _("Every seat spoke.")
    return _("Silent: {seats}.", seats=spoken_list(silent))


def override_sentence(account: Account) -> str:
    """A decision against the count, or a signature that follows it; empty without a signature."""
    decided = account.once(who_decided)
    if words := override_words(decided):
        return f"{capitalized(words)}: {count_sentence(decided)}"
    if decided.signed is not None and decided.counted.option is not None and decided.standing == "accepted":
        return _("The signature follows the count.")
    return ""


def rule_sentence(account: Account) -> str:
    """Say if the agreed rule gave the decision, with its count."""
    decided = account.once(who_decided)
    count = count_sentence(decided)
    if words := override_words(decided):
        return _("No. {override}: {count}", override=words, count=count)
    if decided.option is not None and decided.option == decided.counted.option:
        return _("Yes. {count}", count=count)
    return count


def quote_check_sentences(account: Account) -> tuple[str, str]:
    """The result of the quote check, and what it leaves open."""
    quoted = [row for row in account.claims if row.evidence_text]
    found = sum(row.quote_verified in FOUND for row in quoted)
    n = len(quoted)
    result = _n(n, "{found} of {n} quote is in its source.", "{found} of {n} quotes are in their sources.", found=found)
    bare = len(account.claims) - n
    open_words = _n(bare, "{n} claim has no quote.", "{n} claims have no quote.") if bare else ""
    judged = _("Whether a quote proves its claim is for people to judge.")
    return result if n else _("No claim has a quote."), f"{open_words} {judged}".lstrip()
