"""What claims rest on: whether their quotes stand in the documents of the debate, and whether something else does it.

A claim whose quote is altered or not in its source supports nothing. It does not know whether a claim is true.
A protocol can refuse a winner that rests on such claims, so what is said here of a quote belongs to the rules of play.
"""

from collections.abc import Iterable, Sequence

from debate_core.engine import voting
from debate_core.engine.markers import has_marker
from debate_core.engine.option_names import named_option, negated, only_option
from debate_core.engine.quotes import QuoteCheck, QuoteVerdict, check_quote
from debate_core.engine.schedule import stance_of
from debate_core.engine.seat_view import View, hidden_seats
from debate_core.engine.stage import final_decision
from debate_core.record.acts import Noted
from debate_core.record.state import State, Turn
from debate_core.spec.contents import Argument, Claim
from debate_core.spec.rules import BySeat
from debate_core.spec.values import Source

FALSE_QUOTES: frozenset[QuoteVerdict] = frozenset({"altered", "not_found"})


def cited_source(sources: Iterable[Source], claim: Claim) -> Source | None:
    """The document that a claim names; None if it names none of these."""
    return next((source for source in sources if source.id == claim.source_id), None)


def checked(sources: Iterable[Source], claim: Claim) -> QuoteCheck:
    """What became of a claim's quote; no_source if it gives no quote or names no document of this debate."""
    source = cited_source(sources, claim)
    if source is None or not claim.quote:
        return QuoteCheck("no_source")
    return check_quote(source.text, claim.quote)


def is_unverified(sources: Sequence[Source], claim: Claim) -> bool:
    """True if the claim's quote is altered or not in its source, or the document that it names is not there."""
    if claim.source_id is not None and cited_source(sources, claim) is None:
        return True
    return checked(sources, claim).verdict in FALSE_QUOTES


def has_support(state: State, claim: Claim) -> bool:
    """True if its quote is verbatim, or it can be checked in another way; what a person noted stands instead."""
    notes = [note for note in state.room.facts(Noted) if note.claim_id == claim.id]
    if notes and notes[-1].has_evidence is not None:
        return notes[-1].has_evidence
    if checked(state.spec.sources, claim).verdict == "verbatim":
        return True
    can_be_checked = has_marker(claim.text) or has_marker(claim.quote or "")
    return can_be_checked and not is_unverified(state.spec.sources, claim)


def unverified_claims(state: State) -> tuple[Claim, ...]:
    """Every claim that supports nothing for its quote, in order, without struck turns and what is still sealed."""
    return tuple(claim for _, claim in _claims_made(state) if is_unverified(state.spec.sources, claim))


def rests_on(state: State, option: str) -> tuple[Claim, ...]:
    """The unverified claims that an option rests on: () as long as one claim for it has a support, or none is false.

    For it are the claims of the seats that chose it, and those that they conceded to others.
    """
    seats = _for_option(state, option)
    conceded = _conceded_by(state, seats)
    unverified = list[Claim]()
    for seat, claim in _claims_made(state):
        is_for_it = seat in seats or claim.id in conceded
        if not is_for_it:
            continue
        if has_support(state, claim):
            return ()
        if is_unverified(state.spec.sources, claim):
            unverified.append(claim)
    return tuple(unverified)


def refuses(state: State, option: str) -> bool:
    """True if the protocol lets no option win that rests on unverified quotes, and this one does."""
    if state.spec.protocol.unverified_quotes != "refuse":
        return False
    if state.reading is not None:
        return state.reading.refuses
    return bool(rests_on(state, option))


def own_unverified(seen: View) -> tuple[Claim, ...]:
    """What a seat has to mend: its own claims with a quote that is not in a source it can read."""
    claims = [claim for turn in seen.turns if turn.own for claim in turn.claims]
    return tuple(claim for claim in claims if is_unverified(seen.sources, claim))


def winner_rests_on(state: State) -> tuple[Claim, ...]:
    """The unverified claims that what was decided rests on, by whoever decides, as `rests_on` tells them.

    While the debate runs, those of what would be decided if it ended now.
    """
    option = final_decision(state).option if state.outcome else only_option(voting.winners(state))
    return () if option is None else rests_on(state, option)


def _claims_made(state: State) -> list[tuple[str, Claim]]:
    """(seat, claim) of every turn that stands."""
    return [(turn.seat, claim) for turn in _standing_turns(state) for claim in turn.claims]


def _standing_turns(state: State) -> list[Turn]:
    """Turns that were given and not struck, as far as all can read them: once the debate is over, nothing is sealed."""
    sealed = frozenset[str]() if state.outcome else hidden_seats(state, ())
    in_open_phase = () if state.open is None else state.open.turns()
    readable = (*state.turns, *(turn for turn in in_open_phase if turn.seat not in sealed))
    return [turn for turn in readable if turn.status == "ok"]


def _for_option(state: State, option: str) -> frozenset[str]:
    """Debaters whose last counted ballot puts the option first; where a seat decides, those who defend it, or all."""
    if not isinstance(state.spec.protocol.decide, BySeat):
        return _voters_for(state, option)
    return _defenders_of(state, option) or frozenset(state.spec.ids_of("debater"))


def _voters_for(state: State, option: str) -> frozenset[str]:
    if not state.counted:
        return frozenset()
    highest = voting.tops_of(state.spec, state.counted[-1])
    return frozenset(seat for seat, options in highest.items() if option in options)


def _defenders_of(state: State, option: str) -> frozenset[str]:
    """Debaters whose side names the option, and does not speak against it."""
    defenders = set[str]()
    for seat in state.spec.ids_of("debater"):
        side = stance_of(state, seat)
        if named_option(side, state.spec.options) == option and not negated(side):
            defenders.add(seat)
    return frozenset(defenders)


def _conceded_by(state: State, seats: frozenset[str]) -> frozenset[str]:
    """Ids of the claims that these seats conceded, by a whole turn or by one claim of it."""
    conceded = set[str]()
    for turn in _standing_turns(state):
        if turn.seat not in seats or not isinstance(turn.content, Argument):
            continue
        conceded.update(turn.content.concedes)
        for claim in turn.content.claims:
            conceded.update(claim.concedes)
    return frozenset(conceded)
