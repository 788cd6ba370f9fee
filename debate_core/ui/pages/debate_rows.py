"""Debates as rows of a list: what each waits for from me, how far it has come or what was decided, and its count.

Counts nothing and knows no rules. Only rows that are drawn are read whole.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from types import MappingProxyType
from typing import get_args

from debate_core.engine import stage
from debate_core.engine.engine import requests
from debate_core.host.debate_list import DebateRow
from debate_core.language import _, _n, message
from debate_core.record.acts import OutcomeRecorded, Signed
from debate_core.record.events import Closed
from debate_core.record.state import State
from debate_core.report.facts.account import Account
from debate_core.report.facts.agenda import AgendaStep, agenda
from debate_core.report.facts.decision import date_has_come
from debate_core.report.facts.health import ORIGIN_UNKNOWN
from debate_core.report.facts.vote_bars import VoteBars, deciding_bars, vote_bars
from debate_core.report.facts.who_decided import WhoDecided, who_decided
from debate_core.report.words.decision_status import DecisionStatus, count_words, decision_status
from debate_core.report.words.who_decided import count_sentence, override_words
from debate_core.spec.people import Person
from debate_core.ui.kit import accounts, session
from debate_core.ui.kit.badges import waiting_words
from debate_core.ui.kit.face import parts
from debate_core.ui.kit.face.parts import RowPart
from debate_core.ui.kit.session import Me
from debate_core.ui.kit.words import day_words
from debate_core.ui.results import sign_off
from debate_core.ui.room.live.transcript import may_see_count

GOING_ON = ("running", "waiting", "paused", *get_args(stage.AgreedWait))
JUDGE_FIRST = message("It is judged first")
SIGN = message("Sign")
VOTE = message("Vote")
SPEAK = message("Speak")
JUDGE = message("Judge")
LEAD = message("Lead")
AFTERMATH = message("Say what became of it")
NO_WORDS: Mapping[str, str] = MappingProxyType({})
_LEADS_ON = get_args(stage.AgreedWait)


def goes_on(row: DebateRow) -> bool:
    """True as long as somebody can still speak or cast a vote that decides."""
    return row.status in GOING_ON or row.sign_off.waits_for == "vote"


def runs_with_people(row: DebateRow) -> bool:
    """True for a debate that goes on in a room."""
    return row.has_people and goes_on(row)


def running_now(rows: Sequence[DebateRow]) -> DebateRow | None:
    """The debate in a room that comes first: one of mine before others, a begun one before a lobby, then the latest."""
    running = [row for row in rows if runs_with_people(row) and not row.ownership.archived]
    return max(running, key=_nearness, default=None)


def _nearness(row: DebateRow) -> tuple[bool, bool, str]:
    state = session.host().state(row.id)
    return session.me(state).person is not None, row.status != "lobby", row.moved_at


def is_due(row: DebateRow, today: date) -> bool:
    """True if a date of the revisit note has come."""
    return date_has_come(row.sign_off.revisit, today)


def my_word(row: DebateRow) -> str:
    """What this debate waits for from me, as the word on a button; empty if it does not wait for me."""
    due = is_due(row, datetime.now(UTC).date())
    if not (goes_on(row) or row.awaits_judges or row.sign_off.waits_for or due):
        return ""
    state = session.host().state(row.id)
    if not state.spec.has_people:
        return _word_without_people(row, state, due=due)
    me = session.me(state)
    return _word_of(me.person, row, state, me, due=due) if me.person else ""


def _word_of(person: Person, row: DebateRow, state: State, me: Me, *, due: bool) -> str:
    """What it waits for from somebody of the room; what is asked of everybody comes first."""
    if _is_to_vote(person, state):
        return VOTE
    if row.awaits_judges and not session.may_see_result(state, me):
        return JUDGE
    if any(request.seat in me.seats for request in requests(state)):
        return SPEAK
    if me.facilitator and _is_to_be_led_on(row):
        return LEAD
    return _word_after_the_end(row, state, me, due=due)


def _is_to_vote(person: Person, state: State) -> bool:
    poll = stage.open_poll(state)
    return poll is not None and person.electorate is not None and person.id not in poll.ballots


def _is_to_be_led_on(row: DebateRow) -> bool:
    return row.status in _LEADS_ON or row.sign_off.waits_for == "vote"


def _word_after_the_end(row: DebateRow, state: State, me: Me, *, due: bool) -> str:
    if row.sign_off.waits_for not in ("", "vote"):
        return SIGN if session.may(state, me, Signed) else ""
    if due and session.may(state, me, OutcomeRecorded):
        return AFTERMATH
    return ""


def _word_without_people(row: DebateRow, state: State, *, due: bool) -> str:
    """Whoever sits here may do all of it, if it is theirs."""
    if not session.may_take_part(state):
        return ""
    if row.status == "waiting":
        by_people = any(state.spec.seat(seat).occupant == "human" for seat in row.waiting_for)
        return SPEAK if by_people else ""
    if row.sign_off.waits_for:
        return SIGN
    return AFTERMATH if due else ""


def numbers(rows: Sequence[DebateRow]) -> Mapping[str, int]:
    """Debate -> its number among the debates on the same question, the oldest first."""
    found: dict[str, int] = {}
    times = Counter[str]()
    for row in sorted(rows, key=lambda row: (row.opened_at, row.id)):
        times[row.question] += 1
        found[row.id] = times[row.question]
    return found


def draw(
    rows: Sequence[DebateRow],
    numbers: Mapping[str, int],
    *,
    label: str,
    key: str,
    words: Mapping[str, str] = NO_WORDS,
    first_is_next: bool = False,
    large: DebateRow | None = None,
) -> None:
    """The rows, one of them large; whoever presses one goes to its debate.

    `numbers` are those of all debates of the page and `words` those of `my_word`, by debate. With `first_is_next` the
    first row has the filled button of the page.
    """
    drawn = [_row(row, words.get(row.id, ""), primary=first_is_next and not at) for at, row in enumerate(rows)]
    for part in drawn:
        part["nth"] = numbers[part["name"]]
        part["large"] = large is not None and part["name"] == large.id
    pressed = parts.draw_list(drawn, label=label, key=key)
    for row in rows:
        if row.id == pressed:
            word = words.get(row.id, "")
            if word in (SIGN, AFTERMATH):
                sign_off.open_desk()
            session.open_page(_page_of(row, word), row.id)


def _page_of(row: DebateRow, word: str) -> str:
    in_room = bool(word) or goes_on(row)
    return "room.py" if in_room and word not in (SIGN, AFTERMATH) else "results.py"


def _row(row: DebateRow, word: str, *, primary: bool) -> RowPart:
    if row.status == "over":
        return _row_to_judge(row, word, primary=primary)
    state = session.host().state(row.id)
    facts = accounts.of_reader(state, ()).once(_row_facts)
    status = facts.status
    is_open = goes_on(row)
    steps = agenda(state) if is_open else ()
    votes = None
    count = f"{status.decider.label}: {status.decider.who}"
    keeps_count = row.status in GOING_ON and _keeps_count(row)
    if facts.bars and not keeps_count:
        votes = parts.small_votes_part(facts.bars)
        count = facts.count
    enter = _("Enter") if is_open else ""
    latest = facts.closed_at or row.opened_at
    return RowPart(
        name=row.id,
        question=row.question,
        nth=1,
        beside=facts.beside,
        override=facts.override,
        chips=[*_chips(row), *_no_person_chip(status)],
        large=False,
        phases=[step.when for step in steps],
        stands=_stands(row, status, steps),
        letter=status.letter,
        decided=bool(status.option),
        votes=votes,
        count=count,
        button=_(word) or enter,
        primary=primary,
        date=_day(latest),
    )


def _row_to_judge(row: DebateRow, word: str, *, primary: bool) -> RowPart:
    """Nothing of what was decided, for whoever has to judge it or may have to."""
    plain = parts.plain_row(row.id, row.question, "", button=_(word), primary=primary)
    return {**plain, "chips": _chips(row), "stands": _(JUDGE_FIRST), "date": _day(row.opened_at)}


def _chips(row: DebateRow) -> list[str]:
    chips = []
    if row.rehearsal:
        chips.append(_("Rehearsal"))
    if row.origin_unknown:
        chips.append(_(ORIGIN_UNKNOWN))
    return chips


def _no_person_chip(status: DecisionStatus) -> list[str]:
    return [_("No person voted")] if status.of_no_person else []


def _stands(row: DebateRow, status: DecisionStatus, steps: Sequence[AgendaStep]) -> str:
    """`Round 2 · waiting for planner`, `Pre-vote`; of what is over the decision."""
    if not steps:
        return status.headline
    now = next((step.name for step in steps if step.when == "now"), status.headline)
    if row.status == "waiting":
        return f"{now} · {waiting_words(row) or _('waiting for people')}"
    if row.status == "paused":
        return _("{now} · paused", now=now)
    return now


def _keeps_count(row: DebateRow) -> bool:
    """True while the room of this debate shows me no count either."""
    state = session.host().state(row.id)
    if not state.spec.has_people:
        return False
    me = session.me(state)
    return not (session.may_see_result(state, me) and may_see_count(state, me.answers_for))


def _day(at: str) -> str:
    """`2 Oct`, with its year if it is not this one."""
    day = datetime.fromisoformat(at)
    return day_words(day, has_year=day.year != datetime.now(UTC).year)


@dataclass(frozen=True, slots=True)
class _RowFacts:
    """What is read of a debate for its row."""

    status: DecisionStatus
    bars: VoteBars | None
    count: str
    override: str
    beside: str
    closed_at: str
    """Empty while it goes on."""


def _row_facts(account: Account) -> _RowFacts:
    """As somebody without a seat reads it."""
    told = account.once(who_decided)
    status = decision_status(account, with_cautions=False)
    bars = _bars(account)
    return _RowFacts(
        status=status,
        bars=bars,
        count=_count(told, bars) if bars else "",
        override=override_words(told),
        beside=_beside(account.state, told, status),
        closed_at=next((event.at for event in account.events if isinstance(event.body, Closed)), ""),
    )


def _count(told: WhoDecided, bars: VoteBars) -> str:
    """The count in a few words; with the option that it is for, where another one holds."""
    if told.counted.option not in (None, told.option):
        return count_sentence(told).removesuffix(".")
    return count_words(bars, is_over=told.standing not in ("open", "vote_due"))


def _bars(account: Account) -> VoteBars | None:
    """The vote that is open; else the one that decides."""
    if stage.open_poll(account.state):
        return next((one for one in vote_bars(account) if not one.are_of_seats), None)
    return deciding_bars(account)


def _beside(state: State, told: WhoDecided, status: DecisionStatus) -> str:
    """`Fay leads · 3 seats, 12 voters`; once it is over `Accepted by Abe · review due: 2027-01-01`."""
    if state.outcome is not None:
        return f"{_status_words(told, status)}{_revisit_words(told)}"
    there = stage.present(state)
    who = _n(len(state.spec.seats), "{n} seat", "{n} seats")
    voters = sum(person.electorate is not None for person in there)
    if voters:
        who += f", {_n(voters, '{n} voter', '{n} voters')}"
    leads = [person.name for person in there if person.role == session.FACILITATOR]
    if leads:
        return f"{_('{name} leads', name=leads[0])} · {who}"
    return who


def _status_words(told: WhoDecided, status: DecisionStatus) -> str:
    """`Accepted by Abe`, `Decided by Abe, against the count`, `Undecided`."""
    if told.by_person:
        return f"{status.decider.label} {status.decider.who}"
    if told.signed is None:
        return status.status
    return _("{status} by {person}", status=status.status, person=told.signed.by.name)


def _revisit_words(told: WhoDecided) -> str:
    """` · review due: 2027-01-01`; empty where no date was signed."""
    if told.signed is None or not told.signed.word.revisit:
        return ""
    return _(" · review due: {revisit}", revisit=told.signed.word.revisit)
