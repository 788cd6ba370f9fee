"""Evidence of claims: quotes checked against the documents of the debate, and other ways to check a claim.

A claim with a false quote supports nothing. Nothing here judges whether a claim is true. A protocol can refuse a winner
that rests on such claims, so these verdicts are part of the rules of the debate.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from debate_core.engine import voting
from debate_core.engine.checkable_claims import has_marker
from debate_core.engine.option_names import named_option, negated, only_option
from debate_core.engine.private_sources import withheld_sources
from debate_core.engine.quotes import QuoteCheck, QuoteVerdict, check_quote
from debate_core.engine.schedule import stance_of
from debate_core.engine.seat_view import View, hidden_seats, seats_not_live
from debate_core.engine.stage import final_decision
from debate_core.record.acts import Noted
from debate_core.record.state import State, Turn
from debate_core.spec.contents import Argument, Claim
from debate_core.spec.rules import BySeat
from debate_core.spec.values import Source

FALSE_QUOTES: frozenset[QuoteVerdict] = frozenset({"altered", "not_found"})


@dataclass(frozen=True, slots=True)
class ClaimEvidence:
    """The verdict on the evidence of one claim.

    Example: document E1 has the text "Writes peaked at 900 per second."

        claim                                                  quote       is_false  is_supported
        "Load is high", E1 "peaked at 900 per second"          verbatim    False     True
        "Load is high", E1 "peaked at 9,000 per second"        altered     True      False
        "Load is high", E7 (no such document)                  no_source   True      False
        "Peak load in 2025 was 900 writes per second"          no_source   False     True, it can be checked
        "Load is high"                                         no_source   False     False

    A moderator's note on the claim (`Noted.has_evidence`) replaces `is_supported`, not the other two.
    """

    quote: QuoteCheck
    """`no_source` if the claim has no quote or names no document of this debate."""
    is_false: bool
    """The quote is altered or not in its source, or the cited document does not exist."""
    is_supported: bool
    """The quote is verbatim, or the claim can be checked in another way (`has_marker`)."""


def claim_evidence(sources: Sequence[Source], claim: Claim, *, noted: bool | None = None) -> ClaimEvidence:
    """The verdict on one claim; `noted` is a moderator's word on it, None without one."""
    quote, is_false = checked(sources, claim), is_unverified(sources, claim)
    if noted is not None:
        return ClaimEvidence(quote, is_false, is_supported=noted)
    if is_false or quote.verdict == "verbatim":
        return ClaimEvidence(quote, is_false, is_supported=not is_false)
    can_be_checked = has_marker(claim.text) or has_marker(claim.quote or "")
    return ClaimEvidence(quote, is_false, is_supported=can_be_checked)


def cited_source(sources: Iterable[Source], claim: Claim) -> Source | None:
    """The document that a claim cites; None if it cites none of these."""
    if claim.source_id is None:
        return None
    return next((source for source in sources if source.id == claim.source_id), None)


def checked(sources: Iterable[Source], claim: Claim) -> QuoteCheck:
    """The check of a claim's quote alone."""
    source = cited_source(sources, claim)
    return check_quote(source.text, claim.quote) if source and claim.quote else QuoteCheck("no_source")


def is_unverified(sources: Sequence[Source], claim: Claim) -> bool:
    """True if the claim's quote is false (`ClaimEvidence.is_false`)."""
    names_no_source = claim.source_id is not None and cited_source(sources, claim) is None
    return names_no_source or checked(sources, claim).verdict in FALSE_QUOTES


def shown_check(state: State, claim: Claim) -> QuoteCheck:
    """The check of a claim's quote, without omitted words of a document that not all may read yet."""
    check = checked(state.spec.sources, claim)
    return QuoteCheck(check.verdict) if cited_source(withheld_sources(state), claim) else check


def seen_verdict(seen: View, claim: Claim) -> QuoteVerdict | None:
    """The verdict on a false quote, also of a document that the seat does not read; None for every other claim."""
    verdict = seen.unread_checks.get(claim.id)
    if verdict is not None:
        return verdict if verdict in FALSE_QUOTES else None
    return checked(seen.sources, claim).verdict if is_unverified(seen.sources, claim) else None


def unverified_claims(state: State) -> tuple[Claim, ...]:
    """Claims with a false quote in all readable turns, in order."""
    claims = [claim for turn in _readable_turns(state) for claim in turn.claims]
    return tuple(claim for claim in claims if is_unverified(state.spec.sources, claim))


def own_unverified(seen: View) -> tuple[Claim, ...]:
    """Claims that a seat has to correct: its own, with a quote that is not in its source."""
    claims = [claim for turn in seen.turns if turn.own for claim in turn.claims]
    return tuple(claim for claim in claims if seen_verdict(seen, claim))


def rests_on(state: State, option: str) -> tuple[Claim, ...]:
    """The claims with false quotes that an option rests on; () if one claim for it is supported, or none is false.

    Claims for an option are those of the seats that chose it, and those that these seats conceded to others.
    """
    notes = {note.claim_id: note.has_evidence for note in state.room.facts(Noted)}
    unverified = list[Claim]()
    for claim in _claims_for(state, _seats_for(state, option)):
        evidence = claim_evidence(state.spec.sources, claim, noted=notes.get(claim.id))
        if evidence.is_supported:
            return ()
        if evidence.is_false:
            unverified.append(claim)
    return tuple(unverified)


def refuses(state: State, option: str) -> bool:
    """True if the protocol refuses winners that rest on false quotes, and this option does."""
    if state.spec.protocol.unverified_quotes != "refuse":
        return False
    if state.reading is not None:
        return state.reading.refuses
    return bool(rests_on(state, option))


def winner_rests_on(state: State) -> tuple[Claim, ...]:
    """The claims with false quotes that the decision rests on; while the debate runs, the decision if it ended now."""
    option = final_decision(state).option if state.outcome else only_option(voting.winners(state))
    return () if option is None else rests_on(state, option)


def _readable_turns(state: State) -> list[Turn]:
    """Turns that were given, are not struck and that all can read. Nothing is sealed once the debate is over."""
    sealed = frozenset[str]() if state.outcome else hidden_seats(state, ()) | seats_not_live(state, None)
    in_open_phase = () if state.open is None else state.open.turns()
    readable = (*state.turns, *(turn for turn in in_open_phase if turn.seat not in sealed))
    return [turn for turn in readable if turn.status == "ok"]


def _seats_for(state: State, option: str) -> frozenset[str]:
    """Debaters whose last counted ballot puts the option first.

    Where a seat decides instead: debaters whose side names the option and does not speak against it, or else all.
    """
    if not isinstance(state.spec.protocol.decide, BySeat):
        if not state.counted:
            return frozenset()
        highest = voting.tops_of(state.spec, state.counted[-1])
        return frozenset(seat for seat, options in highest.items() if option in options)
    debaters = frozenset(state.spec.ids_of("debater"))
    defenders = set[str]()
    for seat in debaters:
        side = stance_of(state, seat)
        if named_option(side, state.spec.options) == option and not negated(side):
            defenders.add(seat)
    return frozenset(defenders) or debaters


def _claims_for(state: State, seats: frozenset[str]) -> Iterator[Claim]:
    """Claims that these seats made, or conceded by a whole turn or by one claim of it."""
    turns = _readable_turns(state)
    conceded = set[str]()
    for turn in turns:
        if turn.seat not in seats or not isinstance(turn.content, Argument):
            continue
        conceded.update(turn.content.concedes)
        for claim in turn.content.claims:
            conceded.update(claim.concedes)
    for turn in turns:
        for claim in turn.claims:
            if turn.seat in seats or claim.id in conceded:
                yield claim
