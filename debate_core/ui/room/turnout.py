"""The vote or the step of preparation of this moment for those who lead: progress, and the names of missing people.

Tells who has answered and never what; before the reveal no one reads a ballot.
"""

from collections.abc import Mapping, Sequence

from debate_core.engine import preparation, stage
from debate_core.language import _, _n
from debate_core.record.people import PollState
from debate_core.record.state import State
from debate_core.report.facts.agenda import PREPARATION
from debate_core.report.facts.polls import poll_progress
from debate_core.report.facts.terms import named
from debate_core.report.facts.turnout import Turnout, turnout, turnout_of_poll
from debate_core.report.facts.vote_bars import letters
from debate_core.report.phrases.polls import vote_rule_words
from debate_core.report.phrases.voters import NAMES
from debate_core.spec.people import poll_words
from debate_core.text import capitalized

MAX_NAMED = 24
"""Missing people that are named; of more, their number is enough."""
Ring = tuple[str, int, int]
"""Label, people who are done, people who are asked."""


def has_one(state: State) -> bool:
    """True if a vote or a step of preparation is the moment of this room."""
    return bool(_poll_of_moment(state) or preparation.running(state) or _is_vote_due(state))


def part(state: State) -> Mapping[str, object] | None:
    """Return the drawing of this moment; None without a vote or a step of preparation."""
    if poll := _poll_of_moment(state):
        return _part_of_poll(state, poll)
    if now := preparation.running(state):
        found = turnout(state)
        assert found is not None
        done = len(found.asked) - len(found.missing)
        rings = [("", done, len(found.asked))] if found.asked else []
        return _drawn(state, _(PREPARATION[now.step]), rings, found, left=_left_words(found), under="")
    if _is_vote_due(state):
        title = _("Next: {poll}", poll=named(poll_words("final")))
        return _drawn(state, title, [], Turnout((), ()), left="", under=_rule_words(state, "final"))
    return None


def _poll_of_moment(state: State) -> PollState | None:
    """The open vote, else the one that was closed last and waits for its reveal or for the begin of the debate."""
    if poll := stage.open_poll(state):
        return poll
    last = next(reversed([*state.room.polls.values()]), None)
    if last is None or last.revealed:
        return None
    is_final = state.outcome is not None and last.id == "final"
    return last if is_final or stage.stage(state) == "prevote" else None


def _is_vote_due(state: State) -> bool:
    return state.outcome is not None and stage.final_decision(state).pending and "final" not in state.room.polls


def _part_of_poll(state: State, poll: PollState) -> Mapping[str, object]:
    name = capitalized(named(poll_words(poll.id)))
    found = turnout_of_poll(state, poll)
    rows = poll_progress(state, poll.id)
    rings = [(NAMES[row.electorate] if len(rows) > 1 else "", row.voted, row.eligible) for row in rows]
    if poll.closed is None:
        title, left = _("{poll} is open", poll=name), _left_words(found, of_poll=True)
    else:
        title = _("{poll} is closed", poll=name)
        n = len(found.missing)
        left = _n(n, "{n} person cast no ballot", "{n} people cast no ballot") if n else _("Everyone has voted")
    return _drawn(state, title, rings, found, left=left, under=_rule_words(state, poll.id))


def _left_words(found: Turnout, *, of_poll: bool = False) -> str:
    n = len(found.missing)
    if not found.asked:
        return ""
    if not n:
        return _("Everyone has voted") if of_poll else _("Everyone is done")
    if of_poll:
        return _n(n, "{n} person has not voted yet", "{n} people have not voted yet")
    return _n(n, "{n} person is not done yet", "{n} people are not done yet")


def _rule_words(state: State, poll: str) -> str:
    """The meaning of this vote: the rule of the deciding one, and that others decide nothing."""
    terms = state.spec.terms
    if poll != "final":
        return _("Secret until the reveal. It shows what people think now and decides nothing.")
    if terms.decides == "debaters":
        return _("Secret until the reveal. {rule}", rule=_("It is advice."))
    return _("Secret until the reveal. {rule}", rule=vote_rule_words(terms.vote))


def _drawn(
    state: State, title: str, rings: Sequence[Ring], found: Turnout, *, left: str, under: str
) -> dict[str, object]:
    missing = [{"id": one.id, "name": one.name} for one in found.missing[:MAX_NAMED]]
    return {
        "part": "turnout",
        "title": title,
        "rings": [{"label": label, "done": done, "of": of} for label, done, of in rings],
        "left": left,
        "missing": missing,
        "more": len(found.missing) - len(missing),
        "options": [(letter, option) for option, letter in letters(state.spec.options).items()],
        "under": under,
    }
