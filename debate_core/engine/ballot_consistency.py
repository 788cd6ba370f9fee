"""Ballot consistency: the option that a turn's text argues for, compared with its ballot, verdict or synthesis.

The finding is recorded with the turn and never recomputed, so that improvements of `stance_detection` do not change
old records.
"""

from debate_core.engine.count.ballots import BallotCounted, tops
from debate_core.engine.option_names import option_of_side
from debate_core.engine.schedule import stance_of
from debate_core.record.state import Request, State
from debate_core.sentence import Sentence
from debate_core.spec.contents import Argument, Content, Synthesis, Verdict
from debate_core.spec.protocol import asks_ballot
from debate_core.spec.rules import ballot_kind


def contradicted(state: State, request: Request, content: Content) -> str | None:
    """The option that a turn argues for while its ballot ranks others first; None if they agree or it is unclear.

    A seat that has to defend a side may vote differently, so arguing for that side contradicts nothing. Neither does
    an abstention. Verdicts and syntheses are compared with the option that they name.
    """
    if isinstance(content, Verdict | Synthesis):
        return _argues_against_named(state, request, content)
    if not isinstance(content, Argument) or not asks_ballot(state.spec.protocol, state.phase(request.phase)):
        return None
    side = _side(state, request.seat)
    own = option_of_side(side, state.spec.options)
    # An unclear side could be supported by any text.
    if side and own is None:
        return None
    highest = highest_on(state, content)
    if not highest:
        return None
    # Imported on first use: compiling its patterns would slow down every start.
    from debate_core.engine.stance_detection import argued_by

    argued = argued_by(content, state.spec.options, state.spec.question, state.spec.yes_option)
    return None if argued in highest or argued == own else argued


def _argues_against_named(state: State, request: Request, content: Verdict | Synthesis) -> str | None:
    if not content.option:
        return None
    # A seat that compares two options argues for one of them.
    options = state.compared.get(request.turn(), state.spec.options)
    from debate_core.engine.stance_detection import argued_option

    argued = argued_option(content.prose, options, state.spec.question, state.spec.yes_option)
    return None if argued == content.option else argued


def highest_on(state: State, content: Content | None) -> tuple[str, ...]:
    """The options that a turn's ballot ranks first, or a verdict or synthesis names; () for an abstention."""
    if isinstance(content, Verdict | Synthesis):
        return content.names
    if not isinstance(content, Argument):
        return ()
    ballot = BallotCounted("", content.vote, content.ballot)
    return tops(ballot_kind(state.spec.protocol.decide), ballot, state.spec.drivers)


def _side(state: State, seat: str) -> str:
    """The stance that a seat has to defend; "" if it is free."""
    if state.spec.seat(seat).commitment == "open":
        return ""
    return stance_of(state, seat).strip()


def fault_in_finding(
    state: State, request: Request, content: Content | None, argues_for: str | None
) -> Sentence | None:
    """The reason why this contradiction cannot be recorded for this turn."""
    if argues_for is None:
        return None
    if argues_for not in state.spec.options:
        return Sentence(
            "the text is said to argue for {argues_for!r}, which is none of the options", argues_for=argues_for[:80]
        )
    is_asked = asks_ballot(state.spec.protocol, state.phase(request.phase)) or not isinstance(content, Argument)
    highest = highest_on(state, content) if is_asked else ()
    if not highest or argues_for in highest:
        return Sentence(
            "the text is said to argue for {argues_for!r}, but no ballot or named option contradicts it",
            argues_for=argues_for[:80],
        )
    return None


def which_is_held(argues_for: str, highest: tuple[str, ...], content: Content) -> Sentence:
    """The question to a seat whose text and ballot disagree."""
    *first, last = [Sentence("“{option}”", option=option) for option in highest]
    chosen = Sentence("{first} and {last}", first=Sentence.joined(first, ", "), last=last) if first else last
    if isinstance(content, Argument):
        template = Sentence("your text argues for “{argued}”, your ballot says {chosen}")
    else:
        template = Sentence("your text argues for “{argued}”, you name {chosen}")
    return Sentence(template, argued=argues_for, chosen=chosen)
