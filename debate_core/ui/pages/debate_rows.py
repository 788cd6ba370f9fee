"""Debates as rows of a list: the task that waits for this person, the phase or the decision, and the count.

Counts nothing and knows no rules. Reads the records of debates that go on or wait for this person; the others are drawn
from their kept rows alone.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from types import MappingProxyType
from typing import get_args

from debate_core.engine import stage
from debate_core.engine.engine import requests
from debate_core.host.debate_list import DebateRow, PausedFor
from debate_core.language import Words, _, _n, message, spoken_list
from debate_core.record.acts import OutcomeRecorded, Signed
from debate_core.record.state import State
from debate_core.report.facts.account import Account
from debate_core.report.facts.agenda import AgendaStep, agenda
from debate_core.report.facts.decision import approvers, date_has_come
from debate_core.report.facts.health import ORIGIN_UNKNOWN
from debate_core.report.facts.vote_bars import VoteBars, deciding_bars, letters, vote_bars
from debate_core.report.facts.who_decided import WhoDecided, who_decided
from debate_core.report.phrases.cautions import SINCE
from debate_core.report.phrases.decision_status import STATUS, DecisionStatus, count_words, decision_status, headline
from debate_core.report.phrases.foreword import held_elsewhere_words
from debate_core.report.phrases.who_decided import count_sentence, override_words
from debate_core.spec.people import Person
from debate_core.spec.values import in_words
from debate_core.ui.kit import accounts, session
from debate_core.ui.kit.badges import waiting_words
from debate_core.ui.kit.components import parts
from debate_core.ui.kit.components.parts import RowPart
from debate_core.ui.kit.dates import recent_day_words, recent_minute_words, spell_days
from debate_core.ui.kit.session import Me
from debate_core.ui.results import sign_off
from debate_core.ui.room.live.transcript import may_see_count

GOING_ON = ("running", "waiting", "paused", *get_args(stage.AgreedWait))
JUDGE_FIRST = message("To be judged first")
SIGN = message("Sign")
VOTE = message("Vote")
SPEAK = message("Speak")
JUDGE = message("Judge")
LEAD = message("Lead")
CONTINUE = message("Continue")
FOLLOW = message("Follow")
READ = message("Read")
AFTERMATH = message("Record the outcome")
REVIEW = message("Review")
NO_WORDS: Mapping[str, str] = MappingProxyType({})


def goes_on(row: DebateRow) -> bool:
    """True while a seat can speak or a deciding vote is open."""
    return row.status in GOING_ON or row.sign_off.waits_for == "vote"


def runs_with_people(row: DebateRow) -> bool:
    """True for a debate that goes on in a room."""
    return row.has_people and goes_on(row)


def live_now(rows: Iterable[DebateRow]) -> tuple[DebateRow, ...]:
    """The debates in which something happens now: the user's own before others, then the latest opened."""

    def rank(row: DebateRow) -> tuple[bool, str]:
        return row.has_people and session.may_be_in(row), row.opened_at

    live = filter(is_live, rows)
    return tuple(sorted(live, key=rank, reverse=True))


def is_live(row: DebateRow) -> bool:
    """True while something happens in a debate that is not archived."""
    return not row.ownership.archived and (runs_with_people(row) or row.status == "running")


def awaits_signature(row: DebateRow) -> bool:
    """True for a debate that is over and decided without a signature, or whose signature is not the last word.

    A rehearsal without people needs none.
    """
    if row.status == "over" or goes_on(row):
        return False
    is_unsigned = row.sign_off.standing == "counted" and (row.has_people or not row.rehearsal)
    return is_unsigned or bool(row.sign_off.waits_for)


def is_due(row: DebateRow, today: date) -> bool:
    """True if a date of the review note has come."""
    return date_has_come(row.sign_off.revisit, today)


def my_word(row: DebateRow) -> str:
    """The task of this person in a debate, as the word on a button; empty if the debate does not wait for them."""
    due = bool(row.sign_off.revisit) and is_due(row, datetime.now(UTC).date())
    if not (goes_on(row) or row.awaits_judges or row.sign_off.waits_for or row.sign_off.since == "challenged" or due):
        return ""
    if not row.has_people:
        return _task_without_people(row, due=due)
    if not session.may_be_in(row):
        return ""
    state = session.host().state(row.id)
    me = session.me(state)
    return _task_of(me.person, row, state, me, due=due) if me.person else ""


def _task_of(person: Person, row: DebateRow, state: State, me: Me, *, due: bool) -> str:
    """The task of a person of the room; tasks that all people have come first."""
    if _has_to_vote(person, state):
        return VOTE
    if row.awaits_judges and not session.may_see_result(state, me):
        return JUDGE
    if any(request.seat in me.seats for request in requests(state)):
        return SPEAK
    if me.facilitator and awaits_lead(row):
        return LEAD
    return _task_after_end(row, state, me, due=due)


def awaits_lead(row: DebateRow) -> bool:
    """True while a debate goes on only when the facilitator acts, or people vote."""
    return row.status in get_args(stage.AgreedWait) or row.sign_off.waits_for == "vote"


def _task_after_end(row: DebateRow, state: State, me: Me, *, due: bool) -> str:
    if row.sign_off.waits_for not in ("", "vote"):
        return SIGN if session.may(state, me, Signed) else ""
    return _review_word(row, due=due) if session.may(state, me, OutcomeRecorded) else ""


def _review_word(row: DebateRow, *, due: bool) -> str:
    if row.sign_off.since == "challenged":
        return REVIEW
    return AFTERMATH if due else ""


def _has_to_vote(person: Person, state: State) -> bool:
    poll = stage.open_poll(state)
    return poll is not None and person.electorate is not None and person.id not in poll.ballots


def _task_without_people(row: DebateRow, *, due: bool) -> str:
    """The task of the person at this screen, who has all roles in their own debate."""
    if row.is_match or not session.owns(row):
        return ""
    if row.status == "waiting":
        spec = session.host().state(row.id).spec
        return SPEAK if any(spec.seat(seat).occupant == "human" for seat in row.waiting_for) else ""
    if row.sign_off.waits_for:
        return SIGN
    return _review_word(row, due=due)


def numbers(rows: Sequence[DebateRow]) -> Mapping[str, int]:
    """Map ids to the number of the debate among those on the same question, the oldest first; 0 if it is alone."""
    found: dict[str, int] = {}
    of_question = Counter(row.question for row in rows)
    times = Counter[str]()
    for row in sorted(rows, key=lambda row: (row.opened_at, row.id)):
        times[row.question] += 1
        found[row.id] = times[row.question] if of_question[row.question] > 1 else 0
    return found


def draw(
    rows: Sequence[DebateRow],
    numbers: Mapping[str, int],
    *,
    label: str,
    key: str,
    words: Mapping[str, str] = NO_WORDS,
    on_again: Callable[[str], None] | None = None,
) -> None:
    """Draw the rows; pressing a row opens its debate.

    `numbers` come from `numbers()` and `words` from `my_word()`, by debate. Buttons are filled where this person acts,
    and plain where there is only something to see. `on_again` gets a debate to set up again.
    """
    words = {row.id: word for row in rows if (word := words.get(row.id) or _word_to_sign(row))}
    drawn: list[RowPart] = []
    for row in rows:
        part = _make_row(row, words.get(row.id, ""))
        if numbers[row.id] and row.status != "over":
            opened = _("opened {when}", when=recent_minute_words(row.opened_at))
            part["beside"] = " · ".join(filter(None, (part["beside"], opened)))
        again = _again_words(row) if on_again else ""
        drawn.append({**part, "nth": numbers[row.id], "again": again})
    _open_pressed(parts.draw_list(drawn, label=label, key=key, on_again=on_again), rows, words)


def _again_words(row: DebateRow) -> str:
    return _("Set up again") if row.status != "over" else ""


def draw_closed(
    rows: Sequence[DebateRow],
    numbers: Mapping[str, int],
    *,
    label: str,
    key: str,
    words: Mapping[str, str] = NO_WORDS,
    on_again: Callable[[str], None] | None = None,
) -> None:
    """Draw debates that are over in two lines each; reads no record. `on_again` gets a debate to set up again."""
    drawn: list[RowPart] = []
    for row in rows:
        again = _again_words(row) if on_again else ""
        part = _make_closed_row(row, words.get(row.id, ""))
        if numbers[row.id] and row.status != "over":
            part["date"] = recent_minute_words(row.decided_at or row.opened_at)
        drawn.append({**part, "nth": numbers[row.id], "again": again})
    _open_pressed(parts.draw_list(drawn, label=label, key=key, dense=True, on_again=on_again), rows, words)


def _open_pressed(pressed: str, rows: Sequence[DebateRow], words: Mapping[str, str]) -> None:
    for row in rows:
        if row.id == pressed:
            word = words.get(row.id, "")
            is_in_room = goes_on(row) or word not in ("", REVIEW)
            if word in (SIGN, AFTERMATH):
                sign_off.open_desk()
                is_in_room = False
            session.open_page("room.py" if is_in_room else "results.py", row.id)


def _make_closed_row(row: DebateRow, word: str) -> RowPart:
    if row.status == "over":
        return {**_make_row_to_judge(row, word), "primary": False}
    decided = row.sign_off
    review = _("review due: {revisit}", revisit=spell_days(decided.revisit)) if decided.revisit else ""
    beside = " · ".join(filter(None, (STATUS[decided.standing], review)))
    part = parts.plain_row(row.id, row.question, beside, button=_(word) if word else "")
    if decided.against_count:
        part["override"] = _("Against the count")
    return {
        **part,
        "chips": _list_chips(row),
        "stands": headline(decided.standing, decided.option),
        "letter": letters(row.options).get(decided.option or "", ""),
        "decided": decided.option is not None,
        "date": recent_day_words(row.decided_at or row.opened_at),
    }


def _make_row(row: DebateRow, word: str) -> RowPart:
    if row.status == "over":
        return _make_row_to_judge(row, word)
    state = session.host().state(row.id)
    facts = accounts.at_page(state, ()).once(_row_facts)
    status = facts.status
    word = word or _word_to_go_on(row, state)
    button = _(word or (FOLLOW if goes_on(row) else READ))
    part: RowPart = {
        **parts.plain_row(row.id, row.question, facts.beside, button=button, primary=bool(word)),
        "override": facts.override,
        "chips": _list_chips(row),
        "stands": status.headline,
        "letter": status.letter,
        "decided": bool(status.option),
        "count": f"{status.decider.label}: {status.decider.who}",
        "date": recent_day_words(row.decided_at or row.opened_at),
    }
    if status.of_no_person:
        part["chips"].append(_("No person voted"))
    _add_progress(part, row, state)
    if facts.bars and not (row.status in GOING_ON and _hides_count(state)):
        part["votes"] = parts.small_votes_part(facts.bars)
        part["count"] = facts.count
    return part


def _add_progress(part: RowPart, row: DebateRow, state: State) -> None:
    """Add the steps of a debate that goes on."""
    if goes_on(row) and (steps := agenda(state)):
        part["phases"] = [step.when for step in steps]
        part["stands"] = _describe_phase(row, state, steps)


def _word_to_go_on(row: DebateRow, state: State) -> str:
    """The word for a debate that goes on with this person; empty for observers and for debates that are over."""
    person = session.me(state).person if goes_on(row) and row.has_people and session.may_be_in(row) else None
    return CONTINUE if person and person.role != "observer" else ""


def may_be_signed_here(row: DebateRow) -> bool:
    """True for a decision of seats that the person at this screen may sign, although no rule asks for it."""
    return not row.has_people and awaits_signature(row) and session.owns(row)


def _word_to_sign(row: DebateRow) -> str:
    return SIGN if may_be_signed_here(row) else ""


def word_of(row: DebateRow) -> str:
    """The task of this person, or the signature that they may give although no rule asks for it."""
    return my_word(row) or _word_to_sign(row)


def may_sign(row: DebateRow) -> bool:
    """True if this person may sign the decision, asked or not."""
    return word_of(row) == SIGN


def phase_words(row: DebateRow) -> str:
    """`Final vote · 3 ballots missing` for a debate that goes on; empty without steps, and after the end."""
    state = session.host().state(row.id)
    steps = agenda(state) if goes_on(row) else ()
    return _describe_phase(row, state, steps) if steps else ""


def _make_row_to_judge(row: DebateRow, word: str) -> RowPart:
    """A row without the decision, which a judge of this debate must not learn."""
    plain = parts.plain_row(row.id, row.question, "", button=_(word), primary=bool(word))
    return {**plain, "chips": _list_chips(row), "stands": _(JUDGE_FIRST), "date": recent_day_words(row.opened_at)}


def _list_chips(row: DebateRow) -> list[str]:
    chips = []
    if row.sign_off.since in SINCE:
        chips.append(SINCE[row.sign_off.since])
    if row.rehearsal:
        chips.append(_("Rehearsal"))
    if words := held_elsewhere_words(row.held_elsewhere):
        chips.append(words)
    if row.origin_unknown:
        chips.append(_(ORIGIN_UNKNOWN))
    return chips


def _describe_phase(row: DebateRow, state: State, steps: Sequence[AgendaStep]) -> str:
    """`Round 2, rebuttal · waiting for planner`, `Pre-vote · 3 ballots missing`."""
    now = next((step for step in steps if step.when == "now"), steps[-1])
    beside = now.beside if row.status in GOING_ON else ""
    return " · ".join(filter(None, (", ".join(filter(None, (now.name, beside))), _awaited_words(row, state))))


_PAUSED: Words[PausedFor] = Words(
    {
        "": "paused",
        "limit": "paused: a limit is reached",
        "unreached": "paused: models cannot be reached",
        "people": "paused",
    }
)


def _awaited_words(row: DebateRow, state: State) -> str:
    """People or seats that the debate waits for: `waiting for planner`, `3 ballots missing`."""
    if stage.open_poll(state):
        return _missing_ballots(state)
    if row.status == "paused":
        return _PAUSED[row.paused_for]
    if row.status == "running" and row.waiting_for:
        names = spoken_list([*map(in_words, row.waiting_for)])
        return _n(len(row.waiting_for), "{seats} speaks", "{seats} speak", seats=names)
    if row.status == "waiting":
        return waiting_words(row) or _("waiting for people")
    leads = _facilitator(state)
    if row.sign_off.waits_for == "vote" and _is_final_vote_closed(state):
        return _("closed, to be revealed by {name}", name=leads) if leads else _("closed, not revealed yet")
    return _("waiting for {seats}", seats=leads) if leads else ""


def _missing_ballots(state: State) -> str:
    missing = sum(_has_to_vote(person, state) for person in stage.present(state))
    return _n(missing, "{n} ballot missing", "{n} ballots missing") if missing else _("all ballots are in")


def _is_final_vote_closed(state: State) -> bool:
    final = state.room.polls.get("final")
    return final is not None and final.closed is not None


def _facilitator(state: State) -> str:
    return next((person.name for person in stage.present(state) if person.role == session.FACILITATOR), "")


def _hides_count(state: State) -> bool:
    """True while the room hides the count from this person, too."""
    if not state.spec.has_people:
        return False
    me = session.me(state)
    return not (session.may_see_result(state, me) and may_see_count(state, me.answers_for))


@dataclass(frozen=True, slots=True)
class _RowFacts:
    """Facts of one debate for its row, as a reader without a seat sees them."""

    status: DecisionStatus
    bars: VoteBars | None
    count: str
    override: str
    beside: str


def _row_facts(account: Account) -> _RowFacts:
    decided = account.once(who_decided)
    status = decision_status(account, with_cautions=False)
    bars = deciding_bars(account)
    if stage.open_poll(account.state):
        bars = next((one for one in vote_bars(account) if not one.are_of_seats), None)
    count = ""
    if bars and decided.counted.option not in (None, decided.option):
        # Name the counted option, because another one was signed.
        count = count_sentence(decided).removesuffix(".")
    elif bars:
        count = count_words(bars, is_over=decided.standing not in ("open", "vote_due"))
    return _RowFacts(
        status=status,
        bars=bars,
        count=count,
        override=override_words(decided),
        beside=_describe_people(account, decided, status),
    )


def _describe_people(account: Account, decided: WhoDecided, status: DecisionStatus) -> str:
    """`Fay leads · 3 seats, 12 voters`; after the decision `Accepted by Abe · review due: 1 Jan 2027`."""
    state = account.state
    if state.outcome is not None and decided.standing != "vote_due":
        words = _describe_signature(decided, status)
        if decided.standing == "counted" and (names := approvers(state)):
            words += _(" · {names} signs", names=spoken_list(names))
        if review := account.decision.review:
            words += _(" · review due: {revisit}", revisit=spell_days(review))
        return words
    people = stage.present(state)
    who = _n(len(state.spec.seats), "{n} seat", "{n} seats")
    voters = sum(person.electorate is not None for person in people)
    if voters:
        who += f", {_n(voters, '{n} voter', '{n} voters')}"
    leads = _facilitator(state)
    return f"{_('{name} leads', name=leads)} · {who}" if leads else who


def _describe_signature(decided: WhoDecided, status: DecisionStatus) -> str:
    """`Accepted by Abe`, `Decided by Abe, against the count`, `Undecided`."""
    if decided.by_person:
        return f"{status.decider.label} {status.decider.who}"
    if decided.signed is None:
        return status.status
    # A later fate of the decision is a chip.
    return f"{STATUS[decided.standing]} · {decided.signed.by.name}"
