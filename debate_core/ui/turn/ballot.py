"""The vote in a form: one option, a ranking, points, approvals, dots, or consent with reasons.

All kinds but one option are rows for a thumb, which the browser updates without a rerun. Knows the content of a ballot
and not its counting; `fault_in_ballot` validates it.
"""

from collections.abc import Mapping, Sequence

import streamlit as st

from debate_core.engine.count.ballots import OBJECTION, how
from debate_core.engine.field_aliases import CONSENT_WORDS
from debate_core.errors import BadReply
from debate_core.language import Words, _
from debate_core.spec.protocol import Driver
from debate_core.spec.rules import DecisionRule, ballot_kind, dots_of, most_points
from debate_core.spec.values import ABSTAIN, BallotKind
from debate_core.text import capitalized
from debate_core.ui.kit.components import parts
from debate_core.ui.kit.drafts import FormDraft, Plain
from debate_core.ui.kit.text import safe_label, safe_line
from debate_core.ui.turn.fields import MAX_LINE_CHARS, Fields, area

_ABSTAINS = "ballot abstains"


def ballot_fields(
    draft: FormDraft,
    rule: DecisionRule,
    options: tuple[str, ...],
    drivers: tuple[Driver, ...] = (),
    *,
    label: str,
    of_letter: Mapping[str, str],
    marks: Mapping[str, str] | None = None,
) -> None:
    """Draw the fields of one ballot under this rule on these options; `drivers` for rules that weigh them.

    `label`: the name of the ballot, unique on the page. `of_letter`: option -> letter. `marks`: option -> Markdown
    before its name.
    """
    kind = ballot_kind(rule)
    if kind == "one":
        _draw_one_vote(draft, label, options, marks or {})
    else:
        _draw_rows(draft, rule, label, options, drivers, of_letter)


def _draw_one_vote(draft: FormDraft, label: str, options: tuple[str, ...], marks: Mapping[str, str]) -> None:
    words = {option: f"{marks.get(option, '')} {safe_line(option)}".lstrip() for option in options}
    words[ABSTAIN] = _("abstain")
    st.radio(
        safe_label(label),
        (*options, ABSTAIN),
        format_func=lambda option: words.get(option, option),
        horizontal=True,
        width="stretch",
        **draft.one_of("vote", (*options, ABSTAIN)),
    )


ASKED: Words[BallotKind] = Words(
    {
        "ranking": "Tap the options in your order, the best first. Tap again to take one back.",
        "approval": "Tap every option that you approve.",
        "score": "Give each option 0 to {most}.",
        "dots": "Spend your dots.",
        "consent": "Consent to each option, raise a concern, or object.",
        "criteria": "Give each option 0 to {most} points under each driver.",
    }
)
"""The instruction of each kind of ballot that is tapped."""


def _draw_rows(
    draft: FormDraft,
    rule: DecisionRule,
    label: str,
    options: tuple[str, ...],
    drivers: tuple[Driver, ...],
    of_letter: Mapping[str, str],
) -> None:
    kind = ballot_kind(rule)
    maxima = {"ranking": len(options), "approval": 1, "dots": dots_of(rule), "consent": OBJECTION}
    most = maxima.get(kind, most_points(rule))
    fields = _list_fields(kind, options, drivers)

    def keep_in_draft() -> None:
        """Copy the taps into the draft, so that they survive a reload; not those of a ballot that was given."""
        if _read_taps(draft):
            kept: dict[str, Plain] = dict(zip(fields, _read_points(draft, fields), strict=True))
            draft.fill(kept | {_ABSTAINS: int(_abstains(draft))})

    points = _read_valid_points(draft, fields, most)
    named = [parts.NamedOption(letter=of_letter.get(option, ""), option=option) for option in options]
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
    # By driver, then by option, in the order of `_list_fields`; other kinds have one row for each option.
    by_driver = drivers if kind == "criteria" else (None,)
    rows = [(driver, place, option) for driver in by_driver for place, option in enumerate(options)]
    points = _read_points(draft, _list_fields(kind, options, drivers))
    for (driver, place, option), given in zip(rows, points, strict=True):
        if given is None:
            continue
        row: Fields = {"option": option, "points": given}
        if driver:
            row["driver"] = driver.name
        if kind == "consent":
            row["reason"] = _read_reason(draft, place, given)
        ballot.append(row)
    return ballot


def _read_reason(draft: FormDraft, place: int, given: int) -> str:
    """The reason for a concern or an objection. Raises BadReply for an objection without one."""
    reason = draft.text(f"reason{place}") if given else ""
    if given == OBJECTION and not reason:
        raise BadReply(_("an objection needs its reason: say what it is, and what would lift it"))
    return reason
