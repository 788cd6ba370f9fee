"""Whether a ballot, or what a verdict or a synthesis names, agrees with the text that it came with.

What is found is recorded with the turn, and never found anew: `argues` may learn to read more, and a record stays what
it was.
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
    """The one option that a turn argues for, where its ballot puts others highest; None if they agree, or nobody knows.

    Whoever has to defend a side may vote otherwise: what they say for it contradicts nothing. An abstention does not
    either. A verdict and a synthesis choose what they name.
    """
    if isinstance(content, Verdict | Synthesis):
        return _argues_against_named(state, request, content)
    if not isinstance(content, Argument) or not asks_ballot(state.spec.protocol, state.phase(request.phase)):
        return None
    side = _side(state, request.seat)
    own = option_of_side(side, state.spec.options)
    # Where code cannot tell what the side is, any text may be for it.
    if side and own is None:
        return None
    highest = highest_on(state, content)
    if not highest:
        return None
    # Imported at the first use: compiling its patterns would slow every start of the program.
    from debate_core.engine.argues import argued_by

    argued = argued_by(content, state.spec.options, state.spec.question, state.spec.yes_option)
    return None if argued in highest or argued == own else argued


def _argues_against_named(state: State, request: Request, content: Verdict | Synthesis) -> str | None:
    if not content.option:
        return None
    # Whoever compares two options argues for one of these.
    options = state.compared.get(request.turn(), state.spec.options)
    from debate_core.engine.argues import argued_option

    argued = argued_option(content.prose, options, state.spec.question, state.spec.yes_option)
    return None if argued == content.option else argued


def highest_on(state: State, content: Content | None) -> tuple[str, ...]:
    """What the ballot of a turn puts highest, or what a verdict or a synthesis names; () for an abstention."""
    if isinstance(content, Verdict | Synthesis):
        return content.names
    if not isinstance(content, Argument):
        return ()
    ballot = BallotCounted("", content.vote, content.ballot)
    return tops(ballot_kind(state.spec.protocol.decide), ballot, state.spec.drivers)


def _side(state: State, seat: str) -> str:
    """What a seat has to defend, in the words of its stance; "" if it is free."""
    if state.spec.seat(seat).commitment == "open":
        return ""
    return stance_of(state, seat).strip()


def fault_in_finding(
    state: State, request: Request, content: Content | None, argues_for: str | None
) -> Sentence | None:
    """Why it cannot be recorded that this turn argues for an option and votes for another one."""
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
            "the text is said to argue for {argues_for!r}, and nothing beside it says otherwise",
            argues_for=argues_for[:80],
        )
    return None


def which_is_held(argues_for: str, highest: tuple[str, ...], content: Content) -> Sentence:
    """What a seat is asked about."""
    *first, last = [Sentence("“{option}”", option=option) for option in highest]
    chosen = Sentence("{first} and {last}", first=Sentence.joined(first, ", "), last=last) if first else last
    if isinstance(content, Argument):
        template = Sentence("your text argues for “{argued}”, your ballot says {chosen}")
    else:
        template = Sentence("your text argues for “{argued}”, you name {chosen}")
    return Sentence(template, argued=argues_for, chosen=chosen)
