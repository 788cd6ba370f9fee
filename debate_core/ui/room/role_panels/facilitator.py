"""The desk of the facilitator: the next step, the script, people it waits for, the signature, and emergencies.

The next step is always one button; rules that were agreed before the start have no control here. Knows no rules: the
engine refuses what is not allowed.
"""

from collections.abc import Callable
from datetime import UTC, datetime
from functools import partial
from typing import Literal

import streamlit as st

from debate_core.engine import evidence, stage, validate_actions
from debate_core.engine.engine import next_requests
from debate_core.engine.next_step import Step, alone, follows, next_step, onward, pulse_due
from debate_core.engine.stage import by_people
from debate_core.language import _, _n, message, said, spoken_list
from debate_core.record.acts import (
    Extended,
    LastRound,
    PersonChanged,
    Poked,
    PollClosed,
    PollOpened,
    PreparationBegun,
    TextsShown,
)
from debate_core.record.commands import AnyCommand, Resume, Stop
from debate_core.record.state import State
from debate_core.report.facts.account import Account
from debate_core.report.facts.decision import approvers
from debate_core.report.facts.terms import named, recorded
from debate_core.report.facts.turnout import is_complete, turnout
from debate_core.report.files.adr.record import decision_record
from debate_core.report.phrases.decision_status import decision_status
from debate_core.report.phrases.evidence import RESTS
from debate_core.report.phrases.people_shares import people_shares_sentence
from debate_core.report.phrases.polls import missing_sentence
from debate_core.report.phrases.tournament import comparing_words
from debate_core.spec.people import LEADS, poll_name
from debate_core.text import capitalized, line
from debate_core.ui.kit import accounts, session, single_keys
from debate_core.ui.kit.click_guard import pressed
from debate_core.ui.kit.dates import spell_days
from debate_core.ui.kit.places import in_places
from debate_core.ui.kit.session import Me
from debate_core.ui.kit.text import safe_id, safe_label, safe_line, safe_text
from debate_core.ui.results.sections import sealed_here
from debate_core.ui.room.buttons import Reasoned, act_button, command_button, confirm_button
from debate_core.ui.room.controls import pause_button, skip_turn
from debate_core.ui.room.role_panels import links, lobby
from debate_core.ui.room.role_panels.emergencies import draw_emergencies
from debate_core.ui.room.role_panels.moderation import draw_moderation
from debate_core.ui.room.role_panels.script import draw_moment, draw_whole
from debate_core.ui.turn import brief

MINUTE = "a minute more, no reason given"
TOO_LATE = message("someone else was faster: this is the next step now")
MAX_PILLS = 20
"""With more voters than this, the facilitator names the approver in the list of people."""
_SIGNER = "who-signs"
_STYLE = """<style>
.st-key-script { padding-left: 0.75rem; border-left: 3px solid currentColor; }
.st-key-lead button, .st-key-next-step button { min-height: 44px; }
.st-key-next-step {
  position: fixed; left: 0; right: 0; bottom: 0; z-index: 90; width: auto !important;
  padding: 0.6rem max(1rem, calc((100vw - 1130px) / 2)); background: var(--st-background-color, Canvas);
  border-top: 1px solid color-mix(in srgb, currentColor 25%, transparent); }
.st-key-next-step > :has(> [data-testid="stHorizontalBlock"]),
.st-key-next-step > * > [data-testid="stHorizontalBlock"] { display: contents; }
body:has(.st-key-next-step) [data-testid="stMainBlockContainer"] { padding-bottom: 7rem; }
</style>"""
"""44 px is the smallest target that a thumb hits reliably. The next step stays visible while the page scrolls."""


def draw_facilitator_desk(state: State, me: Me) -> None:
    """Draw the desk; nothing for those who do not lead."""
    if me.role not in LEADS:
        return
    with st.container(border=True, key="lead", gap="small"):
        st.html(_STYLE)
        st.subheader(_("Leading the debate"), anchor=False)
        with st.container():
            session.show_problem()
        # The reminder leaves when the vote is closed, so nothing is below it.
        in_places(
            (
                _draw_next,
                _draw_moment,
                lobby.draw_wall_link,
                _draw_quick_actions,
                _draw_signing,
                _draw_waiting,
                _draw_reminder,
            ),
            state,
            me,
        )


def _draw_moment(state: State, me: Me) -> None:  # noqa: ARG001
    draw_moment(state)


def _draw_whole_script(state: State, me: Me) -> None:  # noqa: ARG001
    draw_whole(state)


def draw_facilitator_tools(state: State, me: Me) -> None:
    """Draw in one fold what is seldom needed: script, time and rounds, emergencies, overrides.

    Draws nothing for those who do not lead.
    """
    if me.role not in LEADS:
        return
    # Drawn only when open: it is almost a third of the page, which is drawn again at each step.
    more = st.expander(
        _("More: script, time, moderation"),
        icon=":material/more_horiz:",
        key="lead-more",
        type="compact",
        on_change="rerun",
    )
    if more.open:
        with more:
            sections = (_draw_shares, _draw_whole_script, lobby.draw_agreed, _draw_course, draw_emergencies)
            in_places((*sections, draw_moderation), state, me)


def _draw_next(state: State, me: Me) -> None:
    step = next_step(state, me.actor)
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="next-step"):
        if step is not None:
            _draw_step(state, me, step)
        elif seat := _awaited_seat(state, me):
            _draw_waiting_seat(state, me, seat)
        elif words := _next_turn_words(state, me):
            st.markdown(words)
        _draw_skip(state, me)


def _awaited_seat(state: State, me: Me) -> str:
    """The only seat that the debate waits for, if it is not this person's; else empty."""
    if state.paused is not None or state.outcome is not None:
        return ""
    match [*next_requests(state)]:
        case [seat] if seat not in me.answers_for and not stage.compared_by_all(state, seat):
            return seat
        case _:
            return ""


def _next_turn_words(state: State, me: Me) -> str:
    """The turn that comes next; empty where the desk below asks this person for a choice."""
    if state.paused is not None or state.outcome is not None:
        return ""
    asked = [*next_requests(state)]
    if not asked:
        return ""
    mine = [seat for seat in asked if seat in me.answers_for]
    if mine and state.open is not None:
        phase = safe_line(named(state.open.slot.phase.name))
        return _("Next: **your turn** as {seat} · {phase}", seat=safe_id(mine[0]), phase=phase)
    if words := comparing_words(state):
        return words
    return _("Next: waiting for {seats}", seats=spoken_list([safe_id(seat) for seat in asked]))


def _draw_quick_actions(state: State, me: Me) -> None:
    """Draw what can be done meanwhile with one press: pause, one more minute, a quick poll."""
    pulse = pulse_due(state)
    runs = state.outcome is None and state.room.begun and state.paused is None
    with st.container(horizontal=True, gap="small"):
        if runs:
            pause_button(state, me)
        if runs and stage.deadline(state) is not None:
            act_button(
                state,
                me,
                _("1 minute more"),
                Extended(seconds=60, reason=MINUTE),
                key="minute",
                icon=":material/more_time:",
                shortcut=single_keys.single_key(state, me, "e"),
            )
        if me.facilitator and pulse:
            words = capitalized(named(poll_name(pulse)))
            act_button(state, me, words, PollOpened(poll=pulse), key="pulse", icon=":material/vital_signs:")
    _draw_pause_reason(state)


def _draw_skip(state: State, me: Me) -> None:
    """Draw the fold in which an open turn is skipped for a reason; nothing while no seat is asked."""
    asked = next_requests(state)
    if state.outcome is not None or not state.room.begun or not asked:
        return
    with st.popover(_("Skip a turn"), icon=":material/skip_next:", key="skip-a-turn"):
        why = Reasoned(state, me, "skip")
        why.field()
        skip_turn(why, asked)
        st.caption(_("A skipped turn counts as an abstention."))


def _draw_reminder(state: State, me: Me) -> None:  # noqa: ARG001
    """Draw a text to copy for those who have not voted yet; nothing without an open vote."""
    found = turnout(state)
    if stage.open_poll(state) is None or found is None or not found.missing:
        return
    with st.popover(_("Remind who is missing"), icon=":material/notifications:", key="remind-voters"):
        text = _(
            "{names}: please vote now. {question} {link}",
            names=", ".join(person.name for person in found.missing),
            question=line(state.spec.question),
            link=f"{links.address().url}/room?id={state.debate}",
        )
        _draw_text_to_send(text)


def _draw_text_to_send(text: str) -> None:
    st.caption(_("Copy this into your chat. The link opens on the device on which they joined."))
    st.code(text, language=None, wrap_lines=True)


def _draw_pause_reason(state: State) -> None:
    # Where no seat answers, the reason is above, with the ways on.
    if state.paused is not None and not stage.waits_as_agreed(state) and not stage.unreached(state):
        st.caption(_("Paused: {paused}", paused=safe_line(recorded(state.paused))))


def _draw_step(state: State, me: Me, step: Step) -> None:
    """Draw the one primary button; a moderator sees the name of a step that only the facilitator can take."""
    if step.command is None:
        _draw_ways_on(state, me, step)
        return
    act = step.act
    if act is not None and not me.facilitator:
        st.caption(_("Next, by the facilitator: “{words}”.", words=capitalized(said(step.words))))
        return
    words = onward(state, step)
    if words:
        _step_button(state, me, step, words, _take_steps)
        _step_button(state, me, step, alone(state, step), _take_step, key="next-alone")
    else:
        _step_button(state, me, step, step.words, _take_step)
    if isinstance(act, PollOpened) and state.outcome is None:
        command_button(state, me, _("Skip the pre-vote"), Resume, key="begin", type="tertiary")


def _draw_ways_on(state: State, me: Me, step: Step) -> None:
    """Draw the request for the signature, or the decision record once it is signed, and the way to the decision."""
    is_taken = stage.signature(state) is not None and _draw_record(state)
    _draw_request(state, me)
    key = single_keys.single_key(state, me, "n")
    label = capitalized(said(step.words))
    waits = state.spec.has_people and stage.signature(state) is None
    look: Literal["primary", "secondary"] = "secondary" if is_taken or waits else "primary"
    if pressed(label, key="to-decision", type=look, icon=":material/gavel:", shortcut=key):
        session.open_page("results.py", state.debate)


def _step_button(
    state: State, me: Me, step: Step, words: str, take: Callable[[str, Me, Step], object], *, key: str = ""
) -> None:
    """Draw the primary button of a step, or with a `key` the secondary one for this step alone."""
    act = step.act
    anyway = _("Close anyway") if isinstance(act, PollClosed) else _("Go on anyway")
    is_first = not key
    is_open = turnout(state) is not None and not (is_complete(state) or _is_over_time(state))
    waits = is_open
    confirm_button(
        state,
        capitalized(said(words)),
        key=key or _step_key(state, step),
        missing=lambda: missing_sentence(session.host().state(state.debate), act),
        anyway=anyway,
        press=partial(take, state.debate, me, step),
        shortcut=single_keys.single_key(state, me, "n") if is_first else None,
        is_first=is_first,
        waits=waits,
    )


def _is_over_time(state: State) -> bool:
    ends = stage.deadline(state)
    return ends is not None and ends <= datetime.now(UTC)


def _step_key(state: State, step: Step) -> str:
    """A separate key for each of the first steps, so that a click on one never counts for another."""
    act = step.act
    if isinstance(act, TextsShown):
        return f"show-{act.step}"
    if state.room.begun or state.outcome is not None:
        return "next"
    if isinstance(step.command, Resume):
        return "begin"
    if isinstance(act, PreparationBegun):
        return f"open-{act.step}"
    return "next" if "pre" in state.room.polls else "open-pre"


def _take_step(debate: str, me: Me, step: Step) -> bool:
    """Take a step only if it still is the next one: if two people press at once, the debate moves once.

    Returns True if it was taken.
    """
    if next_step(session.host().state(debate), me.actor) != step or step.command is None:
        session.set_problem(_(TOO_LATE))
        return False
    return session.give(debate, me, partial(_command_by, step.command))


def _command_by(command: AnyCommand, by: str) -> AnyCommand:
    return command.model_copy(update={"by": by})


def _take_steps(debate: str, me: Me, step: Step) -> None:
    """Close a poll and take the steps that follow from it; each is an act in the record."""
    act = step.act
    if not _take_step(debate, me, step) or not isinstance(act, PollClosed):
        return
    while (following := follows(session.host().state(debate), act.poll, me.actor)) and following.command is not None:
        if not session.give(debate, me, partial(_command_by, following.command)):
            return


def _draw_request(state: State, me: Me) -> None:
    """Draw for the facilitator a text that asks the approvers to sign; nothing without one, and once it is signed."""
    names = approvers(state)
    if not (me.facilitator and names) or stage.signature(state) is not None or stage.final_decision(state).pending:
        return
    asked, to = safe_label(spoken_list(names)), ", ".join(names)
    about = f"{line(state.spec.question)} {links.address().url}/results?id={state.debate}"
    if stage.final_decision(state).option is None:
        label = _("Ask {names} to decide", names=asked)
        text = _("{names}: the vote decided nothing, please decide. {about}", names=to, about=about)
    else:
        label = _("Ask {names} to sign", names=asked)
        text = _("{names}: please sign the decision. {about}", names=to, about=about)
    with st.popover(label, icon=":material/draw:", type="primary", key="ask-to-sign"):
        _draw_text_to_send(text)


def _draw_signing(state: State, me: Me) -> None:
    """Draw the choice of a signer if there is none; after the signature, the next steps."""
    if not me.facilitator or state.outcome is None or stage.final_decision(state).pending:
        return
    if stage.signature(state) is not None:
        _draw_what_is_left(state)
    elif not approvers(state):
        _draw_voters(state, me)


def _draw_what_is_left(state: State) -> None:
    """Draw what remains to be done after the signature, as far as the signature says it."""
    account = accounts.mine(state)
    signed = account.decision.signed
    if signed is None:
        return
    word = signed.word
    left = [
        _("{owner} carries the decision out.", owner=word.owner)
        if word.owner
        else _("Agree on who carries the decision out: the signature names no owner."),
        _("Review: {when}.", when=spell_days(word.revisit))
        if word.revisit
        else _("Agree on a date for a review: the signature names none."),
        _("Record how it turned out, under “Later: the outcome”."),
    ]
    st.markdown(_("**Next steps**"))
    _draw_news(account)
    st.markdown("\n".join(f"- {safe_line(line)}" for line in left))


def _draw_news(account: Account) -> None:
    """Draw a text to copy about the decision, for the people named in the signature or for everyone."""
    signed, state = account.decision.signed, account.state
    people = ", ".join(signed.word.informed) if signed else ""
    status = decision_status(account)
    text = _(
        "{status}: {decision}. {question} {link}",
        status=status.status,
        decision=line(status.headline),
        question=line(state.spec.question),
        link=f"{links.address().url}/results?id={state.debate}",
    )
    label = _("Send it to {people}", people=safe_label(people)) if people else _("Send it to everyone")
    with st.popover(label, icon=":material/send:", key="send-decision"):
        _draw_text_to_send(text)


def _draw_record(state: State) -> bool:
    """Draw the download of the decision record; return False if this person may not have it."""
    account = accounts.mine(state)
    if sealed_here(account) or account.hides_turns:
        return False
    record = decision_record(accounts.public(account), signing_key=session.host().signing_key(state.debate))
    st.download_button(
        _("Download the decision record"),
        record.text.encode(),
        record.name,
        "text/markdown",
        key="take-record",
        type="primary",
        icon=":material/download:",
        on_click="ignore",
    )
    return True


def _draw_voters(state: State, me: Me) -> None:
    voters = {person.id: person.name for person in stage.present(state) if person.role == "voter"}
    if not voters or len(voters) > MAX_PILLS:
        st.caption(_("No one here may sign. Give someone the role of approver under “Change or remove people”."))
        return
    st.pills(
        _("Who signs the decision?"),
        list(voters),
        key=_SIGNER,
        format_func=lambda person: f":gray[{safe_label(voters[person], max_chars=40)}]",
        on_change=_make_approver,
        args=(state, me),
        help=_("They become approver, keep their vote, and sign on their own screen."),
    )


def _has_approver(state: State) -> bool:
    return any(person.role == "approver" for person in stage.present(state))


def _make_approver(state: State, me: Me) -> None:
    # A browser may send the field once more after it has gone: one choice is one act.
    now = session.host().state(state.debate)
    if stage.signature(now) is not None or _has_approver(now):
        return
    person = stage.person(now, st.session_state.get(_SIGNER) or "")
    if person is not None:
        changed = person.model_copy(update={"role": "approver"})
        session.act(state, me, PersonChanged(person=changed, reason="signs the decision"))


def _draw_waiting(state: State, me: Me) -> None:
    if state.paused is not None or state.outcome is not None or _awaited_seat(state, me):
        return
    # A seat may be asked for several turns at once.
    for seat in next_requests(state):
        # The next step says who compares.
        if not stage.compared_by_all(state, seat):
            _draw_waiting_seat(state, me, seat)


def _draw_shares(state: State, me: Me) -> None:  # noqa: ARG001
    # Comparisons hardly have words.
    if state.outcome is not None or state.spec.protocol.paired:
        return
    if words := people_shares_sentence(accounts.mine(state)):
        st.caption(safe_text(words))


def _draw_waiting_seat(state: State, me: Me, seat_id: str) -> None:
    seat = safe_id(seat_id)
    if not by_people(state, seat_id):
        occupant = state.spec.seat(seat_id).occupant
        words = _("the evidence panel") if occupant == "offline" else _("a {occupant} seat", occupant=occupant)
        st.caption(_("Waiting for **{seat}**: {words}", seat=seat, words=words))
        return
    people = stage.speaks_for(state, seat_id)
    names = ", ".join(safe_line(state.room.people[i].name, max_chars=40) for i in people)
    reminded = ""
    if times := len(brief.reminders(state, seat_id)):
        reminded = _n(times, " · reminded once", " · reminded {n} times")
    with st.container(horizontal=True, vertical_alignment="center", gap="small", width="content"):
        who = names or _("no one has this seat yet")
        st.markdown(_("Waiting for **{seat}**: {names}{reminded}", seat=seat, names=who, reminded=reminded))
        if names and me.actor not in people:
            remind = Poked(seat=seat_id)
            key = f"remind {seat_id}"
            act_button(state, me, _("Remind {seat}", seat=seat), remind, key=key, icon=":material/notifications:")


def _draw_course(state: State, me: Me) -> None:
    """Draw more time, fewer or more rounds, and stop, each with a reason; nothing unless rounds run."""
    if state.outcome is not None or not state.room.begun:
        return
    with st.expander(_("Time, rounds, stop"), icon=":material/tune:", key="course", type="compact"):
        why = Reasoned(state, me, "course", _("Reason for the change of course"))
        why.field()
        with st.container(horizontal=True, gap="small"):
            _draw_time(state, why)
        if me.facilitator:
            why.button(_("Stop the debate"), "stop", Stop, icon=":material/stop:")
        st.caption(_("When the time is over, nothing happens automatically."))


def _draw_time(state: State, why: Reasoned) -> None:
    if stage.deadline(state) is not None:
        for minutes in (2, 5):
            longer = partial(Extended, seconds=minutes * 60)
            why.act(_("{minutes} minutes more", minutes=minutes), f"extend-{minutes}", longer)
    if validate_actions.fault(state, Extended(rounds=1, reason="?"), why.me.actor) is None:
        why.act(_("Add a round"), "round", partial(Extended, rounds=1))
    if validate_actions.fault(state, LastRound(reason="?"), why.me.actor) is None:
        if evidence.winner_rests_on(state):
            st.warning(_("The leading option {rests}. Make this the last round anyway?", rests=RESTS))
        why.act(_("Make this the last round"), "last", LastRound)
