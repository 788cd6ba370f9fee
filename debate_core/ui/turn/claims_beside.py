"""The claims of the debate beside a form: a press links a claim to the chosen line, or removes the link."""

from collections.abc import Mapping

import streamlit as st

from debate_core.language import _
from debate_core.text import line
from debate_core.ui.kit.components import parts
from debate_core.ui.kit.drafts import FormDraft

CLAIM_CHARS = 160
HEIGHT_PX = 520


def show(draft: FormDraft, claims: Mapping[str, str], numbers: Mapping[str, int], targets: Mapping[str, str]) -> None:
    """Draw the claims. `claims`: id -> text. `targets`: field of the draft with the links -> label of the line."""

    def toggle_link(number: str) -> None:
        claim_id = by_number.get(number)
        if claim_id is None:
            return
        links = draft.choices(target)
        draft.save()
        others = [other for other in links if other != claim_id]
        draft.fill({target: others if claim_id in links else [*links, claim_id]})

    target = _choose_line(draft, targets)
    linked = draft.choices(target)
    by_number = {str(numbers.get(claim_id, 0)): claim_id for claim_id in claims}
    rows = [
        _make_row(numbers.get(claim_id, 0), text, is_linked=claim_id in linked) for claim_id, text in claims.items()
    ]
    with st.container(height=HEIGHT_PX if len(rows) > HEIGHT_PX // 80 else "content", border=False):
        words = _("{number} linked", number=len(linked)) if linked else ""
        rail = parts.rail_part(_("Claims so far"), words, rows, opens=True, toggles=True)
        parts.draw_rail(rail, key=draft.place("claims to link"), on_open=toggle_link)


def _choose_line(draft: FormDraft, targets: Mapping[str, str]) -> str:
    """The field of the line that a press links to; asked only if there are several."""
    first = next(iter(targets))
    if len(targets) == 1:
        return first
    chosen = st.selectbox(
        _("A claim that you press is linked to"),
        [*targets],
        format_func=lambda name: targets.get(name, ""),
        key=draft.place("link to"),
    )
    return chosen if chosen in targets else first


def _make_row(number: int, text: str, *, is_linked: bool) -> parts.RailClaim:
    return parts.RailClaim(
        # Not the id of the claim, which would tell a blind reader's browser the seat.
        id=str(number),
        number=number,
        text=line(text)[:CLAIM_CHARS],
        letter="",
        side="",
        status=_("linked") if is_linked else "",
        chosen=is_linked,
    )
