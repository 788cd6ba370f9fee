"""The guess on a ballot of a question of fact: one slider for each option but the last one, which gets the rest.

A slider that was not moved is no guess. The order of the options differs by voter, so that no option is asked more.
"""

from collections.abc import Sequence

import streamlit as st

from debate_core.engine.stage import electors
from debate_core.errors import BadReply
from debate_core.language import _
from debate_core.record.acts import ExpectedVotes
from debate_core.record.people import PollState
from debate_core.record.state import State
from debate_core.spec.people import Person
from debate_core.ui.kit.drafts import FormDraft
from debate_core.ui.kit.text import safe_label, safe_line

_NO_GUESS = "no guess"
_MAX_STEPS = 40
"""A thumb hits every step of a slider on a phone up to about this number."""


def draw_guess(state: State, person: Person, poll: PollState, draft: FormDraft, options: tuple[str, ...]) -> None:
    """Draw the sliders; nothing where no guess was agreed, or for a voter alone."""
    voters = _voters(state, person, poll)
    if not _is_asked(state, poll) or voters < 2:
        return
    step = -(-voters // _MAX_STEPS)
    steps = (_NO_GUESS, *map(str, range(0, voters, step)), str(voters))
    for place, option in enumerate(options[:-1]):
        st.select_slider(
            safe_label(_("How many of {voters} will choose {option}?", voters=voters, option=option)),
            steps,
            format_func=lambda value: _("no guess") if value == _NO_GUESS else value,
            **draft.step_of(f"guess{place}", steps),
        )
    st.caption(_("All others: {option}. A guess is not counted.", option=safe_line(options[-1])))


def guess_of(
    state: State, person: Person, poll: PollState, draft: FormDraft, options: tuple[str, ...]
) -> tuple[ExpectedVotes, ...]:
    """The guess; () without one. Raises BadReply if a part is missing, or if it expects more votes than voters."""
    values = [draft.text(f"guess{place}") for place in range(len(options) - 1)]
    given = [int(value) for value in values if value.isdecimal()]
    if not given or not _is_asked(state, poll):
        return ()
    if len(given) < len(values):
        raise BadReply(_("a guess needs every slider: move the others too, or all back to no guess"))
    voters = _voters(state, person, poll)
    rest = voters - sum(given)
    if rest < 0:
        raise BadReply(
            _("your guess adds up to {sum} of {voters} voters: lower a slider", sum=sum(given), voters=voters)
        )
    return tuple(
        ExpectedVotes(option=option, votes=votes) for option, votes in zip(options, (*given, rest), strict=True)
    )


def fields_of(expects: Sequence[ExpectedVotes]) -> dict[str, str]:
    """The sliders of a guess that was given: the inverse of `guess_of`."""
    return {f"guess{place}": str(expected.votes) for place, expected in enumerate(expects[:-1])}


def _is_asked(state: State, poll: PollState) -> bool:
    return poll.id == "final" and state.spec.terms.asks_guess


def _voters(state: State, person: Person, poll: PollState) -> int:
    return len(electors(state, poll, person.electorate)) if person.electorate else 0
