"""One quoted passage and its choices, for the chair and for everyone with a vote; or those that the author sorted.

Asks once for confirmation if a mark contradicts the author's own label. Knows no rules.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence

import streamlit as st

from debate_core.documents.document import heading_of, page_of
from debate_core.engine.evidence import cited_source
from debate_core.engine.private_sources import opened_sources
from debate_core.engine.reason_labels import author_reason
from debate_core.engine.suggested_marks import SuggestedMark, SuggestedMarks, suggested_marks
from debate_core.language import _, _n, quoted, spoken_list
from debate_core.record.state import State
from debate_core.report.facts.people_marks import MarkReading
from debate_core.report.facts.vote_bars import letters
from debate_core.spec.contents import Claim
from debate_core.spec.values import Source
from debate_core.ui.kit import session, single_keys
from debate_core.ui.kit.drafts import FormDraft
from debate_core.ui.kit.text import safe_label, safe_line, safe_text

NEUTRAL, SKIPPED = "neutral", "skipped"
SINGLY = "singly"
"""Field of a draft: ids of the passages that are looked at one by one, although their author sorted them."""
_ASKS = "asks_about_mark"
"""In the session state: the key of the choice that waits for confirmation."""
# A thumb needs 56 px. The choices stay in sight below a long passage, and scroll beyond 60 % of the window.
_STYLE = """<style>
.st-key-passage-choices { gap: 0.5rem; padding: 0.5rem 0; }
.st-key-passage-choices [data-testid="stButton"] button { min-height: 56px; border-radius: 12px; }
.st-key-passage-choices [data-testid="stButton"] button p { font-size: 1.05rem; font-weight: 600; }
[data-testid="stLayoutWrapper"]:has(> .st-key-passage-choices) {
  position: sticky; bottom: 0; z-index: 2; max-height: 60vh; overflow-y: auto;
  background: var(--st-background-color, Canvas); }
body:has(.st-key-next-step) [data-testid="stLayoutWrapper"]:has(> .st-key-passage-choices) { bottom: 72px; }
</style>"""


def draw_passage(sources: Iterable[Source], claim: Claim, *, beside: str = "") -> None:
    """Draw the place of the passage in its source, its words, and a line beside it."""
    st.caption(safe_line(place_in_sources(sources, claim), max_chars=160))
    st.markdown(safe_text(claim.quote or claim.text))
    if beside:
        st.caption(safe_line(beside))


def place_in_sources(sources: Iterable[Source], claim: Claim) -> str:
    """Name the place of a quoted claim: `Load test of March, under “Results”`."""
    source = cited_source(sources, claim)
    return place_in(source, claim.quote or "") if source else _("no source")


def place_in(source: Source, quote: str) -> str:
    """Name the place of a quote in its source."""
    title = source.title or source.id
    if page := page_of(source, quote):
        title += _(", page {page}", page=page)
    heading = heading_of(source, quote)
    if not heading:
        return title
    return _("{title}, under “{heading}”", title=title, heading=heading)


def choices(options: Sequence[str]) -> Mapping[str, tuple[MarkReading, str | None]]:
    """Map the words that a draft keeps to (reading, option), in the order of the keys."""
    offered: dict[str, tuple[MarkReading, str | None]] = {}
    sides: tuple[MarkReading, MarkReading] = ("supports", "against")
    for side in sides:
        offered |= {f"{side} {option}": (side, option) for option in options}
    return offered | {NEUTRAL: ("neutral", None), SKIPPED: ("skipped", None)}


def draw_choices(
    state: State,
    claim: Claim,
    *,
    chosen: str,
    key: str,
    give: Callable[[str], None],
    back: Callable[[], None] | None,
) -> None:
    """Draw for and against each option, neutral, skip and back; `give` gets the words of the pressed button.

    The key of each button contains the passage, so that a late press cannot mark the next passage.
    """
    st.html(_STYLE)
    offered = choices(state.spec.options)
    with st.container(key="passage-choices"):
        asked = str(st.session_state.get(_ASKS, ""))
        words = asked.removeprefix(f"{key} ")
        if asked != words and words in offered:
            _draw_confirmation(state, claim, words, key, give)
            return
        place_of = {words: place for place, words in enumerate(offered)}
        of_option = letters(state.spec.options)

        def choice(words: str, label: str, *, stretches: bool) -> None:
            st.button(
                safe_label(label, max_chars=90),
                key=f"{key} {words}",
                type="primary" if words == chosen else "secondary",
                shortcut=single_keys.digit_key(state, session.me(state), place_of[words]),
                width="stretch" if stretches else "content",
                on_click=_press,
                args=(state, claim, words, key, give),
            )

        for option, letter in of_option.items():
            with st.container(horizontal=True, gap="small"):
                choice(f"supports {option}", _("For {letter}: {option}", letter=letter, option=option), stretches=True)
                choice(f"against {option}", _("Against {letter}", letter=letter), stretches=False)
        with st.container(horizontal=True, gap="small"):
            choice(NEUTRAL, _("Neutral"), stretches=True)
            choice(SKIPPED, _("Skip"), stretches=True)
            if back is not None:
                st.button(
                    _("Back"), key=f"back from {key}", type="tertiary", icon=":material/arrow_back:", on_click=back
                )


def find_suggestion(
    state: State, draft: FormDraft, claim_ids: Iterable[str], marked: Iterable[str]
) -> SuggestedMarks | None:
    """The next unmarked passages that their author sorted together and that are not looked at one by one, or None."""
    claims = [state.claims[claim_id] for claim_id in claim_ids]
    left_out = {*marked, *draft.choices(SINGLY)}
    return next(iter(suggested_marks(opened_sources(state), claims, state.spec.options, left_out)), None)


def draw_suggestion(
    state: State, suggestion: SuggestedMarks, draft: FormDraft, give: Callable[[Sequence[SuggestedMark]], bool]
) -> None:
    """Draw the passages that the author sorted together, each with a tick, and a button that gives the ticked ones.

    `give` returns False if the marks were refused.
    The others, all after the other button, are looked at one by one. The keys contain a passage, as in `draw_choices`.
    """
    st.html(_STYLE)
    letter = letters(state.spec.options)[suggestion.option]
    with st.container(border=True, key="together"):
        under = spoken_list([*map(quoted, dict.fromkeys(mark.words for mark in suggestion.marks))])
        asked = _n(len(suggestion.marks), "{n} passage under {under}", "{n} passages under {under}", under=under)
        mark_words = _mark_words(suggestion.reading, letter, suggestion.option)
        st.markdown(f"**{safe_line(mark_words)}?** {safe_line(asked)}")
        st.caption(_("Their author sorted them like this. Read them, and take out those that you read otherwise."))
        for mark in suggestion.marks:
            st.checkbox(safe_label(mark.claim.quote or mark.claim.text), **draft.tick(_tick(mark), default=True))

    def give_together(taken: Sequence[SuggestedMark]) -> None:
        if give(taken):
            singly = [mark.claim.id for mark in suggestion.marks if mark not in taken]
            draft.fill({SINGLY: [*draft.choices(SINGLY), *singly]})

    n_ticked = len(_ticked(draft, suggestion))
    first = suggestion.marks[0].claim.id
    with st.container(key="passage-choices"), st.container(horizontal=True, gap="small"):
        st.button(
            _together_label(suggestion.reading, n_ticked, letter),
            key=f"{draft.name}:together {first}",
            type="primary",
            width="stretch",
            disabled=not n_ticked,
            # Read at the press, because the last tick and the press reach the server together.
            on_click=lambda: give_together(_ticked(draft, suggestion)),
        )
        st.button(_("One by one"), key=f"{draft.name}:apart {first}", on_click=give_together, args=([],))


def _tick(mark: SuggestedMark) -> str:
    """The field of the draft for the tick beside this passage."""
    return f"tick {mark.claim.id}"


def _ticked(draft: FormDraft, suggestion: SuggestedMarks) -> list[SuggestedMark]:
    return [mark for mark in suggestion.marks if draft.get(_tick(mark), 1)]


def _together_label(reading: MarkReading, n: int, letter: str) -> str:
    if reading == "supports":
        return _n(n, "Mark {n} passage for {letter}", "Mark {n} passages for {letter}", letter=letter)
    return _n(n, "Mark {n} passage against {letter}", "Mark {n} passages against {letter}", letter=letter)


def _mark_words(reading: MarkReading, letter: str, option: str) -> str:
    if reading == "supports":
        return _("For {letter}: {option}", letter=letter, option=option)
    return _("Against {letter}: {option}", letter=letter, option=option)


def _press(state: State, claim: Claim, words: str, key: str, give: Callable[[str], None]) -> None:
    if _contradicted(state, claim, words):
        st.session_state[_ASKS] = f"{key} {words}"
        return
    _give(words, give)


def _give(words: str, give: Callable[[str], None]) -> None:
    st.session_state.pop(_ASKS, None)
    give(words)


def _contradicted(state: State, claim: Claim, words: str) -> str:
    """Return the label of the author that this mark contradicts; empty if there is none."""
    reading, option = choices(state.spec.options)[words]
    author = author_reason(opened_sources(state), claim.source_id, claim.quote or claim.text, state.spec.options)
    return author.words if author.is_contradicted(reading, option) else ""


def _draw_confirmation(state: State, claim: Claim, words: str, key: str, give: Callable[[str], None]) -> None:
    reading, option = choices(state.spec.options)[words]
    label = _contradicted(state, claim, words)
    mark = _mark_words(reading, letters(state.spec.options).get(option or "", ""), option or "")
    st.warning(
        safe_line(_("The author wrote “{label}”. Mark it “{mark}”?", label=label, mark=mark)),
        icon=":material/contrast:",
    )
    with st.container(horizontal=True, gap="small"):
        st.button(safe_label(mark, max_chars=90), key=f"{key}:sure", type="primary", on_click=_give, args=(words, give))
        st.button(_("Choose again"), key=f"{key}:again", on_click=st.session_state.pop, args=(_ASKS, None))
