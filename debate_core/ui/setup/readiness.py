"""Checks of a draft before the start: errors that prevent it, and warnings.

Values only: knows neither widgets nor the host.
"""

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal

from debate_core.engine import stop_functions
from debate_core.errors import InvalidSpec
from debate_core.language import _, message, said, spoken_list
from debate_core.names import visible_name
from debate_core.report.facts.terms import named
from debate_core.report.phrases.costs import usd_words
from debate_core.seats.forecast import CostForecast, forecast
from debate_core.seats.offline import NOTHING_TO_QUOTE, finds_nothing
from debate_core.seats.pricing import is_priced, weaker_synthesis
from debate_core.spec.deciding import cannot_compare, cannot_decide
from debate_core.spec.panels import diversity
from debate_core.spec.presets import PERSONAS
from debate_core.spec.protocol import Spec
from debate_core.spec.rules import Ceiling
from debate_core.spec.values import Seat
from debate_core.spec.warnings import warnings
from debate_core.text import whole_sentence
from debate_core.ui.setup.draft import RoomDraft, SeatDraft, SetupDraft, example
from debate_core.ui.setup.mapping import spec_from, usual_limits
from debate_core.ui.setup.people_mapping import approvers

MARKING = message(
    "**Ready to start.** Between rounds you mark which option each quote supports; without marks the seats abstain."
)
NOTHING_YET = message("No document yet: seats without a model have nothing to quote.")


def problem(draft: SetupDraft) -> str | None:
    """Return why the debate cannot be started, or None."""
    try:
        spec = spec_from(draft)
        stop_functions.refuse_unknown(spec.protocol)
    except InvalidSpec as error:
        return said(error)
    fault = cannot_compare(spec) or cannot_decide(spec)
    return said(fault) if fault else None


def question_fault(draft: SetupDraft) -> str:
    """Return what is wrong with the question or the options; "" if nothing is."""
    if not draft.question.strip():
        return _("the question is missing")
    fault = problem(draft)
    with_options = draft.replace(options=example("", ("a", "b")).options)
    return fault if fault and fault != problem(with_options) else ""


def doubts(draft: SetupDraft) -> tuple[str, ...]:
    """Return the warnings, one sentence each."""
    sentences = [*_doubts_about_evidence(draft), *_doubts_about_seats(draft)]
    if problem(draft) is None:
        spec = spec_from(draft)
        if spec.evidence_panel() and spec.sources and finds_nothing(spec.sources):
            nothing = _(
                "{nothing_to_quote} The evidence panel will have nothing to say.", nothing_to_quote=NOTHING_TO_QUOTE
            )
            sentences.append(nothing)
        sentences += room_doubts(draft.room, spec.seats, compared=spec.protocol.paired)
        found = (*warnings(spec), *diversity(spec).warnings, *weaker_synthesis(spec))
        sentences += [whole_sentence(said(sentence)) for sentence in found]
        sentences += _limit_left_out(draft, spec)
        if spec.models and spec.ceiling():
            sentences += below_forecast(spec, forecast(spec))
    return tuple(sentences)


def quotes_nothing(draft: SetupDraft) -> bool:
    """Return whether the evidence panel has no document."""
    return draft.has_evidence_panel() and not draft.sources


def _doubts_about_evidence(draft: SetupDraft) -> Iterator[str]:
    if quotes_nothing(draft):
        yield _(NOTHING_YET)
    if draft.people_decide() and draft.can_be_marked() and not draft.chair:
        yield _("No one marks the passages, so the evidence panel will abstain on every ballot.")


def _doubts_about_seats(draft: SetupDraft) -> Iterator[str]:
    rules = draft.rules()
    if rules.paired:
        yield from _doubts_about_candidates(draft)
        return
    seats = draft.panel()
    views = {(seat.stance.strip().casefold(), seat.persona.strip().casefold()) for seat in seats}
    if len(seats) > 1 and len(views) == 1:
        yield _("All seats have the same stance and persona: their agreement would be no evidence.")
    if decider := rules.deciding_role:
        if draft.people_decide() and draft.office(decider).who == "offline":
            yield _("A program cannot choose an option: seat a person as {decider} for advice.", decider=named(decider))
    elif seats and not any(map(_is_critical, seats)):
        yield _("No seat is a sceptic or a pragmatist: the seats may agree too easily.")


def _doubts_about_candidates(draft: SetupDraft) -> Iterator[str]:
    if draft.rules().generates and draft.office("generator").who == "offline":
        yield _("Code proposes no candidates: seat a model or a person, or type at least two.")


def _is_critical(seat: SeatDraft) -> bool:
    """Return whether a seat is a person or has the persona of a sceptic or pragmatist."""
    if seat.who == "human":
        return True
    tempers = {text: temper for temper, text in PERSONAS.values()}
    if tempers.get(seat.persona.strip()) in ("sceptic", "pragmatist"):
        return True
    return bool(re.search("s[ck]eptic", seat.persona, re.IGNORECASE))


def room_doubts(draft: RoomDraft, seats: Sequence[Seat], *, compared: bool = False) -> Iterator[str]:
    """Return the warnings about people. If options are `compared`, everyone with a vote fills an unnamed seat."""
    if not draft.on:
        return
    if draft.joining == "open" and _has_polls(draft):
        yield _("The link is open to everyone: someone could vote twice from two devices.")
    if draft.joining == "named" and not draft.listed.strip():
        yield _("Only listed people may vote, and the list is empty.")
    if not approvers(draft):
        yield _("No approver is named to sign the decision: you can invite one from the lobby.")
    if compared:
        return
    for seat in seats:
        if _lacks_a_person(seat, draft):
            yield _("No one is named for the seat {id}: invite someone from the lobby.", id=seat.id)


def _lacks_a_person(seat: Seat, draft: RoomDraft) -> bool:
    """Return whether a debater's seat is reserved for a person, but no name is entered for it."""
    is_for_a_person = seat.occupant == "human" and seat.role == "debater"
    return is_for_a_person and not visible_name(draft.holder(seat.id))


def _has_polls(draft: RoomDraft) -> bool:
    return draft.final_vote == "asked" or draft.pre_vote != "none"


def _limit_left_out(draft: SetupDraft, spec: Spec) -> Iterator[str]:
    """Warn that the default cost limit cannot be enforced because a price is unknown."""
    usual = usual_limits(draft)
    unpriced = [line.model for line in spec.models if not is_priced(line)]
    if draft.limits is None and usual is not None and usual.usd and unpriced:
        yield _(
            "Debates like this usually end at {usd} USD. The price of {unpriced} is not known, so there is "
            "no such limit here: set one of calls or tokens instead.",
            usd=usual.usd,
            unpriced=spoken_list(unpriced),
        )


def below_forecast(spec: Spec, expected: CostForecast) -> Iterator[str]:
    """Return one warning for each limit below the forecast."""
    bound = spec.ceiling() or Ceiling()
    used = expected.total
    cut = _("the debate will probably be cut off there.")
    if bound.calls is not None and bound.calls < used.calls:
        yield _(
            "The limit of {agreed:,} calls is below the forecast of {forecast:,}: {cut}",
            agreed=bound.calls,
            forecast=used.calls,
            cut=cut,
        )
    tokens = used.input_tokens + used.output_tokens
    if bound.tokens is not None and bound.tokens < tokens:
        yield _(
            "The limit of {agreed:,} tokens is below the forecast of {forecast:,}: {cut}",
            agreed=bound.tokens,
            forecast=tokens,
            cut=cut,
        )
    if bound.usd is None:
        return
    if used.cost_usd is None:
        yield _("A price is unknown, so a limit of USD ends the debate before its first call with that model.")
    elif Decimal(bound.usd) < Decimal(used.cost_usd):
        limit = usd_words(bound.usd)
        cost = usd_words(used.cost_usd)
        yield _("The limit of {limit} is below the forecast of {cost}: {cut}", limit=limit, cost=cost, cut=cut)


def single_family(draft: SetupDraft) -> bool:
    """Return whether all debating models are of one family, even before the question is written."""
    complete = example("?", ("a", "b")).replace(seats=draft.panel(), lines=draft.lines)
    try:
        return diversity(spec_from(complete)).single_family
    except InvalidSpec:
        return False
