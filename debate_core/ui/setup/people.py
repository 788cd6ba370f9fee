"""The decider and the people of the debate that is being set up: format, votes, admission, roles.

Draws the room of a draft and returns the updated draft. Knows no rules; starts nothing.
"""

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import Literal

import streamlit as st

from debate_core.language import Words, _, _n, message
from debate_core.report.facts.guesses import MIN_GUESSES
from debate_core.report.facts.terms import named
from debate_core.report.phrases.agreement import DUPLICATES
from debate_core.spec.people import SILENT, Preparation, Readers, SilentStep, can_ask_guess
from debate_core.spec.rules import CountedRule
from debate_core.spec.values import Seat, in_words
from debate_core.ui.kit import session
from debate_core.ui.kit.text import safe_label
from debate_core.ui.setup import people_rows
from debate_core.ui.setup.draft import DraftDecider, RoomDraft, SetupDraft, human_seats
from debate_core.ui.setup.draft_store import change, current, keep
from debate_core.ui.setup.people_mapping import with_one_list
from debate_core.ui.setup.rules import with_decider

_DECIDERS: Words[DraftDecider] = Words(
    {"room": "The room", "panel": "Named people", "debaters": "The seats", "judge": "One judge"}
)
_WHO_DECIDES: Words[DraftDecider] = Words(
    {
        "room": "Everyone who joins as a voter votes, and the seats advise.",
        "panel": "The people listed by name vote; everyone else and the seats advise.",
        "debaters": "The seats argue, and their votes decide.",
        "judge": "The seats argue, and one judge, who does not debate, decides.",
    }
)
JOINING = Words(
    {
        "open": "Everyone with the link or code",
        "named": "Only listed people, each with a personal link",
    }
)
READERS: Words[Readers] = Words(
    {
        "members": "Its people only",
        "link": "Its people, and after the end everyone with the link to the results",
        "hosts": "Its people and all hosts of this server, in their list of debates",
    }
)
PRE_VOTES = Words(
    {"none": "No", "shown_at_close": "Yes, shown once it is closed", "shown_at_end": "Yes, shown at the end"}
)
FINAL_VOTES = Words({"asked": "Yes", "none": "No"})
BLIND = Words({"blind": "Aliases: their names are hidden", "named": "Names of the seats"})
AFTERWARDS = Words(
    {"stepped": "One round at a time, with an estimate after each", "timed": "The whole at once, with the time taken"}
)
HOLDS = Words({"round": "The facilitator starts each round", "none": "Rounds start automatically"})
_NO_TIME, _OWN_TIME = 0, -1
"""Choices of time beside the minutes of the formats."""
_HAS_OWN_TIME = "setup_own_time"
"""Whether the minutes are chosen by hand, although they may be those of a format."""
USUAL_PHASE_MINUTES = 5


@dataclass(frozen=True, slots=True)
class RoomFormat:
    """The fields of a room that a format sets."""

    phase_minutes: int
    max_chars: int
    preparation: tuple[Preparation, ...] = ()
    hold: Literal["none", "round"] = "round"
    """Without a hold, rounds start automatically: there is no time between them."""


@dataclass(frozen=True, slots=True)
class Workshop:
    """A format that sets rounds, clock and votes."""

    minutes: int
    rounds: int
    plan: str
    format: RoomFormat

    def matches(self, draft: SetupDraft) -> bool:
        """Return whether rounds, clock and preparation of the draft are those of this format."""
        room, sets = draft.room, self.format
        same_clock = (room.phase_minutes, room.max_chars) == (sets.phase_minutes, sets.max_chars)
        same_room = room.on and same_clock and _without_silent(room.preparation) == sets.preparation
        return same_room and draft.max_rounds() == self.rounds_of(draft)

    def rounds_of(self, draft: SetupDraft) -> int:
        """Return its rounds within the bounds of the protocol: at least its default if seats decide or compare."""
        needs_all = not draft.people_decide() or draft.rules().paired
        least = draft.default_rounds() if needs_all else 1
        return min(max(self.rounds, least), draft.rules().rounds.hard_max)


def _without_silent(steps: Iterable[Preparation]) -> tuple[Preparation, ...]:
    """The steps that a format sets; the silent ones are agreed beside it."""
    return tuple(one for one in steps if one.step not in SILENT)


_COLLECT = Preparation(step="collect", minutes=15)
_BRIEF = Preparation(step="brief", minutes=8)
WORKSHOPS = (
    Workshop(25, 2, message("one round and a rebuttal, started automatically"), RoomFormat(2, 750, hold="none")),
    Workshop(
        60,
        2,
        message("a brief to read and questions first, then a round and a rebuttal"),
        RoomFormat(4, 1_000, (_BRIEF,)),
    ),
    Workshop(
        90,
        3,
        message("the room collects options and drivers, reads and asks, then three rounds"),
        RoomFormat(5, 1_000, (_COLLECT, _BRIEF)),
    ),
)


def of_workshop(workshop: Workshop) -> SetupDraft:
    """Return a new draft with people in this format; the room decides."""
    draft = SetupDraft(room=RoomDraft.model_validate({"on": True, **asdict(workshop.format)}))
    return draft.replace(rounds=workshop.rounds_of(draft))


def workshop_of(draft: SetupDraft) -> Workshop | None:
    """Return the format of the draft, or None if it has its own schedule."""
    return next((workshop for workshop in WORKSHOPS if workshop.matches(draft)), None)


_DECIDERS_APART = """<style>
[class*="st-key-setup_decider"] [role="radiogroup"] { gap: 6px; }
[class*="st-key-setup_decider"] button {
  margin: 0 !important; border-radius: 0.5rem !important;
  border: 1px solid color-mix(in srgb, currentColor 45%, transparent) !important; }
[class*="st-key-setup_decider"] button[aria-checked="true"] { border-color: currentColor !important; }
</style>"""
"""Separate buttons: joined ones lose their borders in two rows, which a phone needs."""


def edit_decider(draft: SetupDraft) -> SetupDraft:
    """Ask who decides, and say what that means."""
    st.html(_DECIDERS_APART)
    now = draft.decider()
    names, words = dict(_DECIDERS), dict(_WHO_DECIDES)
    if draft.rules().paired:
        names["debaters"] = _("The comparisons")
        words["debaters"] = _("Options are ranked two at a time. All votes beside the comparisons are advice.")
    elif draft.can_be_marked() and all(seat.who == "offline" for seat in draft.panel()):
        words["debaters"] = _("Programs quote your documents, and vote as you mark the quotes.")
    # Another decider, also one that comes with other rules, gets a new field.
    key = f"setup_decider_{now}"
    chosen = st.segmented_control(
        _("Who decides?"),
        list(names),
        default=now,
        key=key,
        format_func=lambda decider: f":gray[{names[decider]}]",
        required=True,
        width="stretch",
        wrap=True,
        on_change=_take_decider,
        args=(key,),
    )
    st.caption(words[chosen])
    return draft


def edit_time(draft: SetupDraft) -> SetupDraft:
    """Ask for the time, if people take part; the format of a workshop also fills in rounds and steps."""
    if not draft.room.on:
        return draft
    # Saved before the page is complete: a format chosen meanwhile fills in the rounds of a room.
    keep(draft)
    chosen = _pick_time(draft)
    if workshop := next((w for w in WORKSHOPS if w.minutes == chosen), None):
        st.caption(
            _(
                "{minutes} minutes: {plan}, {phase_minutes} minutes for each phase.",
                minutes=workshop.minutes,
                plan=_(workshop.plan),
                phase_minutes=workshop.format.phase_minutes,
            )
        )
    return _edit_minutes(draft) if chosen == _OWN_TIME else draft


def _edit_minutes(draft: SetupDraft) -> SetupDraft:
    minutes = st.number_input(
        _("Minutes for each phase"),
        1,
        1_440,
        key=_key("phase_minutes", draft.room.phase_minutes),
        help=_("The clock shows when a phase should end; nothing ends automatically."),
    )
    return draft.replace(room=draft.room.replace(phase_minutes=minutes or 0))


def time_words(draft: SetupDraft) -> str:
    """Return `60 min`, `4 min a phase` or `no fixed time`."""
    if workshop := workshop_of(draft):
        return _("{minutes} min", minutes=workshop.minutes)
    if draft.room.on and draft.room.phase_minutes:
        return _("{minutes} min a phase", minutes=draft.room.phase_minutes)
    return _("no fixed time")


def _take_decider(key: str) -> None:
    keep(with_decider(current(), st.session_state[key]))


def _edit_audience(draft: SetupDraft) -> SetupDraft:
    """Ask whether people take part although they do not decide."""
    words = _("People take part from their own phones, and their votes are advice")
    if draft.rules().paired:
        words = _("People compare from their own phones")
    on = st.toggle(words, draft.room.on, key=f"setup_audience_{draft.decider()}")
    if on == draft.room.on:
        return draft
    return draft.replace(room=draft.room.replace(on=on, decides="debaters"))


def edit_own_name(draft: SetupDraft) -> SetupDraft:
    """Ask for the name of the facilitator, beside the start button: a workshop needs no other name."""
    if not draft.room.on:
        return draft
    known = draft.room.name or session.known_name()
    name = st.text_input(_("Your name: you facilitate"), known, key="setup_room_name", max_chars=80)
    return draft.replace(room=draft.room.replace(name=name or ""))


def edit_people(draft: SetupDraft) -> SetupDraft:
    """Ask whether people take part, unless they decide, and for the list of people."""
    if not draft.people_decide():
        draft = _edit_audience(draft)
    if not draft.room.on:
        return draft
    return draft.replace(room=_edit_names(draft.room, human_seats(draft), compared=draft.rules().paired))


def edit_readers(draft: SetupDraft) -> SetupDraft:
    """Ask who may read it, if people take part, and where someone judges, how."""
    if not draft.room.on:
        return draft
    room = draft.room
    readers = st.selectbox(
        _("Who can read it?"), tuple(READERS), key=_key("readers", room.readers), format_func=reader_words
    )
    room = room.replace(readers=readers)
    judged = people_rows.n_judges(room) > 0
    label = _("Judges and the audience see the speakers as") if judged else _("The audience sees the speakers as")
    room = room.replace(blind=_pick(label, BLIND, _key("blind", room.blind)))
    if judged:
        afterwards = _pick(_("Judging after the end"), AFTERWARDS, _key("afterwards", room.afterwards))
        room = room.replace(afterwards=afterwards)
    return draft.replace(room=room)


def edit_synthesiser(draft: SetupDraft) -> SetupDraft:
    """Ask for the reviser of the synthesis that a seat writes, if people take part.

    A person who writes it has a field beside the other seats of people.
    """
    room = draft.room
    office = next((office for office in draft.all_offices() if office.role == "synthesiser"), None)
    if not room.on or ((office is None or office.who == "human") and not room.synthesiser):
        return draft
    named_now = _key("synthesiser", room.synthesiser)
    hint = _("no one, or a name")
    name = st.text_input(_("Who else may edit the summary?"), key=named_now, max_chars=80, placeholder=hint)
    return draft.replace(room=room.replace(synthesiser=name))


def _key(field: str, value: object, *, compared: bool = False) -> str:
    """Return the key of a widget, whose first value is that of the draft; another one where it has other defaults in a
    tournament."""
    key = f"setup_room_{field}{'_compared' if compared else ''}"
    st.session_state.setdefault(key, value)
    return key


def _pick_time(draft: SetupDraft) -> int:
    """Draw the one choice of time, and return it: minutes of a format, no time, or own minutes."""
    key = "setup_format"
    st.session_state[key] = _time_of(draft)
    words = {
        w.minutes: _n(w.rounds_of(draft), "{minutes} min · {n} round", "{minutes} min · {n} rounds", minutes=w.minutes)
        for w in WORKSHOPS
    }
    words = {_NO_TIME: _("No fixed time"), **words, _OWN_TIME: _("Own minutes for each phase")}
    chosen: int = st.selectbox(
        _("Time"), list(words), key=key, format_func=words.__getitem__, on_change=_apply_time, args=(key,)
    )
    return chosen


def _time_of(draft: SetupDraft) -> int:
    workshop = workshop_of(draft)
    if workshop and not st.session_state.get(_HAS_OWN_TIME):
        return workshop.minutes
    return _OWN_TIME if draft.room.phase_minutes else _NO_TIME


def _apply_time(key: str) -> None:
    """Put the chosen time into the draft and its fields, of a format with rounds and votes; names and lists stay."""
    draft = current()
    usual = RoomDraft()
    chosen = st.session_state[key]
    st.session_state[_HAS_OWN_TIME] = chosen == _OWN_TIME
    rounds = draft.rounds
    if workshop := next((w for w in WORKSHOPS if w.minutes == chosen), None):
        # Votes beside the comparisons of a tournament belong to no format.
        votes = set() if draft.rules().paired else {"pre_vote", "final_vote"}
        fields = usual.model_dump(include={"blind", "hold", *votes}) | asdict(workshop.format)
        rounds = workshop.rounds_of(draft)
    elif chosen == _OWN_TIME:
        fields = {"phase_minutes": draft.room.phase_minutes or USUAL_PHASE_MINUTES}
    else:
        fields = {"phase_minutes": 0, "max_chars": usual.max_chars, "preparation": ()}
        rounds = None
    if "preparation" in fields:
        silent = tuple(one for one in draft.room.preparation if one.step in SILENT)
        fields["preparation"] = (*_without_silent(fields["preparation"]), *silent)
    for field, value in fields.items():
        st.session_state[f"setup_room_{field}"] = value
    st.session_state[f"setup_rounds_{draft.protocol}_{draft.default_rounds()}"] = rounds or draft.default_rounds()
    change(draft, rounds=rounds, room=draft.room.replace(**fields))


def edit_access(draft: SetupDraft) -> SetupDraft:
    """Ask a logged-in host whether the organisation may read a debate without people."""
    if not session.owner() or draft.room.on:
        return draft
    shared = st.toggle(
        _("Open to the organisation"),
        value=draft.shared,
        key=f"setup_shared_{draft.shared}",
        help=_("Everyone who logs in here may read it. You can change it later, with a reason."),
    )
    return draft.replace(shared=shared)


def _edit_names(room: RoomDraft, seats: tuple[Seat, ...], *, compared: bool) -> RoomDraft:
    joining = _pick(_("Who can join?"), JOINING, _key("joining", room.joining))
    if joining == "open":
        st.caption(_(DUPLICATES))
    room = room.replace(joining=joining)
    room = people_rows.edit_list(with_one_list(room) if room.judges or room.approver else room)
    anyone = _("everyone with a vote") if compared else _("someone from the lobby")
    for seat in seats:
        label = safe_label(_("Who speaks for {id}?", id=in_words(seat.id)))
        hint = anyone if seat.role == "debater" else _("the person with this role, or you")
        name = st.text_input(label, key=_key(f"seat_{seat.id}", room.holder(seat.id)), placeholder=hint, max_chars=80)
        room = room.with_holder(seat.id, name or "")
    return room


def reader_words(readers: Readers) -> str:
    if readers == "hosts" and session.owner():
        return _("Its people and everyone who logs in here, in their list of debates")
    return READERS[readers]


def edit_polls(draft: SetupDraft) -> SetupDraft:
    """Ask for the votes of people before the start and at the end, if people take part."""
    room = draft.room
    if not room.on:
        return draft
    compared = draft.rules().paired
    left, right = st.columns(2)
    with left:
        pre_vote = _pick(_("Vote before the debate"), PRE_VOTES, _key("pre_vote", room.pre_vote, compared=compared))
    with right:
        final_vote = _pick(
            _("Vote after the debate"), FINAL_VOTES, _key("final_vote", room.final_vote, compared=compared)
        )
    asks_crux = final_vote == "asked" and st.checkbox(
        _("Also ask which claim decided their vote"),
        key=_key("asks_crux", room.asks_crux),
        help=_(
            "One more tap on the final ballot. After the close, voters answer for the most named claims what they "
            "would choose if the claim were false. Advice: it is never counted."
        ),
    )
    asks_guess = final_vote == "asked" and _edit_guess(room, room.vote)
    polls = {"pre_vote": pre_vote, "final_vote": final_vote, "asks_crux": asks_crux, "asks_guess": asks_guess}
    return draft.replace(room=room.replace(**polls))


def edit_steps(draft: SetupDraft) -> SetupDraft:
    """Ask for the silent steps, the start of rounds and the length of turns, if people take part."""
    room = draft.room
    if not room.on:
        return draft
    room = room.replace(preparation=_edit_silent(room))
    left, right = st.columns(2)
    if not draft.rules().paired:
        with left:
            room = room.replace(hold=_pick(_("Between rounds"), HOLDS, _key("hold", room.hold)))
    max_chars = right.number_input(
        _("Maximum length of a turn (characters)"), 100, 20_000, key=_key("max_chars", room.max_chars), step=50
    )
    return draft.replace(room=room.replace(max_chars=max_chars))


def _edit_guess(room: RoomDraft, vote: CountedRule) -> bool:
    """Ask whether the question is one of fact; not under rules whose ballots name several options."""
    if not can_ask_guess(vote):
        rule = named(vote.kind)
        st.caption(
            _("Voters cannot guess how the others vote: a ballot under {rule} names several options.", rule=rule)
        )
        return False
    return st.checkbox(
        _("A question of fact: voters also guess how the others vote"),
        key=_key("asks_guess", room.asks_guess),
        help=_(
            "You see which options more people chose than the voters expected: a hint at knowledge that few have. "
            "One more slider on the final ballot; needs {least} guesses. Advice: it is never counted.",
            least=MIN_GUESSES,
        ),
    )


def _edit_silent(room: RoomDraft) -> tuple[Preparation, ...]:
    """Ask for the silent steps, which follow the steps of the format; return all steps."""
    agreed = {one.step: one for one in room.preparation}
    steps = list(_without_silent(room.preparation))
    for step, (label, with_names, minutes) in _SILENT_LABELS.items():
        before = agreed.get(step)
        if st.checkbox(_(label), key=_key(step, before is not None)):
            named = st.checkbox(_(with_names), key=_key(f"{step}_named", bool(before and before.named)))
            minutes = before.minutes if before else minutes
            steps.append(Preparation(step=step, minutes=minutes, named=named))
    return tuple(steps)


def silent_steps(room: RoomDraft) -> list[str]:
    """Return the names of the agreed silent steps, if people take part."""
    return [_SILENT_NAMES[one.step] for one in room.preparation if one.step in SILENT] if room.on else []


_SILENT_NAMES: Words[str] = Words({"facts": "silent minutes", "premortem": "a premortem"})
_SILENT_LABELS: Mapping[SilentStep, tuple[str, str, int]] = {
    "facts": (
        message("Two silent minutes before the first vote: what do you know that the others may not?"),
        message("Show these facts with names"),
        2,
    ),
    "premortem": (
        message("A premortem before the final vote: a year later the decision was reversed, why?"),
        message("Show these reasons with names"),
        3,
    ),
}
"""Labels of the step and of its names, and minutes on the clock."""


def _pick(label: str, words: Mapping[str, str], key: str) -> str:
    return st.selectbox(label, tuple(words), key=key, format_func=lambda choice: words[choice])
