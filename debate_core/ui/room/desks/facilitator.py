"""The desk of the facilitator: state of the debate, people it waits for, the next step, and emergencies.

One step after the other is one button; what was agreed before the start has no control here. Knows no rules: the
engine refuses what is not allowed.
"""

from collections.abc import Callable
from functools import partial

import streamlit as st

from debate_core.engine import act_faults, evidence, preparation, stage
from debate_core.engine.engine import next_requests
from debate_core.engine.next_step import Step, follows, next_step, onward, pulse_due
from debate_core.engine.stage import by_people
from debate_core.language import _, _n, message, said, spoken_list
from debate_core.record.acts import Extended, LastRound, Poked, PollClosed, PollOpened, PreparationBegun, RoomAct
from debate_core.record.commands import Act, AnyCommand, Resume, Stop
from debate_core.record.state import State
from debate_core.report.facts.agenda import PREPARATION
from debate_core.report.facts.terms import named, recorded
from debate_core.report.words.evidence import RESTS
from debate_core.report.words.polls import missing_sentence
from debate_core.spec.people import poll_name
from debate_core.text import capitalized
from debate_core.ui.kit import clock, session, single_keys
from debate_core.ui.kit.places import in_places
from debate_core.ui.kit.presses import pressed
from debate_core.ui.kit.session import Me
from debate_core.ui.kit.text import safe_id, safe_line
from debate_core.ui.room import asking
from debate_core.ui.room.controls import pause_button, skip_turn
from debate_core.ui.room.desks import emergencies, marking, moderation, signing
from debate_core.ui.room.reason_field import Reasoned
from debate_core.ui.turn import brief

ROLES = ("facilitator", "moderator")
MINUTE = "a minute more, no reason given"
TOO_LATE = message("somebody else was first: this is what comes next now")
_STYLE = """<style>
.st-key-lead button, .st-key-next-step button { min-height: 44px; }
.st-key-next-step {
  position: fixed; left: 0; right: 0; bottom: 0; z-index: 90; width: auto !important;
  padding: 0.6rem max(1rem, calc((100vw - 1130px) / 2)); background: var(--st-background-color, Canvas);
  border-top: 1px solid color-mix(in srgb, currentColor 25%, transparent); }
body:has(.st-key-next-step) [data-testid="stMainBlockContainer"] { padding-bottom: 7rem; }
</style>"""
"""44 px: the smallest target that a thumb hits surely. The next step stays in sight while the page scrolls."""


def show(state: State, me: Me) -> None:
    """The desk; nothing for those who do not lead."""
    if me.role not in ROLES:
        return
    with st.container(border=True, key="lead"):
        st.html(_STYLE)
        st.subheader(_("Leading the debate"), anchor=False)
        stands(state)
        with st.container():
            session.show_problem()
        in_places((_next, _beside, signing.show, _waited_for, _course, emergencies.show, moderation.show), state, me)


def stands(state: State) -> None:
    """Stage, round and phase, and the clock of the phase."""
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.markdown(f"**{stage_words(state)}**", width="content")
        clock.show(state, "lead")


def stage_words(state: State) -> str:
    """`Round 1 of 2 · opening`."""
    match stage.stage(state):
        case "lobby":
            now = preparation.running(state)
            return _(PREPARATION[now.step]) if now else _("Lobby")
        case "prevote":
            return _("Before the first turn · pre-vote")
        case "finalvote":
            return _("The final vote is open")
        case "over":
            return _("The rounds are over")
        case "signed":
            return _("Signed")
        case "closing":
            return _("Closing{phase}", phase=_phase(state))
        case "round":
            return _(
                "Round {current_round} of {max_rounds}{phase}",
                current_round=max(state.current_round(), 1),
                max_rounds=state.spec.max_rounds,
                phase=_phase(state),
            )


def _phase(state: State) -> str:
    return f" · {safe_line(named(state.open.slot.phase.name))}" if state.open else ""


# --- the next step


def _next(state: State, me: Me) -> None:
    """Draw the one step that comes next, else the names of those the debate waits for."""
    step = next_step(state, me.actor)
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="next-step"):
        if step is not None:
            _step(state, me, step)
        elif words := _waits_for(state, me):
            st.markdown(words)


def _waits_for(state: State, me: Me) -> str:
    """Name whose turn comes next; empty where the desk below asks this person for a choice."""
    asked = [*next_requests(state)] if state.paused is None and state.outcome is None else []
    mine = [seat for seat in asked if seat in me.answers_for]
    if mine and state.open is not None:
        phase = safe_line(named(state.open.slot.phase.name))
        return _("Next: **your turn** as {seat} · {phase}", seat=safe_id(mine[0]), phase=phase)
    if asked and stage.compared_by_all(state, asked[0]):
        return _("Next: {who}", who=_all_compare(state, asked[0]))
    return _("Next: waiting for {seats}", seats=spoken_list([safe_id(seat) for seat in asked])) if asked else ""


def _beside(state: State, me: Me) -> None:
    """Draw what can be done meanwhile with one press."""
    pulse = pulse_due(state)
    runs = state.outcome is None and state.room.begun and state.paused is None
    with st.container(horizontal=True, gap="small"):
        if runs:
            _quick(state, me)
        if me.facilitator and pulse:
            _pulse(state, me, pulse)
    if state.paused is not None and not stage.waits_as_agreed(state):
        st.caption(_("Paused: {paused}", paused=safe_line(recorded(state.paused))))


def _step(state: State, me: Me, step: Step) -> None:
    """The one primary button. What belongs to the facilitator alone is only named to a moderator."""
    if step.command is None:
        key = single_keys.single_key(state, me, "n")
        if pressed(_said(step.words), key="to-decision", type="primary", icon=":material/gavel:", shortcut=key):
            session.open_page("results.py", state.debate)
        return
    act = _act_of(step)
    if act is not None and not me.facilitator:
        st.caption(_("Next, by the facilitator: “{words}”.", words=_said(step.words)))
        return
    onward_words = onward(state, step)
    if onward_words:
        _step_button(state, me, step, onward_words, _go_on)
        _step_alone(state, me, step)
    else:
        _step_button(state, me, step, step.words, _go)
    if isinstance(act, PollOpened) and state.outcome is None:
        st.button(_("Begin without it"), key="begin", on_click=session.send_on_click, args=(state.debate, me, Resume))


def _act_of(step: Step) -> RoomAct | None:
    return step.command.act if isinstance(step.command, Act) else None


def _step_button(state: State, me: Me, step: Step, words: str, go: Callable[[str, Me, Step], None]) -> None:
    act = _act_of(step)
    asking.button(
        state,
        _said(words),
        key=_key(state, step),
        missing=partial(_missing_now, state.debate, act),
        anyway=_("Close anyway") if isinstance(act, PollClosed) else _("Go on anyway"),
        press=partial(go, state.debate, me, step),
        shortcut=single_keys.single_key(state, me, "n"),
    )


def _step_alone(state: State, me: Me, step: Step) -> None:
    """The step and nothing of what would follow it of itself."""
    asking.button(
        state,
        _said(step.words),
        key="next-alone",
        missing=partial(_missing_now, state.debate, _act_of(step)),
        anyway=_("Close anyway"),
        press=partial(_go, state.debate, me, step),
        is_first=False,
    )


def _said(words: str) -> str:
    return capitalized(said(words))


def _key(state: State, step: Step) -> str:
    """Each of the first steps has its own key: a click on one of them never falls on another."""
    if state.room.begun or state.outcome is not None:
        return "next"
    if isinstance(step.command, Resume):
        return "begin"
    act = _act_of(step)
    if isinstance(act, PreparationBegun):
        return f"open-{act.step}"
    return "next" if "pre" in state.room.polls else "open-pre"


def _go(debate: str, me: Me, step: Step) -> None:
    """Only if it still is what comes next: of two people who press at once, one moves the debate, once."""
    if next_step(session.host().state(debate), me.actor) != step or step.command is None:
        session.set_problem(_(TOO_LATE))
        return
    session.give(debate, me, partial(_by, step.command))


def _by(command: AnyCommand, by: str) -> AnyCommand:
    return command.model_copy(update={"by": by})


def _missing_now(debate: str, act: RoomAct | None) -> str:
    return missing_sentence(session.host().state(debate), act)


def _go_on(debate: str, me: Me, step: Step) -> None:
    """A poll is closed, and what then follows of itself is done too; each is an act of its own in the record."""
    _go(debate, me, step)
    act = _act_of(step)
    if not isinstance(act, PollClosed):
        return
    while (following := follows(session.host().state(debate), act.poll, me.actor)) and following.command is not None:
        if not session.give(debate, me, partial(_by, following.command)):
            return


def _quick(state: State, me: Me) -> None:
    """What is done in a moment, by a key: pause, one more minute."""
    pause_button(state, me)
    if stage.deadline(state) is not None:
        st.button(
            _("1 minute more"),
            key="minute",
            icon=":material/more_time:",
            shortcut=single_keys.single_key(state, me, "e"),
            on_click=session.act_on_click,
            args=(state, me, Extended(seconds=60, reason=MINUTE)),
        )


def _pulse(state: State, me: Me, pulse: str) -> None:
    """While a round runs, and while the next one waits: then there is time for it."""
    ask = PollOpened(poll=pulse)
    words = capitalized(named(poll_name(pulse)))
    st.button(words, key="pulse", icon=":material/vital_signs:", on_click=session.act_on_click, args=(state, me, ask))


# --- who is waited for


def _waited_for(state: State, me: Me) -> None:
    marking.progress(state)
    if state.paused is not None or state.outcome is not None:
        return
    # A seat may be asked for several turns at once.
    asked = [*next_requests(state)]
    if for_all := [seat for seat in asked if stage.compared_by_all(state, seat)]:
        st.markdown(_all_compare(state, for_all[0]))
    for seat in asked:
        if seat not in for_all:
            _waited(state, me, seat)


def _all_compare(state: State, seat: str) -> str:
    """Count the people who compare now, and the pairs that are left."""
    people = len(stage.speaks_for(state, seat))
    left = sum(stage.compared_by_all(state, turn.seat) for turn in state.open.missing()) if state.open else 0
    pairs = _n(left, "{n} pair left in this round", "{n} pairs left in this round")
    if not people:
        return _("Waiting for someone with a vote: {pairs}", pairs=pairs)
    who = _n(people, "{n} person with a vote compares", "{n} people with a vote compare")
    return f"{who}: {pairs}"


def _waited(state: State, me: Me, seat_id: str) -> None:
    seat = safe_id(seat_id)
    if not by_people(state, seat_id):
        occupant = state.spec.seat(seat_id).occupant
        words = _("the evidence panel") if occupant == "offline" else _("a {occupant} seat", occupant=occupant)
        st.caption(_("Waiting for **{seat}**: {words}", seat=seat, words=words))
        return
    people = stage.speaks_for(state, seat_id)
    names = ", ".join(safe_line(state.room.people[i].name, max_chars=40) for i in people)
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.markdown(
            _(
                "Waiting for **{seat}**: {names}{reminded}",
                seat=seat,
                names=names or _("nobody sits there yet"),
                reminded=_reminded(state, seat_id),
            )
        )
        if names and me.actor not in people:
            st.button(
                _("Remind {seat}", seat=seat),
                key=f"remind {seat_id}",
                icon=":material/notifications:",
                on_click=session.act_on_click,
                args=(state, me, Poked(seat=seat_id)),
            )


def _reminded(state: State, seat: str) -> str:
    match len(brief.reminders(state, seat)):
        case 0:
            return ""
        case 1:
            return _(" · reminded once")
        case times:
            return _(" · reminded {times} times", times=times)


# --- the course


def _course(state: State, me: Me) -> None:
    """More time, fewer or more rounds, a turn passed over, the end: each with a reason. Nothing unless rounds run."""
    if state.outcome is not None or not state.room.begun:
        return
    with st.expander(_("Time, rounds, skip, stop"), icon=":material/tune:", key="course"):
        why = Reasoned(state, me, "course", _("Reason for the change of course"))
        why.field()
        with st.container(horizontal=True, gap="small"):
            _time(state, why)
        asked = next_requests(state)
        with st.container(horizontal=True, vertical_alignment="bottom", gap="small", key="skip-or-stop"):
            if asked:
                skip_turn(why, asked)
            if me.facilitator:
                why.button(_("Stop the debate"), "stop", Stop, icon=":material/stop:")
        st.caption(
            _("A skipped turn counts as an abstention. Nothing goes on or ends by itself when the time is over.")
        )


def _time(state: State, why: Reasoned) -> None:
    if stage.deadline(state) is not None:
        for minutes in (2, 5):
            why.act(
                _("{minutes} minutes more", minutes=minutes),
                f"extend-{minutes}",
                partial(Extended, seconds=minutes * 60),
            )
    if act_faults.fault(state, Extended(rounds=1, reason="?"), why.me.actor) is None:
        why.act(_("Add a round"), "round", partial(Extended, rounds=1))
    if act_faults.fault(state, LastRound(reason="?"), why.me.actor) is None:
        if evidence.winner_rests_on(state):
            st.warning(_("What would win now {rests}. Make this the last round all the same?", rests=RESTS))
        why.act(_("Make this the last round"), "last", LastRound)
