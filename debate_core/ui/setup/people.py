"""People in the debate that is being set up: off by default; a format, who decides, how they vote and who comes.

Draws the room of a draft and gives it as it stands now. Knows no rules; starts nothing.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import streamlit as st

from debate_core.host.door.people_list import FIELDS
from debate_core.report.words.agreement import DUPLICATES
from debate_core.spec.people import Readers
from debate_core.spec.values import Seat, in_words
from debate_core.ui.kit import session
from debate_core.ui.kit.text import safe_label
from debate_core.ui.setup.draft import Decides, RoomDraft, SetupDraft, human_seats
from debate_core.ui.setup.draft_store import change, current
from debate_core.ui.setup.rule_picker import pick_rule

DECIDES: dict[Decides, str] = {
    "debaters": "The seats that debate: their ballots are counted by the rules above. All votes of people are advice.",
    "panel": "People with a mandate, listed by name below: their final vote decides. The audience gives advice.",
    "room": "Everybody who joins as a voter: the final vote of the room decides.",
}
JOINING = {
    "open": "One link and code for all: whoever has it watches and votes in the room",
    "named": "Only people on the list vote, each by a link of their own",
}
READERS: dict[Readers, str] = {
    "members": "Its people only",
    "link": "Its people, and after the end whoever has the link to the results",
    "hosts": "Its people and every host of this server, who finds it in the list of debates",
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


@dataclass(frozen=True, slots=True)
class Workshop:
    """A format that fills in rounds, clock and votes."""

    minutes: int
    rounds: int
    phase_minutes: int
    max_chars: int
    plan: str


WORKSHOPS = (
    Workshop(25, 2, 2, 750, "One round and a rebuttal, no reading before."),
    Workshop(60, 2, 4, 1_000, "A brief to read, two rounds, judges, a synthesis, a signature."),
    Workshop(90, 3, 5, 1_000, "Three rounds; collect the options together before the start."),
)


def people(draft: SetupDraft) -> SetupDraft:
    """Who takes part, and what they decide."""
    room = draft.room
    on = st.toggle("People take part from their own phones and laptops", key=_key("on", room.on))
    room = room.model_copy(update={"on": on})
    if not on:
        st.caption("Off: whoever sits at this screen holds the procedure. Nothing more to choose.")
        return draft.model_copy(update={"room": room})
    _formats()
    room = _names(room, human_seats(draft))
    with st.expander("How people vote, and how long it takes", icon=":material/tune:"):
        room = _votes(room, has_drivers=bool(draft.drivers))
    return draft.model_copy(update={"room": room})


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
    draft = current()
    usual_votes = RoomDraft().model_dump(include={"pre_vote", "final_vote", "blind", "hold"})
    format_ = {**usual_votes, "phase_minutes": workshop.phase_minutes, "max_chars": workshop.max_chars}
    for field, value in format_.items():
        st.session_state[f"setup_room_{field}"] = value
    # No fewer than the rules need: a workshop whose seats cannot decide is none.
    rounds = min(max(workshop.rounds, draft.default_rounds()), draft.rules().rounds.hard_max)
    st.session_state[f"setup_rounds_{draft.protocol}_{draft.default_rounds()}"] = rounds
    change(draft, rounds=rounds, room=draft.room.model_copy(update={**format_, "on": True}))


def _names(room: RoomDraft, seats: tuple[Seat, ...]) -> RoomDraft:
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
    readers: Readers = st.radio(
        "Who may read it?", list(READERS), key=_key("readers", room.readers), format_func=lambda r: READERS[r]
    )
    needs_a_list = joining == "named" or decides == "panel"
    listed = st.text_area(
        "People by name, one per line" if needs_a_list else "People by name (optional)",
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
    typed = {
        "name": name,
        "decides": decides,
        "joining": joining,
        "readers": readers,
        "listed": listed,
        "judges": judges,
        "synthesiser": synthesiser,
        "approver": approver,
    }
    return _holders(room.model_copy(update=typed), seats)


def _holders(room: RoomDraft, seats: tuple[Seat, ...]) -> RoomDraft:
    for seat in seats:
        label = safe_label(f"Who speaks for {in_words(seat.id)}?")
        hint = "somebody from the lobby" if seat.role == "debater" else "whoever has this role, else you"
        name = st.text_input(label, key=_key(f"seat_{seat.id}", room.holder(seat.id)), placeholder=hint, max_chars=80)
        room = room.with_holder(seat.id, name or "")
    return room


def _votes(room: RoomDraft, *, has_drivers: bool) -> RoomDraft:
    """The polls, the clock and what judges see."""
    vote = pick_rule(room.vote, has_drivers=has_drivers)
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
    return room.model_copy(
        update={
            "vote": vote,
            "pre_vote": pre,
            "final_vote": final,
            "blind": blind,
            "afterwards": afterwards,
            "hold": hold,
            "phase_minutes": clock,
            "max_chars": chars,
        }
    )


def _choice(label: str, words: Mapping[str, str], key: str) -> str:
    return st.selectbox(label, tuple(words), key=key, format_func=lambda choice: words[choice])
