"""The table of the people of a draft: name, role and weight, with a paste of many lines.

The draft keeps one line a person, as `read_list` reads it. The table is drawn from these lines and written to them.
"""

import re
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import asdict
from typing import Any, get_args

import pandas as pd
import streamlit as st

from debate_core.host.access.invites import MAX_NAME_CHARS
from debate_core.host.access.people_list import MAX_WEIGHT, ROLES, ListedPerson, list_line, read_lines
from debate_core.language import _, message, said, spoken_list
from debate_core.names import visible_name
from debate_core.report.facts.terms import named
from debate_core.sentence import Sentence
from debate_core.spec.people import Electorate
from debate_core.text import capitalized, whole_sentence
from debate_core.ui.kit.text import safe_line
from debate_core.ui.setup.draft import Decides, RoomDraft
from debate_core.ui.setup.draft_store import change, current

Lines = Sequence[tuple[int, ListedPerson | Sentence]]

_TIMES_FILLED = "setup_people_filled"
_AT_FIRST = "setup_people_at_first"
PASTED = "setup_people_pasted"
_FREE_ROWS = 30
"""Empty rows below the listed people: the row that the browser adds at the end loses the first word typed into it."""
_HEIGHT_PX = 250
"""Height of a heading and six rows."""
_PASTE_HINT = message("Cleo Diaz\nBo Chen, judge")


def edit_list(room: RoomDraft) -> RoomDraft:
    """Draw the table of the listed people and the fold to paste a list; return the room with the people typed."""
    votes_in = usual_electorate(room.decides)
    key = f"setup_people_{st.session_state.get(_TIMES_FILLED, 0)}"
    if key not in st.session_state:
        # Other rows reach the table only when it is drawn anew, because it keeps its own changes.
        st.session_state[_AT_FIRST] = _rows(room.listed, votes_in)
    at_first: pd.DataFrame = st.session_state[_AT_FIRST]
    typed = st.container(key="setup-people-table").data_editor(
        at_first,
        key=key,
        num_rows="dynamic",
        hide_index=True,
        column_order=("name", "role", "weight"),
        column_config={
            "name": st.column_config.TextColumn(_("Name"), max_chars=MAX_NAME_CHARS),
            "role": st.column_config.SelectboxColumn(
                _("Role"),
                options=list(ROLES),
                format_func=lambda role: capitalized(named(str(role))),
                default="voter",
                width=110,
            ),
            "weight": st.column_config.NumberColumn(
                _("Weight"), min_value=1, max_value=MAX_WEIGHT, step=1, default=1, width=90
            ),
        },
        height=_HEIGHT_PX,
        placeholder="",
        alt=_("People of the list"),
    )
    listed = _lines(typed.to_dict("records"))
    st.caption(_("A name without a role is a voter with one vote."))
    _draw_votes(read_lines(listed, votes_in=votes_in), room.decides)
    with st.expander(_("Paste a list"), icon=":material/content_copy:", key="setup-paste-people"):
        _draw_paste(votes_in)
    return room.replace(listed=listed)


def draw_anew() -> None:
    """Draw the next table from the draft: a browser forgets the changes of a table that was out of sight."""
    st.session_state[_TIMES_FILLED] = st.session_state.get(_TIMES_FILLED, 0) + 1


def usual_electorate(decides: Decides) -> Electorate:
    """Return where a listed voter votes by default."""
    return "room" if decides == "room" else "panel"


def _rows(listed: str, votes_in: Electorate) -> pd.DataFrame:
    """Return a row for each person, and empty ones. `electorate` is empty where the vote follows who decides."""
    rows: list[dict[str, Any]] = []
    for _number, read in read_lines(listed, votes_in=votes_in):
        if isinstance(read, ListedPerson):
            usual = votes_in if read.role == "voter" else None
            rows.append({**asdict(read), "electorate": None if read.electorate == usual else read.electorate})
    rows += [{}] * _FREE_ROWS
    return pd.DataFrame(rows, columns=["name", "role", "weight", "electorate"]).astype(
        {"name": "object", "role": "object", "weight": "Int64", "electorate": "object"}
    )


def _lines(rows: Sequence[Mapping[Hashable, Any]]) -> str:
    return "\n".join(_line(row) for row in rows if visible_name(_text(row["name"])))


def _line(row: Mapping[Hashable, Any]) -> str:
    """Return the line of a row; a plain voter is a name alone."""
    person = ListedPerson(
        visible_name(_text(row["name"])),
        next((role for role in ROLES if role == row["role"]), "voter"),
        next((one for one in get_args(Electorate) if one == row["electorate"]), None),
        1 if pd.isna(row["weight"]) else int(row["weight"]),
    )
    is_plain = person == ListedPerson(person.name, electorate=None) and not re.search(r'[,;"\t<>@]', person.name)
    return person.name if is_plain else list_line(person)


def _text(cell: object) -> str:
    return cell if isinstance(cell, str) else ""


def _draw_votes(lines: Lines, decides: Decides) -> None:
    """Say who of the list votes, and which names cannot be used."""
    votes, advice = list[str](), list[str]()
    for _number, read in lines:
        if isinstance(read, Sentence):
            st.markdown(f":red[:material/block: {safe_line(whole_sentence(said(read)), max_chars=300)}]")
        elif read.electorate is not None:
            words = _("{name} (weight {weight})", name=read.name, weight=read.weight)
            counts = decides == "debaters" or read.electorate == decides
            (votes if counts else advice).append(words if read.weight > 1 else read.name)
    if advice:
        st.caption(safe_line(_("Their votes are advice: {names}.", names=spoken_list(advice))))
    if votes and len(lines) > len(votes):
        st.caption(safe_line(_("They vote: {names}.", names=spoken_list(votes))))


def _draw_paste(votes_in: Electorate) -> None:
    pasted = st.text_area(
        _("One person a line"),
        key=PASTED,
        placeholder=_(_PASTE_HINT),
        height=124,
        help=_("After a comma can follow a role and a weight. A table works too; e-mail addresses are left out."),
    )
    for number, read in read_lines(pasted or "", votes_in=votes_in):
        if isinstance(read, Sentence):
            fault = safe_line(whole_sentence(said(read)), max_chars=300)
            st.markdown(f":red[:material/block: {_('Line {number}', number=number)}: {fault}]")
    st.button(_("Add these people"), key="setup_people_add", icon=":material/playlist_add:", on_click=_add_pasted)


def _add_pasted() -> None:
    """Add the people that can be read; the other lines stay in the field."""
    draft = current()
    pasted: str = st.session_state[PASTED] or ""
    read = read_lines(pasted, votes_in=usual_electorate(draft.room.decides))
    people = [list_line(one) for _number, one in read if isinstance(one, ListedPerson)]
    lines = pasted.splitlines()
    st.session_state[PASTED] = "\n".join(lines[number - 1] for number, one in read if isinstance(one, Sentence))
    draw_anew()
    change(draft, room=draft.room.replace(listed="\n".join(filter(None, (draft.room.listed, *people)))))
