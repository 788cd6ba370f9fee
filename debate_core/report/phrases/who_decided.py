"""Words for the decider: a label and a name for screens, one sentence for papers, the chip of an override.

All of them come from `facts.who_decided`, so that all places name the same decider.
"""

from dataclasses import dataclass, replace

from debate_core.engine import stage
from debate_core.engine.evidence import FALSE_QUOTES
from debate_core.engine.stage import WaitsFor
from debate_core.language import Words, _, _n, format_number, spoken_list
from debate_core.report.facts.account import Account
from debate_core.report.facts.counts import Number
from debate_core.report.facts.decision import Since
from debate_core.report.facts.forecasts import model_votes, stated
from debate_core.report.facts.joint_errors import PUBLISHED_SAME_ERROR, effective_voters
from debate_core.report.facts.terms import named
from debate_core.report.facts.vote_bars import VoteBars, Voters
from debate_core.report.facts.who_decided import CountSays, Decider, DecisionState, WhoDecided, who_decided
from debate_core.report.phrases.counts import amount_words, points_words
from debate_core.report.phrases.evidence import with_mark
from debate_core.report.phrases.rules import clause_words
from debate_core.spec.rules import votes_needed
from debate_core.text import capitalized

_DECIDERS: Words[Decider] = Words(
    {
        "debaters": "the seats",
        "panel": "the named people",
        "room": "the room",
        "comparisons": "the comparisons",
        "seat": "the {role}",
    }
)
_OF_VOTERS: dict[Voters, tuple[str, str]] = {
    "debaters": ("of {n} seat", "of {n} seats"),
    "panel": ("of {n} named person", "of {n} named people"),
    "room": ("of {n} voter", "of {n} voters"),
}
_NOTHING: Words[DecisionState] = Words(
    {
        "undecided": "The vote was undecided.",
        "truncated": "A limit ended the debate before a decision.",
        "stopped": "The debate was stopped before a decision.",
        "outage": "An outage ended the debate before a decision.",
    }
)
_ENDED: Words[DecisionState] = Words(
    {
        "undecided": "Undecided",
        "truncated": "Cut off by a limit, nothing is decided",
        "stopped": "Stopped, nothing is decided",
        "outage": "Ended by an outage, nothing is decided",
        "open": "Not decided yet",
        "vote_due": "Not decided yet",
    }
)


@dataclass(frozen=True, slots=True)
class DeciderWords:
    """`Decided by`, `Kim Ader, against the count`; before a decision `Who decides`, and the next decider."""

    label: str
    who: str
    beside: str = ""
    """Number of voters; empty if a seat or a person decides."""


def decider_words(told: WhoDecided) -> DeciderWords:
    """Label and name for screens."""
    label = _("Decided by") if told.is_decided else _next_label(told)
    who = capitalized(_decider_name(told))
    bars = told.counted.bars
    names_electorate = bars is not None and who == capitalized(count_name(told.counted))
    return DeciderWords(label, who, str(bars.eligible) if bars and names_electorate else "")


def _next_label(told: WhoDecided) -> str:
    """The label of the next decider; once the agreed decider has decided nothing, someone may decide."""
    return _("Who may decide now") if told.standing == told.nothing else _("Who decides")


def decided_sentence(account: Account, *, name: str = "") -> str:
    """The decision in one or two sentences for reports. `name` replaces the name of the signer."""
    told = account.once(who_decided)
    signer = name or (told.signed.by.name if told.signed else "")
    option = with_mark(account, told.option) if told.option else ""
    match told.standing:
        case "counted":
            return _("Decided by {who}: {option}. Not signed.", who=_decider_name(told), option=option)
        case "accepted":
            who = _decider_name(told)
            return _("Decided by {who}: {option}. Accepted by {name}.", who=who, option=option, name=signer)
        case "overridden" | "chosen":
            who = _decider_name(told, name=signer)
            return _("Decided by {who}: {option}. {says}", who=who, option=option, says=count_sentence(told))
        case "changes":
            says = count_sentence(told)
            return _("Accepted with changes by {name}: {option}. {says}", name=signer, option=option, says=says)
        case "rejected":
            return _("Rejected by {name}. {says}", name=signer, says=count_sentence(told))
        case "escalated":
            return _("Escalated by {name}. {says}", name=signer, says=count_sentence(told))
        case _:
            ended = _ENDED[told.standing]
            return _("{ended}. {label}: {who}.", ended=ended, label=_next_label(told), who=_decider_name(told))


def _decider_name(told: WhoDecided, *, name: str = "") -> str:
    """The decider, or the next one."""
    signer = name or (told.signed.by.name if told.signed else "")
    match told.standing:
        case "counted" | "accepted" | "open":
            return count_name(told.counted)
        case "vote_due":
            return _("{who}, by the final vote", who=count_name(told.counted))
        case "overridden" | "chosen" | "rejected":
            if not told.against_the_count:
                return signer
            return _("{name}, against {count}", name=signer, count=_overridden(told.counted))
        case "changes":
            return _("{name}, once the changes are made", name=signer)
        case "escalated":
            return told.escalation.to if told.escalation else _("someone with the mandate")
        case _:
            # The agreed count or seat has decided nothing.
            return _next_decider(told)


def _next_decider(told: WhoDecided) -> str:
    """The next decider of an undecided debate."""
    if told.escalation and not told.waits_for:
        return told.escalation.to
    if told.approvers:
        return _("{who}, by signature", who=spoken_list(told.approvers))
    return _("an approver, still to be named") if told.has_room else _("the person who signs")


def count_name(says: CountSays) -> str:
    """`the room`, `the judge`: the agreed decider."""
    template = _DECIDERS[says.decider]
    return template.format(role=named(says.seat_role)) if says.seat_role else template


def _overridden(says: CountSays) -> str:
    """`the count`, or the name of a deciding seat or of the comparisons."""
    return count_name(says) if says.decider in ("seat", "comparisons") else _("the count")


def count_sentence(told: WhoDecided) -> str:
    """Result of the agreed count or seat, with its numbers: `3 of 3 seats chose Redis cluster.`"""
    says = told.counted
    if says.option is None:
        return _nothing_sentence(told)
    if says.decider == "comparisons":
        return _("The comparisons put {option} first.", option=says.option)
    if says.seat_role:
        return _("{seat} named {option}.", seat=capitalized(count_name(says)), option=says.option)
    if says.bars is None or says.has is None:
        return _("The count says {option}.", option=says.option)
    if says.bars.counts_everybody:
        share = _("{has} {of_voters}", has=says.has, of_voters=of_voters(says.bars))
        return _("{share} chose {option}.", share=share, option=says.option)
    return _("{option} has {has}.", option=says.option, has=_points(says))


def _nothing_sentence(told: WhoDecided) -> str:
    says = told.counted
    if told.nothing == "undecided" and says.decider == "seat":
        return _("{seat} named no option.", seat=capitalized(count_name(says)))
    if told.nothing == "undecided" and says.decider == "comparisons":
        return _("The comparisons settled nothing.")
    if told.nothing == "undecided" and says.bars is not None and not says.bars.cast:
        return _("No one cast a vote.")
    return _NOTHING[told.nothing] if told.nothing else ""


def _points(says: CountSays) -> str:
    """`3 of 4 votes`, `3.99 weighted points`."""
    if says.bars is None or says.has is None:
        return ""
    among = [bar.has for bar in says.bars.bars]
    if says.of is None:
        return amount_words(says.has, says.bars.unit, among)
    return _("{has} of {of} {unit}", has=points_words(says.has, among), of=says.of, unit=named(says.bars.unit))


def of_voters(bars: VoteBars) -> str:
    """`of 12 voters`."""
    return _n(bars.eligible, *_OF_VOTERS[bars.voters])


def override_words(told: WhoDecided) -> str:
    """The chip of a decision against the count: `Overrides 3 of 3 seats`; empty for other decisions."""
    says = told.counted
    if not told.against_the_count:
        return ""
    if says.bars is None or says.has is None:
        return _("Overrides {count}", count=_overridden(says))
    if says.bars.counts_everybody:
        return _("Overrides {has} {of_voters}", has=says.has, of_voters=of_voters(says.bars))
    return _("Overrides {has}", has=_points(says))


def signed_line(told: WhoDecided) -> str:
    """Line under a signed option that is not the counted one, and under a signature without an option."""
    name = told.signed.by.name if told.signed else ""
    says = count_sentence(told)
    match told.standing:
        case "rejected":
            return _("{says} {name} rejected it.", says=says, name=name)
        case "escalated":
            return _("{says} {name} escalated it.", says=says, name=name)
        case "changes" if told.option == told.counted.option:
            return _("{says} {name} asks for changes first.", says=says, name=name)
        case _ if told.against_the_count:
            return _(
                "{name} chose this, against {count}. {says}", name=name, count=_overridden(told.counted), says=says
            )
        case _:
            return _("{name} chose this. {says}", name=name, says=says)


@dataclass(frozen=True, slots=True)
class DecisionRow:
    """The decision as one row for tables and JSON."""

    standing: DecisionState
    option: str | None
    """The option in force."""
    decided_by: str | None
    """`debaters`, `panel`, `room`, `comparisons`, the role of a seat, or `person`; None before a decision."""
    agreed_decider: str
    """The decider that was agreed before the start, in the same terms."""
    rule: str
    counted_option: str | None
    has: Number | None
    of: Number | None
    needed: Number | None
    against_count: bool
    verdict: str | None
    signed_by: str | None
    signed_at: str | None
    waits_for: WaitsFor
    since: Since
    people_voted: bool
    sentence: str
    note: str
    """Warning that no person voted on this result, with the number of checked claims; empty if a person voted."""


def decision_row(account: Account) -> DecisionRow:
    """The present decision in one row."""
    told = account.once(who_decided)
    says = told.counted
    signed = told.signed
    agreed = says.seat_role or says.decider
    decided_by = "person" if told.by_person else agreed
    row = DecisionRow(
        standing=told.standing,
        option=told.option,
        decided_by=decided_by if told.is_decided else None,
        agreed_decider=agreed,
        rule=says.rule,
        counted_option=says.option,
        has=says.has,
        of=says.of,
        needed=says.needed,
        against_count=told.against_the_count,
        verdict=None,
        signed_by=None,
        signed_at=None,
        waits_for=told.waits_for,
        since=account.decision.since,
        people_voted=told.people_voted,
        sentence=decided_sentence(account),
        note=no_person_sentence(account),
    )
    if signed is None:
        return row
    return replace(row, verdict=signed.word.verdict, signed_by=signed.by.name, signed_at=signed.at)


def rule_words(account: Account) -> str:
    """Bar of the agreed decider, if known: `7 of 12 needed`, `the most points win`."""
    bars = account.once(who_decided).counted.bars
    if bars is not None:
        return line_words(bars)
    terms = account.state.spec.terms
    if terms.decides == "debaters":
        return ""
    weight = sum(voter.weight for voter in stage.voters(account.state, terms.decides))
    needed = votes_needed(terms.vote, weight) if weight else None
    if needed is None:
        return clause_words(terms.vote)
    return _("{needed} of {of} needed", needed=needed, of=weight)


def threshold_words(bars: VoteBars) -> str:
    """The condition to win where no number of votes is needed; the quorum where too few ballots were cast."""
    if bars.quorum_missed is None:
        return clause_words(bars.rule)
    return _n(bars.quorum_missed, "{n} ballot needed", "{n} ballots needed")


def line_words(bars: VoteBars) -> str:
    """Bar of this vote; empty for advice, which has none."""
    if not bars.decides:
        return ""
    if bars.needed is None:
        return threshold_words(bars)
    if not bars.in_heads:
        return _("{needed} needed", needed=bars.needed)
    if bars.needed_of_cast is not None:
        return _("{needed} of the {of} cast needed", needed=bars.needed, of=bars.needed_of_cast)
    return _("{needed} of {of} needed", needed=bars.needed, of=bars.of)


def no_person_sentence(account: Account) -> str:
    """Warning that no person voted on this result, with the number of checked claims; empty if a person voted."""
    if not account.once(who_decided).is_result_of_no_person:
        return ""
    sentence = f"{_who_voted_instead(account)} {_checked_words(account)}"
    if sum(seat.is_model for seat in account.state.spec.debaters()) < 2:
        return sentence
    return f"{sentence} {_independence_sentence(account)}"


def _independence_sentence(account: Account) -> str:
    """The number of independent voters that the votes are worth, if it was measured here; else the published rate."""
    votes = len(model_votes(stated(account.state)))
    errors = account.joint_errors
    if votes > 1 and errors is not None and errors.correlation is not None:
        return _(
            "{votes} votes of models count like about {effective} independent ones (measured on {debates} debates of "
            "these models with a known outcome).",
            votes=votes,
            effective=format_number(effective_voters(votes, errors.correlation), ".1f"),
            debates=errors.debates,
        )
    return _(
        "Where two models both err, they give the same answer in {share} of cases (published by Kim et al., ICML 2025, "
        "not measured here).",
        share=format_number(PUBLISHED_SAME_ERROR, ".0%"),
    )


def _who_voted_instead(account: Account) -> str:
    """Say that no person voted, and whose marks the seats follow if all of them only quote documents."""
    spec, marks = account.state.spec, account.state.marks.values()
    people = spoken_list([stage.name_of(account.state, by) for by in dict.fromkeys(mark.by for mark in marks)])
    if people and len(spec.evidence_panel()) == len(spec.debaters()):
        return _(
            "No person voted on this result. The seats only quote documents: their votes follow the marks of {people}.",
            people=people,
        )
    voters = _("models") if spec.models else _("seats")
    return _("No person voted on this result. Agreement among {voters} is no evidence.", voters=voters)


def _checked_words(account: Account) -> str:
    if not account.claims:
        return _("No claim was made.")
    checked = [row for row in account.claims if row.evidence_text and row.quote_verified != "no_source"]
    failed = sum(row.quote_verified in FALSE_QUOTES for row in checked)
    but = _(", and {failed} of these failed the check", failed=failed) if failed else ""
    return _n(
        len(account.claims),
        "{checked} of {n} claim was checked against a source{but}.",
        "{checked} of {n} claims were checked against a source{but}.",
        checked=len(checked),
        but=but,
    )
