"""Candidates that seats or people propose during a debate: which ones are compared, and why some are refused.

Candidates proposed since the last comparisons join the options when the next comparisons begin. Equal names are one
candidate. The last screening strikes candidates.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import takewhile

from debate_core.record.fold import with_candidates
from debate_core.record.state import Request, State, Turn
from debate_core.sentence import Sentence
from debate_core.spec.contents import Candidate, Candidates, Content, StruckCandidate
from debate_core.spec.protocol import MOST_COMPARED
from debate_core.spec.values import ABSTAIN
from debate_core.text import folded

LEAST = 2
"""Minimum number of options for a comparison."""


def settled(state: State) -> State:
    """The state with all options of the next comparison."""
    joining = joining_now(state)
    if not joining:
        return state
    return with_candidates(state, joining)


def joining_now(state: State) -> tuple[Candidate, ...]:
    """Candidates that join the options if comparisons begin now, in order of proposal, within the limit."""
    given = _given(_fresh(state))
    left_out = _struck(given) | _options_folded(state)
    joining: dict[str, Candidate] = {}
    for content in given:
        for candidate in content.candidates:
            name = folded(candidate.name)
            if name not in left_out:
                joining.setdefault(name, candidate)
    room = MOST_COMPARED - len(state.spec.options)
    first = list(joining.values())[:room]
    return tuple(candidate.model_copy(update={"name": candidate.name.strip()}) for candidate in first)


def _options_folded(state: State) -> set[str]:
    return {folded(option) for option in state.spec.options}


def _fresh(state: State) -> tuple[Turn, ...]:
    """Turns since the last comparisons, including the open phase."""
    since = takewhile(lambda turn: not state.phase(turn.phase).paired, reversed(state.all_turns()))
    return tuple(since)[::-1]


def _given(turns: Iterable[Turn]) -> list[Candidates]:
    return [turn.content for turn in turns if turn.status == "ok" and isinstance(turn.content, Candidates)]


def _struck(given: list[Candidates]) -> set[str]:
    return {folded(one.name) for one in struck_in(given)}


def struck_in(given: Sequence[Candidates]) -> tuple[StruckCandidate, ...]:
    """Candidates struck by the last screening; each screening replaces the one before."""
    for content in reversed(given):
        if content.kind == "screening":
            return content.struck
    return ()


def more_to_come(state: State) -> bool:
    """True while there are too few options to compare, or a later round may bring candidates."""
    if len(state.spec.options) < LEAST:
        return True
    return any(slot.phase.gives == "candidates" for slot in state.slots[state.position + 1 :])


def nobody_proposed(state: State) -> bool:
    """True if a phase for proposals has ended without any, and there are too few options to compare."""
    open_phase = state.open
    if open_phase is None or open_phase.slot.phase.gives != "candidates" or open_phase.given_up:
        return False
    return len(state.spec.options) < LEAST and not _given(open_phase.turns())


def fault(state: State, request: Request, content: Content) -> Sentence | None:
    """The reason why these candidates are refused, or None."""
    if not isinstance(content, Candidates):
        return None
    return next(_faults(state, request, content), None)


def _faults(state: State, request: Request, content: Candidates) -> Iterator[Sentence]:
    known = _options_folded(state)
    names = [folded(candidate.name) for candidate in content.candidates]
    new = {*names} - known
    if "" in names or ABSTAIN in names:
        yield Sentence("a candidate is called {abstain!r} or has no name: give each one its own name", abstain=ABSTAIN)
    if len(known | new) > MOST_COMPARED:
        yield Sentence(
            "{n_new} candidates are too many: at most {room} more can be compared",
            n_new=len(new),
            room=MOST_COMPARED - len(known),
        )
    least = max(1, LEAST - len(known))
    if request.gives == "candidates" and len(new) < least:
        yield Sentence.counted(
            least,
            "name at least {n} candidate that is not proposed yet: {n_new} of these {n_names} are new",
            "name at least {n} candidates that are not proposed yet: {n_new} of these {n_names} are new",
            n_new=len(new),
            n_names=len(names),
        )
    if request.gives == "screening" and _leaves(state, content) < LEAST:
        yield Sentence("this leaves fewer than {least} candidates: strike fewer, or name others", least=LEAST)


def _leaves(state: State, screening: Candidates) -> int:
    """The number of options left if this screening is the last word."""
    given = [*_given(_fresh(state)), screening]
    names = {folded(candidate.name) for content in given for candidate in content.candidates}
    return len(_options_folded(state) | (names - _struck(given)))
