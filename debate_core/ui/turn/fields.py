"""Fields shared by the turn forms: text, confidence, claims by number, lines with links to claims, growing lists.

The draft saves each field when the user leaves it. Knows no kind of content.
"""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import streamlit as st

from debate_core.engine.seat_view import View
from debate_core.errors import BadReply
from debate_core.language import _
from debate_core.spec.contents import Claim
from debate_core.ui.kit.drafts import FormDraft
from debate_core.ui.kit.text import safe_line

MAX_LINE_CHARS = 2_000
MAX_ROWS = 20

TRIED = "tried"
"""Field of a draft: set after a first attempt to send an incomplete turn. From then on errors appear beside fields."""
Fields = dict[str, Any]


def fault(faults: Mapping[str, str], name: str) -> None:
    """Draw the error of the field above, if any."""
    if name in faults:
        st.error(safe_line(faults[name]), icon=":material/error:")


def area(draft: FormDraft, name: str, label: str, *, max_chars: int, height: int, default: str = "") -> str:
    """Draw a text field; return its content."""
    return st.text_area(label, max_chars=max_chars, height=height, **draft.value(name, default)) or ""


def confidence(draft: FormDraft) -> None:
    """Draw the confidence, 0 to 100 or empty."""
    st.number_input(_("How sure you are, 0 to 100 (optional)"), step=5, **draft.number("confidence", 0, 100))


def score(draft: FormDraft, name: str, label: str) -> None:
    """Draw a score, 1 to 10 or empty."""
    st.number_input(label, step=1, **draft.number(name, 1, 10))


def named_option(draft: FormDraft, seen: View, none: str) -> None:
    """Draw a choice of one option; `none` is the text for no choice."""
    st.selectbox(_("Option you name"), seen.options, placeholder=none, **draft.one_of("option", seen.options))


def others_claims(seen: View) -> dict[str, Claim]:
    """Claims of the other seats, by id."""
    own = f"{seen.names.of(seen.seat.id)}."
    return {i: claim for i, claim in all_claims(seen).items() if not i.startswith(own)}


def all_claims(seen: View) -> dict[str, Claim]:
    """Facts of the room, then the claims of all visible turns, by id."""
    return {**{fact.id: fact for fact in seen.facts}, **seen.claims}


def claim_name(seen: View, claim_id: str) -> str:
    """`claim 7`, or the id if there is no such claim."""
    return _("claim {numbers}", numbers=seen.numbers[claim_id]) if claim_id in seen.numbers else claim_id


def pick_claims(draft: FormDraft, name: str, label: str, claims: Mapping[str, Claim], seen: View) -> Sequence[str]:
    """Draw a choice of claims by their numbers."""
    return st.multiselect(
        label,
        [*claims],
        format_func=lambda i: f"{claim_name(seen, i)}: {claims[i].text}" if i in claims else i,
        placeholder=_("by their numbers"),
        **draft.some_of(name, [*claims]),
    )


def linked_fields(draft: FormDraft, name: str, label: str, seen: View) -> None:
    """Draw one line and its links to claims."""
    with st.container(border=True, key=draft.place(name)):
        text = area(draft, name, label, max_chars=MAX_LINE_CHARS, height=70)
        links = pick_claims(
            draft, f"{name}.links", _("{line} rests on these claims", line=label), all_claims(seen), seen
        )
        if text and not links:
            st.markdown(_(":orange[No link to a claim yet, so no one can check it.]"))


def linked_section(draft: FormDraft, section: str, words: str, seen: View) -> None:
    """Draw a growing list of lines with links."""
    with st.container():
        st.markdown(f"**{words}**")
        for number in range(count(draft, section)):
            linked_fields(draft, f"{section}{number}", f"{words} {number + 1}", seen)
        more(draft, section, _("Add to “{section}”", section=words), MAX_ROWS, of=words)


def linked(draft: FormDraft, name: str) -> list[Fields]:
    """The content of one line; empty without text."""
    text = draft.text(name)
    return [{"text": text, "links": draft.choices(f"{name}.links")}] if text else []


def linked_lines(draft: FormDraft, section: str) -> list[Fields]:
    """The content of a list of lines."""
    return [line for n in range(count(draft, section)) for line in linked(draft, f"{section}{n}")]


def lines_of(draft: FormDraft, name: str) -> list[str]:
    """The non-empty lines of a field."""
    return [line.strip() for line in draft.text(name).splitlines() if line.strip()]


def required(draft: FormDraft, name: str, problem: str) -> str:
    """The text of a mandatory field. Raises BadReply with `problem` if it is empty."""
    if text := draft.text(name):
        return text
    raise BadReply(problem)


def count(draft: FormDraft, what: str) -> int:
    """The number of rows of a list."""
    value = draft.get(f"{what}#")
    return value if isinstance(value, int) else 0


def more(draft: FormDraft, what: str, label: str, most: int, *, of: str = "") -> None:
    """Draw buttons that add a row and remove the last one. `of`: the name of the list, if a form has several."""
    rows = count(draft, what)
    add = partial(draft.fill, {f"{what}#": rows + 1})
    remove = partial(draft.fill, {f"{what}#": rows - 1})
    with st.container(horizontal=True):
        st.button(label, key=f"{draft.name}:{what}+", icon=":material/add:", disabled=rows >= most, on_click=add)
        if rows:
            last = _("Remove the last of “{section}”", section=of) if of else _("Remove the last")
            st.button(last, key=f"{draft.name}:{what}-", icon=":material/remove:", on_click=remove)
