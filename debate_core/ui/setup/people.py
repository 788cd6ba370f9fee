"""People in the debate that is being set up: off by default; a format, who decides, how they vote and who comes.

Draws the room of a draft and gives it as it stands now. Knows no rules; starts nothing.
"""

from collections.abc import Mapping

import streamlit as st

from debate_core.host.door.people_list import FIELDS
from debate_core.report.words.agreement import DUPLICATES, contract
from debate_core.spec.values import Seat, in_words
from debate_core.ui.kit import session
from debate_core.ui.kit.text import safe_label, safe_text
from debate_core.ui.setup import vote as setup_vote
from debate_core.ui.setup.draft import Draft, human_seats, problem, spec_from
from debate_core.ui.setup.people_draft import DECIDES, WORKSHOPS, Decides, RoomDraft, Workshop
from debate_core.ui.setup.question import held, put

JOINING = {
    "open": "One link and code for all: whoever has it watches and votes in the room",
    "named": "Only people on the list vote, each by a link of their own",
}
PRE_VOTES = {"none": "None", "shown_at_close": "Shown once it is closed", "shown_at_end": "Shown at the end"}
FINAL_VOTES = {"asked": "Asked", "none": "None"}
BLIND = {"blind": "Aliases, drawn for each judge", "named": "Names of the seats"}
AFTERWARDS = {
    "stepped": "Round by round, probabilities before the next one",
    "timed": "The whole at once, with the time taken",
}
HOLDS = {"round": "The facilitator lets each round begin", "none": "Rounds follow by themselves"}
_LIST_HINT = "Ana Ruiz, voter, 2\nBo Chen, judge\nCleo Diaz"


def people(draft: Draft) -> Draft:
    """Who takes part, and what they decide."""
    room = draft.room
    on = st.toggle("People take part from their own phones and laptops", key=_key("on", room.on))
    room = room.model_copy(update={"on": on})
    if not on:
        st.caption("Off: whoever sits at this screen holds the procedure. Nothing more to choose.")
        return draft.model_copy(update={"room": room})
    _formats()
    room = _who(room, human_seats(draft))
    with st.expander("How people vote, and how long it takes", icon=":material/tune:"):
        room = _votes(room, drivers=bool(draft.drivers))
    return draft.model_copy(update={"room": room})


def agreed(draft: Draft) -> None:
    """The contract card, as it will be fixed with the start."""
    if draft.room.on and problem(draft) is None:
        spec = spec_from(draft)
        card(contract(spec, spec.people()))


def card(points: tuple[tuple[str, str], ...]) -> None:
    """Label and sentence of each point that was agreed."""
    for label, said in points:
        st.markdown(f"**{label}:** {safe_text(said)}")


def _key(field: str, value: object) -> str:
    """The key of a widget that begins with what the draft has."""
    key = f"setup_room_{field}"
    st.session_state.setdefault(key, value)
    return key


def _formats() -> None:
    st.caption("Fill in a workshop format, or choose everything yourself.")
    with st.container(horizontal=True):
        for workshop in WORKSHOPS:
            st.button(
                f"{workshop.minutes} minutes",
                key=f"setup_format_{workshop.minutes}",
                icon=":material/timer:",
                help=workshop.plan,
                on_click=_fill,
                args=(workshop,),
            )


def _fill(workshop: Workshop) -> None:
    """Rounds, clock and votes of a format; names and lists stay."""
    draft = held()
    usual = RoomDraft()
    clock = {"phase_minutes": workshop.phase_minutes, "max_chars": workshop.max_chars}
    votes = {"pre_vote": usual.pre_vote, "final_vote": usual.final_vote, "blind": usual.blind, "hold": usual.hold}
    for field, value in (clock | votes).items():
        st.session_state[f"setup_room_{field}"] = value
    # No fewer than the rules need: a workshop whose seats cannot decide is none.
    rounds = min(max(workshop.rounds, draft.default_rounds()), draft.rules().rounds.hard_max)
    st.session_state[f"setup_rounds_{draft.protocol}_{draft.default_rounds()}"] = rounds
    put(draft, rounds=rounds, room=draft.room.model_copy(update={**clock, **votes, "on": True}))


def _who(room: RoomDraft, seats: tuple[Seat, ...]) -> RoomDraft:
    """Names and the list."""
    name = st.text_input("Your name: you facilitate", key=_key("name", room.name or session.known_name()), max_chars=80)
    decides: Decides = st.radio(
        "Who decides?",
        list(DECIDES),
        key=_key("decides", room.decides),
        format_func=lambda d: f"The {d}",
        captions=list(DECIDES.values()),
    )
    joining = st.radio(
        "Who may join?", list(JOINING), key=_key("joining", room.joining), format_func=lambda j: JOINING[j]
    )
    if joining == "open":
        st.caption(DUPLICATES)
    listed = st.text_area(
        "People by name, one per line" if joining == "named" or decides == "panel" else "People by name (optional)",
        key=_key("listed", room.listed),
        placeholder=_LIST_HINT,
        height=110,
        help=f"{FIELDS}; only the name is needed. A voter of the list is in the panel, unless the line says room.",
    )
    left, middle, right = st.columns(3)
    with left:
        judges = st.text_input("Judges", key=_key("judges", room.judges), placeholder="names, with commas")
    with middle:
        synthesiser = st.text_input("Synthesiser", key=_key("synthesiser", room.synthesiser), max_chars=80)
    with right:
        approver = st.text_input("Approver: signs at the end", key=_key("approver", room.approver), max_chars=80)
    st.caption("All may stay empty: more people can be invited from the lobby.")
    typed = {"name": name, "decides": decides, "joining": joining, "listed": listed, "judges": judges}
    room = room.model_copy(update={**typed, "synthesiser": synthesiser, "approver": approver})
    return _holders(room, seats)


def _holders(room: RoomDraft, seats: tuple[Seat, ...]) -> RoomDraft:
    for seat in seats:
        label = safe_label(f"Who speaks for {in_words(seat.id)}?")
        hint = "somebody from the lobby" if seat.role == "debater" else "whoever has this role, else you"
        name = st.text_input(label, key=_key(f"seat_{seat.id}", room.holder(seat.id)), placeholder=hint, max_chars=80)
        room = room.with_holder(seat.id, name or "")
    return room


def _votes(room: RoomDraft, *, drivers: bool) -> RoomDraft:
    """The polls, the clock and what judges see."""
    vote = setup_vote.picker(room.vote, drivers=drivers)
    left, right = st.columns(2)
    with left:
        pre = _choice("Vote before the start", PRE_VOTES, _key("pre_vote", room.pre_vote))
        blind = _choice("Judges read", BLIND, _key("blind", room.blind))
        afterwards = _choice("Who judges after the end reads", AFTERWARDS, _key("afterwards", room.afterwards))
        clock = st.number_input(
            "Minutes for each phase", 0, 1_440, key=_key("phase_minutes", room.phase_minutes), help="0 = no clock"
        )
    with right:
        final = _choice("Final vote", FINAL_VOTES, _key("final_vote", room.final_vote))
        hold = _choice("Between rounds", HOLDS, _key("hold", room.hold))
        chars = st.number_input(
            "Characters of a person's turn, at most", 100, 20_000, key=_key("max_chars", room.max_chars), step=50
        )
    st.caption("The clock shows when a phase should end; nothing happens by itself.")
    chosen = {"vote": vote, "pre_vote": pre, "final_vote": final, "blind": blind, "hold": hold}
    chosen["afterwards"] = afterwards
    return room.model_copy(update={**chosen, "phase_minutes": clock, "max_chars": chars})


def _choice(label: str, words: Mapping[str, str], key: str) -> str:
    return st.selectbox(label, tuple(words), key=key, format_func=lambda choice: words[choice])
