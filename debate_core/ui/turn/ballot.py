"""The part of a form that asks for a vote: one option, places, points, approvals, dots, or consent with reasons.

Places are tapped in order, approvals and points pressed, in rows for a thumb that need no rerun. Knows what a ballot
says and not how it is counted; whether it is one is for `fault_in_ballot` to say.
"""

from collections.abc import Mapping, Sequence
from functools import partial

import streamlit as st

from debate_core.engine.count.ballots import OBJECTION, how
from debate_core.engine.field_aliases import CONSENT_WORDS
from debate_core.errors import BadReply
from debate_core.language import Words, _
from debate_core.spec.protocol import Driver
from debate_core.spec.rules import DecisionRule, ballot_kind, dots_of, most_points
from debate_core.spec.values import ABSTAIN, BallotKind
from debate_core.text import capitalized
from debate_core.ui.kit.drafts import FormDraft, Plain
from debate_core.ui.kit.face import parts
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
    """The fields of one ballot under this rule on these options, and under these drivers where it asks for them.

    `label`: the name of the ballot, which no other one on the page has. `of_letter`: option -> its letter. `marks`:
    option -> Markdown that stands before its name.
    """
    kind = ballot_kind(rule)
    if kind == "one":
        _one_vote(draft, label, options, marks or {})
    else:
        _rows(draft, rule, label, options, drivers, of_letter)


def _one_vote(draft: FormDraft, label: str, options: tuple[str, ...], marks: Mapping[str, str]) -> None:
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
"""Kinds of ballots that are tapped, and what is asked."""


def _rows(
    draft: FormDraft,
    rule: DecisionRule,
    label: str,
    options: tuple[str, ...],
    drivers: tuple[Driver, ...],
    of_letter: Mapping[str, str],
) -> None:
    kind = ballot_kind(rule)
    ends = {"ranking": len(options), "approval": 1, "dots": dots_of(rule), "consent": OBJECTION}
    most = ends.get(kind, most_points(rule))
    fields = _fields(kind, options, drivers)
    # What was kept may not fit any more.
    points = [number if number is not None and 0 <= number <= most else None for number in _points(draft, fields)]
    weighed = drivers if kind == "criteria" else ()
    parts.ask_ballot(
        label,
        _(ASKED.english(kind), most=most),
        kind,
        [parts.NamedOption(letter=of_letter.get(option, ""), option=option) for option in options],
        parts.GivenPoints(points=points, abstains=_abstains(draft)),
        most=most,
        words=CONSENT_WORDS if kind == "consent" else (),
        drivers=[(driver.name, _("weight {weight} of 100", weight=driver.weight)) for driver in weighed],
        key=_tapped_at(draft),
        on_said=partial(_keep, draft, fields),
    )
    if kind == "consent":
        _reasons(draft, options, points)


def _reasons(draft: FormDraft, options: tuple[str, ...], points: Sequence[int | None]) -> None:
    """A field for each concern and each objection."""
    for place, (option, given) in enumerate(zip(options, points, strict=True)):
        if given:
            word = capitalized(CONSENT_WORDS[given])
            label = _("{word} on {option}: what would lift it?", word=word, option=option)
            area(draft, f"reason{place}", safe_label(label), max_chars=MAX_LINE_CHARS, height=70)


def _fields(kind: BallotKind, options: tuple[str, ...], drivers: tuple[Driver, ...]) -> list[str]:
    """What the draft calls the points of each row: by option, and under each driver where the rule weighs them."""
    rows = [f"points{place}" for place in range(len(options))]
    if kind != "criteria":
        return rows
    return [f"d{number}{row}" for number in range(len(drivers)) for row in rows]


def _tapped_at(draft: FormDraft) -> str:
    return draft.part("tapped")


def _tapped(draft: FormDraft) -> Mapping[str, object]:
    """What the browser has told of the rows, `GivenPoints`; empty before anything was tapped in this window."""
    told = parts.said(_tapped_at(draft))
    return told if isinstance(told, Mapping) else {}


def _keep(draft: FormDraft, fields: Sequence[str]) -> None:
    """The draft has it too, so that it survives a reload; not what is told of rows whose vote was given."""
    if not _tapped(draft):
        return
    kept: dict[str, Plain] = dict(zip(fields, _points(draft, fields), strict=True))
    draft.fill(kept | {_ABSTAINS: int(_abstains(draft))})


def _abstains(draft: FormDraft) -> bool:
    return bool(_tapped(draft).get("abstains", draft.get(_ABSTAINS)))


def _points(draft: FormDraft, fields: Sequence[str]) -> list[int | None]:
    """The number of each row that was tapped or kept; None for a row that was left empty."""
    numbers: Sequence[object] = [draft.get(field) for field in fields]
    tapped = _tapped(draft).get("points")
    if isinstance(tapped, Sequence) and len(tapped) == len(fields):
        numbers = tapped
    return [number if type(number) is int else None for number in numbers]


def ballot_of(
    draft: FormDraft, rule: DecisionRule, options: tuple[str, ...], drivers: tuple[Driver, ...] = ()
) -> Fields:
    """The fields `vote` or `ballot` of the turn. BadReply says what is missing."""
    kind = ballot_kind(rule)
    if kind == "one":
        vote = draft.get("vote")
        if vote is None:
            raise BadReply(_("choose a vote: {options}, or abstain", options=", ".join(options)))
        return {"vote": vote}
    if _abstains(draft):
        return {"vote": ABSTAIN}
    ballot = _ballot(draft, kind, options, drivers)
    if not ballot:
        raise BadReply(_("your vote is empty: {how}, or say that you abstain", how=how(kind, most_points(rule))))
    return {"ballot": ballot}


def _ballot(draft: FormDraft, kind: BallotKind, options: tuple[str, ...], drivers: tuple[Driver, ...]) -> list[Fields]:
    points = _points(draft, _fields(kind, options, drivers))
    if kind == "criteria":
        rows = [(option, driver.name) for driver in drivers for option in options]
        return [
            {"option": option, "points": given, "driver": driver}
            for (option, driver), given in zip(rows, points, strict=True)
            if given is not None
        ]
    said = [(place, option, given) for place, (option, given) in enumerate(zip(options, points, strict=True))]
    if kind == "consent":
        return [_consent_to(draft, place, option, given) for place, option, given in said if given is not None]
    return [{"option": option, "points": given} for _place, option, given in said if given is not None]


def _consent_to(draft: FormDraft, place: int, option: str, points: int) -> Fields:
    """What was said of one option."""
    reason = draft.text(f"reason{place}") if points else ""
    if points == OBJECTION and not reason:
        raise BadReply(_("an objection needs its reason: say what it is, and what would lift it"))
    return {"option": option, "points": points, "reason": reason}
