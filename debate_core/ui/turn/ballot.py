"""The vote in a form: one option, a ranking, points, approvals, dots, or consent with reasons.

All kinds but one option are rows for a thumb, which the browser updates without a rerun. Knows the content of a ballot
and not its counting; `fault_in_ballot` validates it.
"""

from collections.abc import Mapping, Sequence
from itertools import product

import streamlit as st

from debate_core.engine.count.ballots import OBJECTION, how
from debate_core.engine.field_aliases import CONSENT_WORDS
from debate_core.errors import BadReply
from debate_core.language import Words, _, _n
from debate_core.record.state import State
from debate_core.report.facts.option_meanings import option_meanings
from debate_core.report.facts.vote_bars import letters
from debate_core.spec.protocol import Driver
from debate_core.spec.rules import DecisionRule, ballot_kind, dots_of, most_points
from debate_core.spec.values import ABSTAIN, BallotKind, Given
from debate_core.text import capitalized
from debate_core.ui.kit.components import parts
from debate_core.ui.kit.drafts import FormDraft, Plain
from debate_core.ui.kit.text import safe_label, safe_line
from debate_core.ui.turn.fields import MAX_LINE_CHARS, Fields, area

_ABSTAINS = "ballot abstains"


def ballot_fields(
    draft: FormDraft,
    state: State,
    rule: DecisionRule,
    options: tuple[str, ...],
    drivers: tuple[Driver, ...] = (),
    *,
    label: str,
    marks: Mapping[str, str] | None = None,
) -> None:
    """Draw the fields of one ballot under this rule on these options; `drivers` for rules that weigh them.

    `label`: the name of the ballot, unique on the page. `marks`: option -> Markdown before its name.
    """
    of_letter, meanings = letters(state.spec.options), option_meanings(state)
    named = [
        parts.NamedOption(letter=of_letter.get(option, ""), option=option, meaning=meanings.get(option, ""))
        for option in options
    ]
    if ballot_kind(rule) == "one":
        _draw_one_vote(draft, label, named, marks or {})
    else:
        _draw_rows(draft, rule, label, named, drivers)


def _draw_one_vote(draft: FormDraft, label: str, named: Sequence[parts.NamedOption], marks: Mapping[str, str]) -> None:
    words = {}
    for one in named:
        meaning = f" :small[:gray[{safe_label(one['meaning'])}]]" if one["meaning"] else ""
        words[one["option"]] = f"{marks.get(one['option'], '')} {safe_line(one['option'])}{meaning}".lstrip()
    words[ABSTAIN] = capitalized(_("abstain"))
    st.radio(
        safe_label(label),
        [*words],
        format_func=lambda option: words.get(option, option),
        horizontal=True,
        width="stretch",
        **draft.one_of("vote", [*words]),
    )


ASKED: Words[BallotKind] = Words(
    {
        "ranking": "Tap the options in your order, the best first. Tap again to take one back.",
        "approval": "Tap every option that you approve.",
        "score": "Give each option 0 to {most}, {most} = best.",
        "dots": "Spend your dots.",
        "consent": "Consent to each option, raise a concern, or object.",
        "criteria": "Give each option 0 to {most} under each driver, {most} = best. A row that you leave is no grade.",
    }
)
"""The instruction of each kind of ballot that is tapped."""


def _draw_rows(
    draft: FormDraft,
    rule: DecisionRule,
    label: str,
    named: Sequence[parts.NamedOption],
    drivers: tuple[Driver, ...],
) -> None:
    kind = ballot_kind(rule)
    options = tuple(one["option"] for one in named)
    maxima = {"ranking": len(options), "approval": 1, "dots": dots_of(rule), "consent": OBJECTION}
    most = maxima.get(kind, most_points(rule))
    fields = _list_fields(kind, options, drivers)

    def keep_in_draft() -> None:
        """Copy the taps into the draft, so that they survive a reload; not those of a ballot that was given."""
        if _read_taps(draft):
            kept: dict[str, Plain] = dict(zip(fields, _read_points(draft, fields), strict=True))
            draft.fill(kept | {_ABSTAINS: int(_abstains(draft))})

    points = _read_valid_points(draft, fields, most)
    weighed = drivers if kind == "criteria" else ()
    parts.ask_ballot(
        label,
        _(ASKED.english(kind), most=most),
        kind,
        named,
        parts.GivenPoints(points=points, abstains=_abstains(draft)),
        most=most,
        words=CONSENT_WORDS if kind == "consent" else (),
        drivers=[(driver.name, _("weight {weight} of 100", weight=driver.weight)) for driver in weighed],
        key=_taps_key(draft),
        on_said=keep_in_draft,
    )
    if kind == "consent":
        _draw_reasons(draft, options, points)


def _draw_reasons(draft: FormDraft, options: tuple[str, ...], points: Sequence[int | None]) -> None:
    """Draw a field for each concern and each objection."""
    for place, (option, given) in enumerate(zip(options, points, strict=True)):
        if given:
            word = capitalized(CONSENT_WORDS[given])
            label = _("{word} on {option}: what would lift it?", word=word, option=option)
            area(draft, f"reason{place}", safe_label(label), max_chars=MAX_LINE_CHARS, height=70)


def _list_fields(kind: BallotKind, options: tuple[str, ...], drivers: tuple[Driver, ...]) -> list[str]:
    """The fields of the draft for the points, by option, and by driver and option if the rule weighs drivers."""
    rows = [f"points{place}" for place in range(len(options))]
    if kind != "criteria":
        return rows
    return [f"d{number}{row}" for number in range(len(drivers)) for row in rows]


def _cells(kind: BallotKind, options: Sequence[str], drivers: Sequence[Driver]) -> list[tuple[Driver | None, str]]:
    """Driver and option of each row, in the order of `_list_fields`; None for kinds without drivers."""
    return list(product(drivers if kind == "criteria" else (None,), options))


def _taps_key(draft: FormDraft) -> str:
    return draft.part("tapped")


def _read_taps(draft: FormDraft) -> Mapping[str, object]:
    """The `GivenPoints` that the browser reports; empty before the first tap in this window."""
    taps = parts.said(_taps_key(draft))
    return taps if isinstance(taps, Mapping) else {}


def _abstains(draft: FormDraft) -> bool:
    return bool(_read_taps(draft).get("abstains", draft.get(_ABSTAINS)))


def _read_points(draft: FormDraft, fields: Sequence[str]) -> list[int | None]:
    """The tapped points, else those of the draft; None for an empty row."""
    numbers: Sequence[object] = [draft.get(field) for field in fields]
    tapped = _read_taps(draft).get("points")
    if isinstance(tapped, Sequence) and len(tapped) == len(fields):
        numbers = tapped
    return [number if type(number) is int else None for number in numbers]


def _read_valid_points(draft: FormDraft, fields: Sequence[str], most: int) -> list[int | None]:
    """These points without those that are out of bounds: a draft of an earlier version may have other ones."""
    valid = range(most + 1)
    return [number if number in valid else None for number in _read_points(draft, fields)]


def fields_of(
    rule: DecisionRule,
    options: tuple[str, ...],
    drivers: tuple[Driver, ...],
    choice: str | None,
    given: Sequence[Given],
) -> dict[str, Plain]:
    """The fields of a draft with a ballot that was given: the inverse of `ballot_of`."""
    kind = ballot_kind(rule)
    if kind == "one":
        return {"vote": choice}
    fields, cells = _list_fields(kind, options, drivers), _cells(kind, options, drivers)
    points = {(entry.driver, entry.option): entry.points for entry in given}
    filled: dict[str, Plain] = {_ABSTAINS: int(choice == ABSTAIN)}
    for field, (driver, option) in zip(fields, cells, strict=True):
        filled[field] = points.get((driver.name if driver else None, option))
    return filled | {f"reason{options.index(entry.option)}": entry.reason for entry in given if entry.reason}


_LEFT: Words[BallotKind] = Words(
    {
        "criteria": "A row without a number is no grade: it enters no mean.",
        "score": "An option without a number gets 0 points.",
        "consent": "The ballot says nothing about the others.",
    }
)
"""The effect of rows without an answer, for kinds of ballots that ask about every row."""


def missing_rows(rule: DecisionRule, options: Sequence[str], drivers: Sequence[Driver], given: Sequence[Given]) -> str:
    """The rows of a ballot without an answer, by option, and their effect; "" for a complete ballot or an abstention.

    A ranking, approvals and dots need no answer for each option.
    """
    kind = ballot_kind(rule)
    if not given or kind not in _LEFT:
        return ""
    filled = {(entry.driver, entry.option) for entry in given}
    missing: dict[str, list[str]] = {}
    cells = _cells(kind, options, drivers)
    for driver, option in cells:
        name = driver and driver.name
        if (name, option) not in filled:
            missing.setdefault(option, []).append(name or "")
    n_missing = sum(map(len, missing.values()))
    if not n_missing:
        return ""
    of_all = _n(n_missing, "{n} of {total} rows has no answer", "{n} of {total} rows have no answer", total=len(cells))
    rows = "; ".join(_missing_of_option(option, names, drivers) for option, names in missing.items())
    return f"{of_all}: {rows}. {_LEFT[kind]}"


def _missing_of_option(option: str, names: Sequence[str], drivers: Sequence[Driver]) -> str:
    if not any(names):
        return option
    if len(names) == len(drivers) > 1:
        return _("{option}: all {n}", option=option, n=len(names))
    return f"{option}: {', '.join(names)}"


def ballot_of(
    draft: FormDraft, rule: DecisionRule, options: tuple[str, ...], drivers: tuple[Driver, ...] = ()
) -> Fields:
    """The fields `vote` or `ballot` of the turn. Raises BadReply if the vote is missing or incomplete."""
    kind = ballot_kind(rule)
    if kind == "one":
        vote = draft.get("vote")
        if vote is None:
            raise BadReply(_("choose a vote: {options}, or abstain", options=", ".join(options)))
        return {"vote": vote}
    if _abstains(draft):
        return {"vote": ABSTAIN}
    ballot = _read_rows(draft, kind, options, drivers)
    if not ballot:
        raise BadReply(_("your vote is empty: {how}, or say that you abstain", how=how(kind, most_points(rule))))
    return {"ballot": ballot}


def _read_rows(
    draft: FormDraft, kind: BallotKind, options: tuple[str, ...], drivers: tuple[Driver, ...]
) -> list[Fields]:
    ballot: list[Fields] = []
    points = _read_points(draft, _list_fields(kind, options, drivers))
    for (driver, option), given in zip(_cells(kind, options, drivers), points, strict=True):
        if given is None:
            continue
        row: Fields = {"option": option, "points": given}
        if driver:
            row["driver"] = driver.name
        if kind == "consent":
            row["reason"] = _read_reason(draft, options.index(option), given)
        ballot.append(row)
    return ballot


def _read_reason(draft: FormDraft, place: int, given: int) -> str:
    """The reason for a concern or an objection. Raises BadReply for an objection without one."""
    reason = draft.text(f"reason{place}") if given else ""
    if given == OBJECTION and not reason:
        raise BadReply(_("an objection needs its reason: say what it is, and what would lift it"))
    return reason
