"""People in the debate that is being set up: off by default; a format, who decides, how they vote and who comes.

Draws the room of a draft and gives it as it stands now. Knows no rules; starts nothing.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

import streamlit as st

from debate_core.host.door.people_list import FIELDS
from debate_core.language import Words, _, _n, message
from debate_core.report.facts.terms import named
from debate_core.report.words.agreement import DUPLICATES
from debate_core.spec.people import Preparation, Readers
from debate_core.spec.values import Seat, in_words
from debate_core.ui.kit import session
from debate_core.ui.kit.text import safe_label, safe_line
from debate_core.ui.setup.draft import Decides, RoomDraft, SetupDraft, human_seats
from debate_core.ui.setup.draft_store import change, current, keep
from debate_core.ui.setup.rule_picker import pick_rule

DECIDES: Words[Decides] = Words({"room": "The room", "panel": "A named panel", "debaters": "The seats"})
_WHO_DECIDES: Words[Decides] = Words(
    {
        "room": "The final vote of everybody who joins as a voter decides; the seats give advice.",
        "panel": "The final vote of the people listed by name decides; everybody else gives advice.",
        "debaters": "The ballots of the seats decide. All votes of people are advice.",
    }
)
JOINING = Words(
    {
        "open": "One link and code for all: whoever has it watches and votes in the room",
        "named": "Only people on the list vote, each by a link of their own",
    }
)
READERS: Words[Readers] = Words(
    {
        "members": "Its people only",
        "link": "Its people, and after the end whoever has the link to the results",
        "hosts": "Its people and every host of this server, who finds it in the list of debates",
    }
)
PRE_VOTES = Words({"none": "None", "shown_at_close": "Shown once it is closed", "shown_at_end": "Shown at the end"})
FINAL_VOTES = Words({"asked": "Asked", "none": "None"})
BLIND = Words({"blind": "Aliases, drawn for each judge", "named": "Names of the seats"})
AFTERWARDS = Words(
    {
        "stepped": "One round at a time, with an estimate after each",
        "timed": "The whole at once, with the time taken",
    }
)
HOLDS = Words({"round": "The facilitator lets each round begin", "none": "Rounds follow by themselves"})
_LIST_HINT = message("Ana Ruiz, voter, 2\nBo Chen, judge\nCleo Diaz")


@dataclass(frozen=True, slots=True)
class Workshop:
    """A format that fills in rounds, clock and votes."""

    minutes: int
    rounds: int
    phase_minutes: int
    max_chars: int
    plan: str
    preparation: tuple[Preparation, ...] = ()
    hold: Literal["none", "round"] = "round"
    """Without a hold rounds follow each other by themselves: there is no time for anything between them."""

    def holds(self, draft: SetupDraft) -> bool:
        """True if rounds and clock of the draft are those of this format."""
        room = draft.room
        said = (room.phase_minutes, room.max_chars, room.preparation)
        is_so = said == (self.phase_minutes, self.max_chars, self.preparation)
        return room.on and is_so and draft.max_rounds() == self.rounds_of(draft)

    def rounds_of(self, draft: SetupDraft) -> int:
        """Its rounds, as far as the protocol allows; where seats decide or compare, no fewer than they need to."""
        needs_all = not draft.people_decide() or draft.rules().paired
        least = draft.default_rounds() if needs_all else 1
        return min(max(self.rounds, least), draft.rules().rounds.hard_max)


_COLLECT = Preparation(step="collect", minutes=15)
_BRIEF = Preparation(step="brief", minutes=8)
WORKSHOPS = (
    Workshop(25, 2, 2, 750, message("one round and a rebuttal, which follow each other by themselves"), hold="none"),
    Workshop(60, 2, 4, 1_000, message("a brief to read and questions first, then a round and a rebuttal"), (_BRIEF,)),
    Workshop(
        90,
        3,
        5,
        1_000,
        message("the room collects options and drivers, reads and asks, then three rounds"),
        (_COLLECT, _BRIEF),
    ),
)


def of_workshop(workshop: Workshop) -> SetupDraft:
    """A fresh draft with people in this format: the room decides."""
    said = workshop.preparation, workshop.phase_minutes, workshop.max_chars, workshop.hold
    fields = dict(zip(("preparation", "phase_minutes", "max_chars", "hold"), said, strict=True))
    draft = SetupDraft(room=RoomDraft.model_validate({"on": True, **fields}))
    return draft.model_copy(update={"rounds": workshop.rounds_of(draft)})


def workshop_of(draft: SetupDraft) -> Workshop | None:
    """The format that the draft has; None if it is held in its own time."""
    return next((workshop for workshop in WORKSHOPS if workshop.holds(draft)), None)


def people(draft: SetupDraft, not_for_phones: str) -> SetupDraft:
    """Whether people take part, who leads, who decides, and how long it takes."""
    room = draft.room
    on = st.toggle(_("People take part from their own phones and laptops"), key=_key("on", room.on))
    draft = draft.model_copy(update={"room": room.model_copy(update={"on": on})})
    if not on:
        st.caption(_("Off: whoever sits at this screen holds the procedure, and the seats decide."))
        return draft
    _reach(not_for_phones)
    chosen = st.segmented_control(
        _("Who decides?"),
        list(DECIDES),
        key=_key("decides", room.decides),
        format_func=lambda d: f":gray[{DECIDES[d]}]",
        required=True,
        width="stretch",
        help="  \n".join(f"{DECIDES[d]}: {said}" for d, said in _WHO_DECIDES.items()),
    )
    decides = chosen or room.decides
    typed = {"decides": decides}
    draft = draft.model_copy(update={"room": draft.room.model_copy(update=typed)})
    if decides == "panel":
        draft = draft.model_copy(update={"room": _listed(draft.room)})
    # Before the page is whole: a format that is chosen meanwhile fills in rounds for a room, as it says.
    keep(draft)
    _formats(draft)
    if held := workshop_of(draft):
        st.caption(_("{minutes} minutes: {plan}.", minutes=held.minutes, plan=_(held.plan)))
    return draft


def your_name(draft: SetupDraft) -> SetupDraft:
    """Who leads stands beside the start: it is all that a workshop needs beside its question and options."""
    if not draft.room.on:
        return draft
    known = draft.room.name or session.known_name()
    name = st.text_input(_("Your name: you facilitate"), known, key="setup_room_name", max_chars=80)
    return draft.model_copy(update={"room": draft.room.model_copy(update={"name": name or ""})})


def _reach(not_for_phones: str) -> None:
    """Whether phones can come, and how they could."""
    if not not_for_phones:
        st.caption(_(":material/wifi: Phones can reach this server."))
        return
    st.markdown(f":orange[:material/wifi_off: {safe_line(not_for_phones, max_chars=400)}]")


def details(draft: SetupDraft) -> SetupDraft:
    """Who may join and read, who has which role, and how people vote; nothing where nobody takes part."""
    if not draft.room.on:
        return draft
    st.markdown(_("**People**"))
    room = _names(draft.room, human_seats(draft), compared=draft.rules().paired)
    with st.expander(_("How people vote, and how long it takes"), icon=":material/how_to_vote:", key="people-details"):
        room = _votes(room, has_drivers=bool(draft.drivers), holds_rounds=not draft.rules().paired)
    return draft.model_copy(update={"room": room})


def _key(field: str, value: object) -> str:
    """The key of a widget that begins with what the draft has."""
    key = f"setup_room_{field}"
    st.session_state.setdefault(key, value)
    return key


def _formats(draft: SetupDraft) -> None:
    """A format fills in rounds, clock and votes; it is marked for as long as they are those of the format."""
    held = workshop_of(draft)
    key = "setup_format"
    st.session_state[key] = held.minutes if held else _OWN_TIME
    words = {
        w.minutes: _n(w.rounds_of(draft), "{minutes} min · {n} round", "{minutes} min · {n} rounds", minutes=w.minutes)
        for w in WORKSHOPS
    }
    words[_OWN_TIME] = _("Our own time")
    st.selectbox(
        _("Format"),
        list(words),
        key=key,
        format_func=words.__getitem__,
        on_change=_fill,
        help=" ".join(
            _(
                "{minutes} minutes: {plan}, {phase_minutes} minutes for each phase.",
                minutes=w.minutes,
                plan=_(w.plan),
                phase_minutes=w.phase_minutes,
            )
            for w in WORKSHOPS
        ),
    )


_OWN_TIME = 0


def _fill() -> None:
    """Rounds, clock and votes of the format that was chosen; names and lists stay."""
    draft = current()
    minutes = st.session_state["setup_format"]
    workshop = next((w for w in WORKSHOPS if w.minutes == minutes), None)
    if workshop is None:
        _clear_clock(draft)
        return
    usual_votes = RoomDraft().model_dump(include={"pre_vote", "final_vote", "blind", "hold"})
    format_ = {
        **usual_votes,
        "phase_minutes": workshop.phase_minutes,
        "max_chars": workshop.max_chars,
        "preparation": workshop.preparation,
        "hold": workshop.hold,
    }
    rounds = workshop.rounds_of(draft)
    _put(draft, format_, rounds)


def _clear_clock(draft: SetupDraft) -> None:
    _put(draft, {"phase_minutes": 0, "max_chars": RoomDraft().max_chars, "preparation": ()}, None)


def _put(draft: SetupDraft, format_: Mapping[str, object], rounds: int | None) -> None:
    """Into the draft and into the fields that show it; `rounds` None = as the rules suggest."""
    for field, value in format_.items():
        st.session_state[f"setup_room_{field}"] = value
    st.session_state[f"setup_rounds_{draft.protocol}_{draft.default_rounds()}"] = rounds or draft.default_rounds()
    change(draft, rounds=rounds, room=draft.room.model_copy(update=dict(format_)))


def open_to_all(draft: SetupDraft) -> SetupDraft:
    """Whether the organisation may read it; for who is logged in. With people it is asked where they are."""
    if not session.owner() or draft.room.on:
        return draft
    shared = st.toggle(
        _("Open to the organisation"),
        value=draft.shared,
        key=f"setup_shared_{draft.shared}",
        help=_("Everybody who logs in here may read it. You can change it later, with a reason."),
    )
    return draft.model_copy(update={"shared": shared})


def _names(room: RoomDraft, seats: tuple[Seat, ...], *, compared: bool) -> RoomDraft:
    """Names and the list."""
    joining = st.radio(
        _("Who may join?"), list(JOINING), key=_key("joining", room.joining), format_func=lambda j: JOINING[j]
    )
    if joining == "open":
        st.caption(_(DUPLICATES))
    readers: Readers = st.radio(
        _("Who may read it?"), list(READERS), key=_key("readers", room.readers), format_func=_reader_words
    )
    if room.decides != "panel":
        room = _listed(room)
    left, middle, right = st.columns(3)
    with left:
        judges = st.text_input(_("Judges"), key=_key("judges", room.judges), placeholder=_("names, with commas"))
    with middle:
        synthesiser = st.text_input(
            _("Who writes the synthesis"), key=_key("synthesiser", room.synthesiser), max_chars=80
        )
    with right:
        approver = st.text_input(_("Approver: signs at the end"), key=_key("approver", room.approver), max_chars=80)
    st.caption(_("All may stay empty: more people can be invited from the lobby."))
    typed = {
        "joining": joining,
        "readers": readers,
        "judges": judges,
        "synthesiser": synthesiser,
        "approver": approver,
    }
    return _holders(room.model_copy(update=typed), seats, compared=compared)


def _reader_words(readers: Readers) -> str:
    if readers == "hosts" and session.owner():
        return _("Its people and everybody who logs in here, who find it in the list of debates")
    return READERS[readers]


def _listed(room: RoomDraft) -> RoomDraft:
    needs_a_list = room.joining == "named" or room.decides == "panel"
    votes_in = "room" if room.decides == "room" else "panel"
    listed = st.text_area(
        _("People by name, one per line") if needs_a_list else _("People by name (optional)"),
        key=_key("listed", room.listed),
        placeholder=_(_LIST_HINT),
        height=110,
        help=_(
            "{fields}; only the name is needed. A voter of the list is in the {votes_in}, unless the line says else. "
            "E-mail addresses are left out.",
            fields=FIELDS,
            votes_in=named(votes_in),
        ),
    )
    return room.model_copy(update={"listed": listed})


def _holders(room: RoomDraft, seats: tuple[Seat, ...], *, compared: bool) -> RoomDraft:
    from_lobby = _("everyone with a vote") if compared else _("somebody from the lobby")
    for seat in seats:
        label = safe_label(_("Who speaks for {id}?", id=in_words(seat.id)))
        hint = from_lobby if seat.role == "debater" else _("whoever has this role, else you")
        name = st.text_input(label, key=_key(f"seat_{seat.id}", room.holder(seat.id)), placeholder=hint, max_chars=80)
        room = room.with_holder(seat.id, name or "")
    return room


def _votes(room: RoomDraft, *, has_drivers: bool, holds_rounds: bool) -> RoomDraft:
    """The polls, the clock and what judges see."""
    vote = pick_rule(
        room.vote, label=_("Rule of the votes of people"), whose=_("votes of people"), has_drivers=has_drivers
    )
    left, right = st.columns(2)
    with left:
        pre = _choice(_("Vote before the start"), PRE_VOTES, _key("pre_vote", room.pre_vote))
        blind = _choice(_("Judges read"), BLIND, _key("blind", room.blind))
        afterwards = _choice(_("Late judges"), AFTERWARDS, _key("afterwards", room.afterwards))
        clock = st.number_input(
            _("Minutes for each phase"), 0, 1_440, key=_key("phase_minutes", room.phase_minutes), help=_("0 = no clock")
        )
    with right:
        final = _choice(_("Final vote"), FINAL_VOTES, _key("final_vote", room.final_vote))
        hold = _choice(_("Between rounds"), HOLDS, _key("hold", room.hold)) if holds_rounds else room.hold
        chars = st.number_input(
            _("Maximum length of a turn (characters)"), 100, 20_000, key=_key("max_chars", room.max_chars), step=50
        )
    st.caption(_("The clock shows when a phase should end; nothing happens by itself."))
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
