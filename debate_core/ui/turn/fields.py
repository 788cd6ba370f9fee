"""Fields that several turn forms have: text, confidence, claims by number, lines that rest on claims, rows that grow.

Each keeps what is typed in the draft as its field is left. Knows no kind of content.
"""

from collections.abc import Callable, Mapping, Sequence
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
"""The field of a draft by which it was sent with something missing: from then on that is told beside its field."""
Fields = dict[str, Any]


def fault(faults: Mapping[str, str], name: str) -> None:
    """What is missing in the field above, if something is."""
    if name in faults:
        st.error(safe_line(faults[name]), icon=":material/error:")


def area(draft: FormDraft, name: str, label: str, *, max_chars: int, height: int, default: str = "") -> str:
    """A field of text; what stands in it now."""
    return st.text_area(label, max_chars=max_chars, height=height, **draft.value(name, default)) or ""


def confidence(draft: FormDraft) -> None:
    """How sure, or empty."""
    st.number_input(_("How sure you are, 0 to 100 (may stay empty)"), step=5, **draft.number("confidence", 0, 100))


def score(draft: FormDraft, name: str, label: str) -> None:
    """1 to 10, or empty."""
    st.number_input(label, step=1, **draft.number(name, 1, 10))


def named_option(draft: FormDraft, seen: View, none: str) -> None:
    """One of the options; left empty it says `none`."""
    st.selectbox(
        _("Option you name"),
        seen.options,
        placeholder=none,
        **draft.one_of("option", seen.options),
    )


def others_claims(seen: View) -> dict[str, Claim]:
    """Claims of the other seats, by id."""
    own = f"{seen.names.of(seen.seat.id)}."
    return {i: claim for i, claim in seen.claims.items() if not i.startswith(own)}


def claim_name(seen: View, claim_id: str) -> str:
    """`claim 7`, or what it is called where nobody knows of such a claim."""
    return _("claim {numbers}", numbers=seen.numbers[claim_id]) if claim_id in seen.numbers else claim_id


def pick_claims(draft: FormDraft, name: str, label: str, claims: Mapping[str, Claim], seen: View) -> Sequence[str]:
    """Claims by their numbers."""
    return st.multiselect(
        label,
        [*claims],
        format_func=lambda i: f"{claim_name(seen, i)}: {claims[i].text}" if i in claims else i,
        placeholder=_("by their numbers"),
        **draft.some_of(name, [*claims]),
    )


def linked_fields(draft: FormDraft, name: str, label: str, seen: View) -> None:
    """One line and the claims it rests on."""
    with st.container(border=True, key=draft.place(name)):
        text = area(draft, name, label, max_chars=MAX_LINE_CHARS, height=70)
        links = pick_claims(draft, f"{name}.links", _("{line} rests on these claims", line=label), seen.claims, seen)
        if text and not links:
            st.caption(_(":orange[Rests on no claim yet: nobody can check it.]"))


def linked_section(draft: FormDraft, section: str, words: str, seen: View) -> None:
    """A list of such lines that grows."""
    with st.container():
        st.markdown(f"**{words}**")
        for number in range(count(draft, section)):
            linked_fields(draft, f"{section}{number}", f"{words} {number + 1}", seen)
        more(draft, section, _("Add to “{section}”", section=words), MAX_ROWS, of=words)


def linked(draft: FormDraft, name: str) -> list[Fields]:
    """What was typed into one line; nothing if it is empty."""
    text = draft.text(name)
    if not text:
        return []
    return [{"text": text, "links": draft.choices(f"{name}.links")}]


def linked_lines(draft: FormDraft, section: str) -> list[Fields]:
    """What was typed into a list of lines."""
    return [line for n in range(count(draft, section)) for line in linked(draft, f"{section}{n}")]


def lines_of(draft: FormDraft, name: str) -> list[str]:
    """The lines of a field in which each line is one thing."""
    return [line.strip() for line in draft.text(name).splitlines() if line.strip()]


def required(draft: FormDraft, name: str, problem: str) -> str:
    """A field that must not stay empty: BadReply says what is missing."""
    if text := draft.text(name):
        return text
    raise BadReply(problem)


def count(draft: FormDraft, what: str) -> int:
    """How many rows a list has."""
    value = draft.get(f"{what}#")
    return value if isinstance(value, int) else 0


def more(draft: FormDraft, what: str, label: str, most: int, *, of: str = "") -> None:
    """Buttons that add a row and take the last one away. `of`: the name of the list, where a form has several."""
    rows = count(draft, what)

    def change(by: int) -> Callable[[], None]:
        def changed() -> None:
            draft.fill({f"{what}#": rows + by})

        return changed

    with st.container(horizontal=True):
        st.button(label, key=f"{draft.name}:{what}+", icon=":material/add:", disabled=rows >= most, on_click=change(1))
        if rows:
            last = _("Remove the last of “{section}”", section=of) if of else _("Remove the last")
            st.button(last, key=f"{draft.name}:{what}-", icon=":material/remove:", on_click=change(-1))
