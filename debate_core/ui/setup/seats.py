"""Who sits where: the debaters of a draft, one row each, and who holds the offices beside them.

Knows no rules beyond the draft's own; starts nothing.
"""

from collections.abc import Mapping

import streamlit as st

from debate_core.spec.protocol import with_both_orders
from debate_core.ui.kit.protocol_words import GIVES_WORDS
from debate_core.ui.setup import models, weights
from debate_core.ui.setup.draft import Draft, OfficeDraft, SeatDraft, Who, suggested_panel
from debate_core.ui.setup.question import cross, held, put

Kinds = Mapping[str, str]
"""Choice -> words. A choice is `offline`, `human`, or `model:` and the id of a line."""
_OF_A_MODEL = "model:"


def seats(draft: Draft) -> Draft:
    """Who debates, who holds which office, and what each ballot weighs."""
    models.panel_row(draft)
    kinds = {"offline": "Evidence panel", "human": "A person", **_models(draft)}
    before = draft.panel()
    typed = tuple(_seat_row(n, seat, kinds) for n, seat in enumerate(before, start=1))
    if typed != before:
        draft = draft.model_copy(update={"seats": typed})
    with st.container(horizontal=True):
        st.button("Add a seat", icon=":material/add:", type="tertiary", on_click=_add_seat, args=(draft,))
        st.button(
            "Suggest a panel",
            icon=":material/auto_awesome:",
            type="tertiary",
            help="Personas for the words of the question, always with a sceptic or a pragmatist among them.",
            on_click=_suggest,
            args=(draft,),
        )
    draft = models.with_named_lines(_offices(draft, _models(draft)))
    models.about(draft)
    return weights.weights(draft)


def _models(draft: Draft) -> Kinds:
    return {f"{_OF_A_MODEL}{i}": words for i, words in models.choices(draft).items()}


def choice_of(who: Who, model: str) -> str:
    """`offline`, `human`, `model:sonnet`."""
    return f"{_OF_A_MODEL}{model}" if who == "model" else who


def _chosen(choice: str) -> tuple[Who, str]:
    match choice:
        case "offline" | "human":
            return choice, ""
        case _:
            return "model", choice.removeprefix(_OF_A_MODEL)


def _seat_row(number: int, seat: SeatDraft, kinds: Kinds) -> SeatDraft:
    key, now = f"setup_seat_{seat.key}", choice_of(seat.who, seat.model)
    offered = list(kinds) if now in kinds else [now, *kinds]
    with st.container(border=True, key=f"{key}_row"):
        columns = st.columns([4, 6, 5])
        name = columns[0].text_input(f"Seat {number}", seat.id, key=f"{key}_id", max_chars=40)
        choice = columns[1].selectbox(
            "Who sits there", offered, offered.index(now), key=f"{key}_who", format_func=lambda c: _words(c, kinds)
        )
        stance = columns[2].text_input("Stance", seat.stance, key=f"{key}_stance", placeholder="none: free to judge")
        with st.container(horizontal=True, vertical_alignment="bottom", gap="xsmall"):
            persona = st.text_input("Persona", seat.persona, key=f"{key}_persona", max_chars=2_000)
            cross(f"seat {number}", f"{key}_drop", lambda: _drop_seat(seat.key))
    who, model = _chosen(choice)
    typed = {"id": (name or "").strip(), "who": who, "model": model, "stance": stance, "persona": persona}
    return seat.model_copy(update=typed)


def _words(choice: str, kinds: Kinds) -> str:
    return kinds.get(choice) or f"{choice.removeprefix(_OF_A_MODEL)} (cannot be asked)"


def _drop_seat(key: str) -> None:
    put(held(), seats=tuple(s for s in held().panel() if s.key != key))


def _add_seat(draft: Draft) -> None:
    made = draft.made + 1
    put(draft, seats=(*draft.panel(), SeatDraft(key=f"new-{made}", id=f"seat_{made}", who="human")), made=made)


def _suggest(draft: Draft) -> None:
    """Other personas and names; who sits where stays as it is."""
    made, before = draft.made + 1, draft.panel()
    named = suggested_panel(draft, len(before) or None)
    sitting = [{"who": s.who, "model": s.model} for s in before]
    sitting += [{} for _ in named[len(sitting) :]]
    put(
        draft,
        seats=tuple(
            s.model_copy(update={**who, "key": f"{s.key}-{made}"}) for s, who in zip(named, sitting, strict=False)
        ),
        made=made,
    )


def _offices(draft: Draft, kinds: Kinds) -> Draft:
    """Everybody beside the debaters: a person in the chair if there is something to do there, and every office."""
    if draft.needs_chair():
        draft = draft.model_copy(update={"chair": _chair(draft)})
    held = draft.held_offices()
    grid = st.grid(2, min_column_width=260)
    for office in held:
        with grid.container(border=True):
            draft = draft.with_office(_office(draft, office, kinds))
    return draft


def _chair(draft: Draft) -> bool:
    marks = draft.can_be_marked()
    chair = st.checkbox(
        "Someone marks the passages" if marks else "Someone holds the chair",
        value=draft.chair,
        key="setup_chair",
        help="Between rounds a person reads the quoted passages and says which option each one supports."
        if marks
        else "A person who may change what the moderator proposes.",
    )
    if marks:
        st.caption("The evidence panel votes only from marks; without them it abstains.")
    return chair


_BY_CODE = {
    "synthesis": "A draft made by code: links claims, names no option",
    "directive": "Nobody: every debater speaks in every round",
}
"""What becomes of an office that neither a person nor a model holds; any other turn is passed over."""


def _office(draft: Draft, held: OfficeDraft, kinds: Kinds) -> OfficeDraft:
    gives = list(dict.fromkeys(p.gives for p in draft.rules().phases() if p.role == held.role))
    by_code = next((_BY_CODE[g] for g in gives if g in _BY_CODE), "Nobody: the turn is passed over")
    offered: dict[str, str] = {"human": "A person", "offline": by_code, **kinds}
    now = choice_of(held.who, held.model)
    choices = list(offered) if now in offered else [*offered, now]
    choice = st.selectbox(
        held.role.capitalize(),
        choices,
        choices.index(now),
        key=f"setup_office_{draft.protocol}_{held.role}_{draft.made}",
        format_func=lambda c: _words(c, offered),
    )
    st.caption(f"Gives {' and '.join(GIVES_WORDS[g] for g in gives)}.")
    who, model = _chosen(choice)
    return OfficeDraft(role=held.role, who=who, model=model, both_orders=_both_orders(draft, held, who))


def _both_orders(draft: Draft, held: OfficeDraft, who: Who) -> bool:
    """Whether a model that gives the last verdict is asked twice; a person is asked once."""
    rules = draft.shipped()
    once = {p.role for p in rules.after if p.gives == "verdict"}
    if who != "model" or held.role not in once or with_both_orders(rules) == rules:
        return False
    chosen = st.checkbox("Ask in both orders", value=held.both_orders, key=f"setup_orders_{draft.protocol}")
    st.caption("Models favour a place: what is named in one order only is named by nobody. One more call.")
    return chosen
