"""The part of a form that asks for a vote: one option, places, points, approvals, dots, or consent with reasons.

Knows what a ballot says and not how it is counted; whether it is one is for `fault_in_ballot` to say.
"""

from collections.abc import Callable, Mapping
from typing import assert_never

import streamlit as st

from debate_core.engine.count.ballots import OBJECTION, how
from debate_core.engine.field_aliases import CONSENT_WORDS
from debate_core.errors import BadReply
from debate_core.spec.protocol import Driver
from debate_core.spec.rules import BEST_SCORE, DecisionRule, Elected, ballot_kind, most_points
from debate_core.spec.values import ABSTAIN, BallotKind
from debate_core.ui.kit.drafts import FormDraft
from debate_core.ui.kit.text import safe_label, safe_line
from debate_core.ui.turn.fields import MAX_LINE_CHARS, Fields, area

_ABSTAINS = "ballot abstains"


def ballot_fields(
    draft: FormDraft,
    rule: DecisionRule,
    options: tuple[str, ...],
    drivers: tuple[Driver, ...] = (),
    marks: Mapping[str, str] | None = None,
) -> None:
    """The fields of one ballot under this rule on these options, and under these drivers where it asks for them.

    `marks`: option -> Markdown that stands before its name.
    """
    kind, before = ballot_kind(rule), marks or {}
    if kind == "one":
        st.radio(
            "Your vote",
            (*options, ABSTAIN),
            format_func=lambda option: (
                "abstain" if option == ABSTAIN else f"{before.get(option, '')} {safe_line(option)}".lstrip()
            ),
            horizontal=True,
            width="stretch",
            **draft.one_of("vote", (*options, ABSTAIN)),
        )
        return
    st.markdown("**Your vote**")
    st.checkbox("I abstain", **draft.tick(_ABSTAINS))
    if draft.get(_ABSTAINS):
        return
    asked = how(kind, most_points(rule))
    st.caption(f"{asked[:1].upper()}{asked[1:]}.")
    if kind == "criteria":
        _under_drivers(draft, options, drivers, most_points(rule))
    else:
        _of_kind(draft, kind, options, rule.dots if isinstance(rule, Elected) else 0)


def _of_kind(draft: FormDraft, kind: BallotKind, options: tuple[str, ...], dots: int) -> None:
    match kind:
        case "approval":
            st.pills(
                "Options you approve",
                options,
                selection_mode="multi",
                format_func=safe_line,
                **draft.some_of("approvals", options),
            )
        case "ranking":
            _numbers(draft, options, 1, len(options), lambda option: f"Place of {option} (may stay empty)")
        case "score":
            _numbers(draft, options, 0, BEST_SCORE, lambda option: f"{option}, 0 to {BEST_SCORE}")
        case "dots":
            _numbers(draft, options, 0, dots, lambda option: f"Dots for {option}")
            st.caption(f"{sum(_points(draft, options).values())} of {dots} dots spent.")
        case "consent":
            _consent(draft, options)
        case "one" | "criteria":
            pass
        case _:
            assert_never(kind)


def _under_drivers(draft: FormDraft, options: tuple[str, ...], drivers: tuple[Driver, ...], most: int) -> None:
    for place, driver in enumerate(drivers):
        with st.container(border=True, key=draft.place(f"d{place}")):
            st.markdown(f"**{safe_line(driver.name)}** (weighs {driver.weight} of 100)")
            _numbers(draft, options, 0, most, lambda option: f"{option}, 0 to {most}", under=f"d{place}")


def _numbers(
    draft: FormDraft, options: tuple[str, ...], least: int, most: int, label: Callable[[str], str], *, under: str = ""
) -> None:
    for place, option in enumerate(options):
        st.number_input(
            safe_label(label(option)),
            step=1,
            **draft.number(f"{under}points{place}", least, most),
        )


def _consent(draft: FormDraft, options: tuple[str, ...]) -> None:
    for place, option in enumerate(options):
        with st.container(border=True, key=draft.place(f"says{place}")):
            word = st.segmented_control(
                safe_label(option), CONSENT_WORDS, **draft.pill_of(f"says{place}", CONSENT_WORDS)
            )
            if word in CONSENT_WORDS[1:]:
                label = "What it is, and what would lift it"
                area(draft, f"reason{place}", label, max_chars=MAX_LINE_CHARS, height=70)


def _points(draft: FormDraft, options: tuple[str, ...], under: str = "") -> dict[str, int]:
    """Option -> the number that was typed; fields left empty are left out."""
    typed = {option: draft.get(f"{under}points{place}") for place, option in enumerate(options)}
    return {option: points for option, points in typed.items() if isinstance(points, int)}


def ballot_of(
    draft: FormDraft, rule: DecisionRule, options: tuple[str, ...], drivers: tuple[Driver, ...] = ()
) -> Fields:
    """The fields `vote` or `ballot` of the turn. BadReply says what is missing."""
    kind = ballot_kind(rule)
    if kind == "one":
        vote = draft.get("vote")
        if vote is None:
            raise BadReply(f"choose a vote: {', '.join(options)}, or abstain")
        return {"vote": vote}
    if draft.get(_ABSTAINS):
        return {"vote": ABSTAIN}
    ballot = _ballot(draft, kind, options, drivers)
    if not ballot:
        raise BadReply(f"your vote is empty: {how(kind, most_points(rule))}, or say that you abstain")
    return {"ballot": ballot}


def _ballot(draft: FormDraft, kind: BallotKind, options: tuple[str, ...], drivers: tuple[Driver, ...]) -> list[Fields]:
    match kind:
        case "criteria":
            return [
                {"option": option, "points": points, "driver": driver.name}
                for place, driver in enumerate(drivers)
                for option, points in _points(draft, options, f"d{place}").items()
            ]
        case "approval":
            return [{"option": option, "points": 1} for option in draft.choices("approvals")]
        case "consent":
            ballot = [_consent_to(draft, place, option) for place, option in enumerate(options)]
            return [part for part in ballot if part]
        case _:
            return [{"option": option, "points": points} for option, points in _points(draft, options).items()]


def _consent_to(draft: FormDraft, place: int, option: str) -> Fields:
    """What was said of one option; empty where nothing was."""
    word = draft.text(f"says{place}")
    if not word:
        return {}
    points = CONSENT_WORDS.index(word)
    reason = draft.text(f"reason{place}") if points else ""
    if points == OBJECTION and not reason:
        raise BadReply("an objection needs its reason: say what it is, and what would lift it")
    return {"option": option, "points": points, "reason": reason}
