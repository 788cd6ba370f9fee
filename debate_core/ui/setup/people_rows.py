"""The list of people in set-up: a row with name and role for each, and a field for a pasted list.

The draft keeps the list as lines. The session keeps the rows with the keys of their widgets, also a row without a name.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

import streamlit as st

from debate_core.host.access.invites import MAX_NAME_CHARS
from debate_core.host.access.people_list import ROLES, PersonRow, read_rows, row_line
from debate_core.language import Words, _, spoken_list
from debate_core.names import visible_name
from debate_core.report.facts.terms import named
from debate_core.spec.people import RoomRole
from debate_core.spec.rules import votes_needed
from debate_core.text import capitalized, whole_sentence
from debate_core.ui.kit.text import safe_line
from debate_core.ui.setup.draft import Decides, RoomDraft
from debate_core.ui.setup.draft_store import change, current
from debate_core.ui.setup.fields import draw_cross
from debate_core.ui.setup.people_mapping import listed_people, names_in, row_faults

_ROWS = "setup_people_rows"
_MADE = "setup_people_made"
_PAGE = "setup_people_page"
_PASTING = "setup_people_pasting"
_PASTED = "setup_people_pasted"
MAX_ROWS = 5
"""Rows of a page: with more, the step has over 40 controls."""
_ROLE_WIDER = """<style>
[class*="st-key-row-setup_person_"] > :has([data-testid=stSelectbox]) { flex-grow: 1.2 }
</style>"""
"""On a phone the longest role needs more room than a name."""
_LACKS_A_ROLE = """<style>
.st-key-row-{row} [data-testid=stSelectbox] [role=group][role=group] {{ border-color: light-dark(#b3261e, #ff8a80) }}
</style>"""
_ROLES: tuple[RoomRole, ...] = ("voter", "judge", "approver", "observer", "debater", "moderator", "synthesiser")
_WEIGHTS = ("2", "3", "4", "5")
"""Offered weights; a pasted list may have others."""
_DOES: Words[str] = Words(
    {
        "voter": "casts a vote",
        "judge": "judges the arguments",
        "approver": "signs the decision",
        "observer": "watches",
        "debater": "speaks for a seat",
        "moderator": "leads the rounds with you",
        "synthesiser": "sums up",
    }
)


@dataclass(frozen=True, slots=True)
class _KeyedRow:
    """A row with the key of its widgets."""

    key: str
    person: PersonRow


def edit_list(room: RoomDraft) -> RoomDraft:
    """Ask for the people known in advance, and say who of them votes and which rows cannot be read."""
    rows = _current_rows(room.listed)
    if (listed := _lines(rows)) != room.listed:
        # A click can end this run at any time, and rows that differ from the list are then read from it again.
        change(current(), room=current().room.replace(listed=listed))
    st.session_state[_ROWS] = rows
    room = room.replace(listed=listed)
    st.markdown(f"**{_('People you know already')}**", help=_explain_roles())
    st.caption(_explain_list(room))
    st.html(_ROLE_WIDER)
    faults = _faults(rows, room.listed)
    shown = _on_page(rows)
    for number, row in enumerate(rows, start=1):
        if row in shown:
            _draw_row(number, row, room.decides, can_go=len(rows) > 1)
        if fault := faults.get(row.key):
            st.markdown(f":red[:material/block: {safe_line(whole_sentence(fault), max_chars=300)}]")
            if row.person.role not in ROLES:
                st.html(_LACKS_A_ROLE.format(row=row.key))
        elif _lacks_name(row):
            st.caption(_("Person {number}: write a name. Without one this row is left out.", number=number))
    with st.container(horizontal=True, gap="small"):
        st.button(_("Add a person"), icon=":material/add:", type="tertiary", key="setup_add_person", on_click=_add)
        if not any(row.person.role == "approver" for row in rows):
            st.button(
                _("Add an approver"),
                icon=":material/draw:",
                type="tertiary",
                key="setup_add_approver",
                help=_("The approver signs the decision. You can also invite one later."),
                on_click=_add,
                args=("approver",),
            )
        _draw_paste()
        if len(rows) > MAX_ROWS:
            st.pagination(_last_page(rows), default=st.session_state[_PAGE], max_visible_pages=0, key=_page_key(rows))
    _draw_votes(room)
    return room


def n_listed(room: RoomDraft) -> int:
    """Return how many lines of the list name a person."""
    return sum(1 for _person in listed_people(room))


def n_judges(room: RoomDraft) -> int:
    """Return the number of people named as judges, in their field or in the list."""
    return len(names_in(room.judges)) + sum(1 for person in listed_people(room) if person.role == "judge")


def heavy_votes(room: RoomDraft) -> list[str]:
    """Return the listed people whose vote weighs more than 1, with its weight."""
    heavy = [one for one in listed_people(room) if one.electorate and one.weight > 1]
    return [_("{name} (weight {weight})", name=one.name, weight=one.weight) for one in heavy]


def _explain_list(room: RoomDraft) -> str:
    """Return who needs to be listed, and who joins anyway."""
    if room.joining == "named":
        return _("Only the people in this list can join, each with a personal link.")
    if room.decides == "panel":
        return _("Add everyone whose vote decides. Others join with the link or code, and advise.")
    return _("You can leave this empty: everyone who joins is a voter. List people with other roles.")


def _explain_roles() -> str:
    lines = [f"**{capitalized(named(role))}**: {_DOES[role]}." for role in _ROLES]
    return "\n\n".join([*lines, _("**× 2**: the vote has weight 2.")])


# --- the rows


def _current_rows(listed: str) -> tuple[_KeyedRow, ...]:
    """Return the rows of the session with the values of their widgets, or new rows if the list came from elsewhere."""
    rows: Sequence[_KeyedRow] = st.session_state.get(_ROWS, ())
    if _lines(rows) != listed:
        rows = [_new_row(person) for person in read_rows(listed)]
    return tuple(map(_as_typed, rows)) or (_new_row(PersonRow()),)


def _new_row(person: PersonRow) -> _KeyedRow:
    made = st.session_state[_MADE] = st.session_state.get(_MADE, 0) + 1
    return _KeyedRow(f"setup_person_{made}", person)


def _as_typed(row: _KeyedRow) -> _KeyedRow:
    name = st.session_state.get(f"{row.key}_name", row.person.name)
    chosen = st.session_state.get(f"{row.key}_role") or row.person
    return replace(row, person=replace(chosen, name=visible_name(name or "")))


def _lines(rows: Sequence[_KeyedRow]) -> str:
    """Return the lines of all rows that have a name."""
    return "\n".join(row_line(row.person) for row in rows if row.person.name)


def _faults(rows: Sequence[_KeyedRow], listed: str) -> Mapping[str, str]:
    """Return why a row cannot be read, by its key."""
    in_list = [row.key for row in rows if row.person.name]
    faults = {in_list[number - 1]: fault for number, fault in row_faults(listed).items()}
    return faults


def _lacks_name(row: _KeyedRow) -> bool:
    return not row.person.name and row.person != PersonRow()


def _on_page(rows: Sequence[_KeyedRow]) -> Sequence[_KeyedRow]:
    if len(rows) <= MAX_ROWS:
        return rows
    page = st.session_state.get(_page_key(rows)) or st.session_state.get(_PAGE, 1)
    page = st.session_state[_PAGE] = min(page, _last_page(rows))
    return rows[(page - 1) * MAX_ROWS : page * MAX_ROWS]


def _page_key(rows: Sequence[_KeyedRow]) -> str:
    # With another row the field is a new one, which starts with the page of that row.
    return f"{_PAGE}_{len(rows)}"


def _last_page(rows: Sequence[_KeyedRow]) -> int:
    return -(-len(rows) // MAX_ROWS)


def _draw_row(number: int, row: _KeyedRow, decides: Decides, *, can_go: bool) -> None:
    with st.container(horizontal=True, vertical_alignment="center", gap="xsmall", wrap=False, key=f"row-{row.key}"):
        st.text_input(
            _("Name of person {number}", number=number),
            row.person.name,
            key=f"{row.key}_name",
            max_chars=MAX_NAME_CHARS,
            placeholder=_("Name"),
            label_visibility="collapsed",
        )
        choices = _choices(row.person)
        now = replace(row.person, name="")
        st.selectbox(
            _("Role of person {number}", number=number),
            choices,
            choices.index(now) if now in choices else None,
            key=f"{row.key}_role",
            format_func=partial(_role_words, decides=decides),
            placeholder=_("Choose a role"),
            label_visibility="collapsed",
        )
        if can_go or row.person.name:
            draw_cross(_("person {number}", number=number), f"{row.key}_drop", partial(_drop, row.key))


def _choices(person: PersonRow) -> list[PersonRow]:
    """Return the roles of the picker, without names: first what the row has now, if it is a role but a rare one."""
    usual = [PersonRow(role=role) for role in (*_ROLES, "facilitator")]
    heavy = [PersonRow(weight=weight) for weight in _WEIGHTS]
    now = replace(person, name="")
    return [*usual, *heavy] if now in (*usual, *heavy) or now.role not in ROLES else [now, *usual, *heavy]


def _role_words(row: PersonRow, decides: Decides) -> str:
    """Return `Voter` with the weight of the vote, or `Facilitator, has a vote`."""
    words = capitalized(named(row.role))
    if row.weight != "1":
        words += f" × {row.weight}"
    return f"{words}, {_electorate_words(row, decides)}" if row.electorate else words


def _electorate_words(row: PersonRow, decides: Decides) -> str:
    electorate = {"named": "panel"}.get(row.electorate, row.electorate)
    if electorate not in ("panel", "room"):
        return row.electorate
    return _("has a vote") if decides in ("debaters", electorate) else _("advice only")


# --- buttons


def _save(rows: Sequence[_KeyedRow]) -> None:
    """Keep the rows in the session and their lines in the draft, in a callback."""
    st.session_state[_ROWS] = tuple(rows)
    room = current().room
    change(current(), room=room.replace(listed=_lines(rows)))


def _add(role: RoomRole = "voter") -> None:
    new = PersonRow(role=role)
    # An empty row is there for a voter.
    rows = [row for row in _current_rows(current().room.listed) if new == PersonRow() or row.person != PersonRow()]
    _save((*rows, _new_row(new)))
    st.session_state[_PAGE] = len(rows) // MAX_ROWS + 1


def _drop(key: str) -> None:
    _save([row for row in _current_rows(current().room.listed) if row.key != key])


def _draw_paste() -> None:
    """Draw the field for a list or a table in a popover."""
    with st.popover(_("Paste a list"), icon=":material/description:", type="tertiary", key=_PASTING, on_change="rerun"):
        st.text_area(
            _("One person a line"),
            key=_PASTED,
            placeholder=_("Cleo Diaz\nBo Chen, judge\nAna Ruiz, voter, 2"),
            height=124,
        )
        st.caption(_("After the name: a role, and the weight of the vote. Tables work too; addresses are left out."))
        st.button(_("Add these people"), key="setup_add_pasted", on_click=_add_pasted)


def _add_pasted() -> None:
    pasted = st.session_state.get(_PASTED) or ""
    before = [row for row in _current_rows(current().room.listed) if row.person != PersonRow()]
    _save([*before, *map(_new_row, read_rows(pasted))])
    st.session_state[_PASTED] = ""
    st.session_state[_PASTING] = False


# --- votes


def _draw_votes(room: RoomDraft) -> None:
    """Draw whose vote is advice, and where votes have weights, how many of them one option needs."""
    advice, total, heavy = list[str](), 0, False
    for read in listed_people(room):
        if read.electorate is None:
            continue
        if room.decides in ("debaters", read.electorate):
            total += read.weight
            heavy = heavy or read.weight > 1
        else:
            words = _("{name} (weight {weight})", name=read.name, weight=read.weight)
            advice.append(words if read.weight > 1 else read.name)
    if advice:
        st.caption(safe_line(_("Their votes are advice: {names}.", names=spoken_list(advice))))
    all_known = room.decides == "panel" or (room.decides == "room" and room.joining == "named")
    if heavy and all_known and room.vote.base == "eligible" and (needed := votes_needed(room.vote, total)):
        st.caption(_("One option needs {needed} of {total} votes{row}", needed=needed, total=total, row="."))
