"""The part of a form that asks for a vote: one option, places, points, approvals, dots, or consent with reasons.

Places are tapped in order, approvals and points pressed, in rows for a thumb that need no rerun. Knows what a ballot
says and not how it is counted; whether it is one is for `fault_in_ballot` to say.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import partial

import streamlit as st

from debate_core.engine.count.ballots import OBJECTION, how
from debate_core.engine.field_aliases import CONSENT_WORDS
from debate_core.errors import BadReply
from debate_core.language import Words, _, said
from debate_core.spec.protocol import Driver
from debate_core.spec.rules import BEST_SCORE, DecisionRule, ballot_kind, dots_of, most_points
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
    of_letter: Mapping[str, str],
    marks: Mapping[str, str] | None = None,
) -> None:
    """The fields of one ballot under this rule on these options, and under these drivers where it asks for them.

    `of_letter`: option -> its letter. `marks`: option -> Markdown that stands before its name.
    """
    kind = ballot_kind(rule)
    if kind == "one":
        _one_vote(draft, options, marks or {})
        return
    if kind != "criteria":
        _rows(draft, kind, options, of_letter, dots_of(rule))
        return
    st.markdown(_("**Your vote**"))
    st.checkbox(_("I abstain"), **draft.tick(_ABSTAINS))
    if draft.get(_ABSTAINS):
        return
    asked = said(how(kind, most_points(rule)))
    st.caption(f"{capitalized(asked)}.")
    _under_drivers(draft, options, drivers, most_points(rule))


def _one_vote(draft: FormDraft, options: tuple[str, ...], marks: Mapping[str, str]) -> None:
    words = {option: f"{marks.get(option, '')} {safe_line(option)}".lstrip() for option in options}
    words[ABSTAIN] = _("abstain")
    st.radio(
        _("Your vote"),
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
    }
)
"""Kinds of ballots that are tapped, and what is asked."""


def _rows(
    draft: FormDraft, kind: BallotKind, options: tuple[str, ...], of_letter: Mapping[str, str], dots: int
) -> None:
    ends = {"ranking": len(options), "approval": 1, "score": BEST_SCORE, "dots": dots, "consent": OBJECTION}
    most = ends[kind]
    # What was kept may not fit any more.
    points = {option: number for option, number in _points(draft, options).items() if 0 <= number <= most}
    named = [parts.NamedOption(letter=of_letter.get(option, ""), option=option) for option in options]
    in_order = [points.get(option) for option in options]
    parts.ask_ballot(
        _("Your vote"),
        _(ASKED.english(kind), most=most),
        kind,
        named,
        parts.GivenPoints(points=in_order, abstains=_abstains(draft)),
        most=most,
        words=CONSENT_WORDS if kind == "consent" else (),
        key=_tapped_at(draft),
        on_said=partial(_keep, draft, options),
    )
    if kind == "consent":
        _reasons(draft, options, points)


def _reasons(draft: FormDraft, options: tuple[str, ...], points: Mapping[str, int]) -> None:
    """A field for each concern and each objection."""
    for place, option in enumerate(options):
        if points.get(option):
            label = safe_label(
                _(
                    "{word} on {option}: what would lift it?",
                    word=capitalized(CONSENT_WORDS[points[option]]),
                    option=option,
                )
            )
            area(draft, f"reason{place}", label, max_chars=MAX_LINE_CHARS, height=70)


def _tapped_at(draft: FormDraft) -> str:
    return draft.part("tapped")


def _tapped(draft: FormDraft) -> Mapping[str, object]:
    """What the browser has told of the rows, `GivenPoints`; empty before anything was tapped in this window."""
    told = parts.said(_tapped_at(draft))
    return told if isinstance(told, Mapping) else {}


def _keep(draft: FormDraft, options: tuple[str, ...]) -> None:
    """The draft has it too, so that it survives a reload; not what is told of rows whose vote was given."""
    if not _tapped(draft):
        return
    points = _points(draft, options)
    kept: dict[str, Plain] = {f"points{place}": points.get(option) for place, option in enumerate(options)}
    draft.fill(kept | {_ABSTAINS: int(_abstains(draft))})


def _abstains(draft: FormDraft) -> bool:
    return bool(_tapped(draft).get("abstains", draft.get(_ABSTAINS)))


def _under_drivers(draft: FormDraft, options: tuple[str, ...], drivers: tuple[Driver, ...], most: int) -> None:
    for place, driver in enumerate(drivers):
        with st.container(border=True, key=draft.place(f"d{place}")):
            st.markdown(_("**{name}** (weighs {weight} of 100)", name=safe_line(driver.name), weight=driver.weight))
            _numbers(
                draft,
                options,
                0,
                most,
                lambda option: _("{option}, 0 to {most}", option=option, most=most),
                under=f"d{place}",
            )


def _numbers(
    draft: FormDraft, options: tuple[str, ...], least: int, most: int, label: Callable[[str], str], *, under: str = ""
) -> None:
    for place, option in enumerate(options):
        st.number_input(
            safe_label(label(option)),
            step=1,
            **draft.number(f"{under}points{place}", least, most),
        )


def _points(draft: FormDraft, options: tuple[str, ...], under: str = "") -> dict[str, int]:
    """Option -> the number that was tapped or typed; what was left empty is left out."""
    numbers: Sequence[object] = [draft.get(f"{under}points{place}") for place in range(len(options))]
    tapped = _tapped(draft).get("points")
    if not under and isinstance(tapped, Sequence) and len(tapped) == len(options):
        numbers = tapped
    return {option: points for option, points in zip(options, numbers, strict=True) if type(points) is int}


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
    match kind:
        case "criteria":
            return [
                {"option": option, "points": points, "driver": driver.name}
                for place, driver in enumerate(drivers)
                for option, points in _points(draft, options, f"d{place}").items()
            ]
        case "consent":
            said = _points(draft, options)
            places = [(place, option) for place, option in enumerate(options) if option in said]
            return [_consent_to(draft, place, option, said[option]) for place, option in places]
        case _:
            return [{"option": option, "points": points} for option, points in _points(draft, options).items()]


def _consent_to(draft: FormDraft, place: int, option: str, points: int) -> Fields:
    """What was said of one option."""
    reason = draft.text(f"reason{place}") if points else ""
    if points == OBJECTION and not reason:
        raise BadReply(_("an objection needs its reason: say what it is, and what would lift it"))
    return {"option": option, "points": points, "reason": reason}
