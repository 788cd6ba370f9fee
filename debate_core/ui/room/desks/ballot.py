"""The ballot of whoever has a vote while a poll is open, and for everybody how far the polls are.

Before the reveal only how many are in is shown, to the facilitator too. Options stand in an order drawn for each
voter. Knows no rules: the engine counts and refuses.
"""

from collections.abc import Collection, Sequence

import streamlit as st

from debate_core.engine.count.ballots import ballot_words
from debate_core.engine.judge_view import may_see_result, option_order
from debate_core.engine.stage import open_poll, receipt
from debate_core.errors import BadReply
from debate_core.language import _, message
from debate_core.record.acts import BallotCast
from debate_core.record.people import Done, PollState
from debate_core.record.state import State
from debate_core.report.facts.people_marks import marking_progress
from debate_core.report.facts.polls import poll_progress, revealed_results
from debate_core.report.facts.terms import named
from debate_core.report.facts.vote_bars import VoteBars, letters, vote_bars
from debate_core.report.words.decision_status import decision_status
from debate_core.report.words.polls import deciding_words, progress_words, result_words, vote_rule_words
from debate_core.spec.people import Person, Room, poll_name, poll_words
from debate_core.spec.rules import ballot_kind
from debate_core.spec.values import ABSTAIN, Given
from debate_core.text import capitalized
from debate_core.ui.kit import accounts, offline, session
from debate_core.ui.kit.drafts import FormDraft
from debate_core.ui.kit.face import parts
from debate_core.ui.kit.failures import UNSAVED, UNSAVED_CHANGE
from debate_core.ui.kit.session import Me
from debate_core.ui.kit.text import safe_line
from debate_core.ui.room.live.component import polled
from debate_core.ui.room.live.contents import option_colour
from debate_core.ui.turn.ballot import ballot_fields, ballot_of

MAX_REASON_CHARS = 240
BADGE_COLOURS = ("blue", "orange", "green", "violet", "yellow", "gray")
_SURE = (message("not said"), *(f"{percent} %" for percent in range(0, 101, 10)))
# A row of 56 px is hit without looking twice. The radio buttons stay those of the browser, for keys and screen readers.
_THUMB = """<style>
.st-key-ballot { gap: 0.6rem; }
.st-key-ballot [data-testid="stRadio"], .st-key-ballot [data-testid="stRadioGroup"] > div { width: 100%; }
.st-key-ballot [data-testid="stRadioGroup"] { flex-direction: column; align-items: stretch; gap: 8px; }
.st-key-ballot [data-testid="stRadioOption"] {
  display: flex; align-items: center; width: 100%; min-height: 56px; padding: 6px 14px;
  border: 1.5px solid color-mix(in srgb, currentColor 48%, transparent); border-radius: 12px; }
.st-key-ballot [data-testid="stRadioOption"]:has(:checked) {
  border-color: currentColor; box-shadow: inset 0 0 0 1px currentColor; }
.st-key-ballot [data-testid="stRadioOption"]:has(:focus-visible) {
  outline: 2px solid currentColor; outline-offset: 2px; }
.st-key-ballot [data-testid="stRadioOption"] p { font-size: 1.05rem; font-weight: 600; }
.st-key-ballot [data-testid="stRadioOption"] .stMarkdownBadge { margin-right: 6px; padding: 2px 8px; font-weight: 700; }
.st-key-ballot [data-testid="stRadioOption"] > div > div:first-child {
  box-shadow: 0 0 0 1.5px color-mix(in srgb, currentColor 48%, transparent); }
.st-key-ballot [data-testid="stSliderThumbValue"] { color: inherit; }
.st-key-ballot [data-testid="stCheckbox"] label { min-height: 44px; align-items: center; }
.st-key-ballot button { min-height: 44px; }
.st-key-ballot [data-testid="stButton"] button { min-height: 52px; }
.st-key-ballot :has(> .st-key-cast-in-reach) {
  position: sticky; bottom: max(8px, env(safe-area-inset-bottom)); z-index: 2; }
</style>"""


def show(state: State, me: Me) -> None:
    """My ballot while a poll is open; else where the polls stand."""
    if not state.spec.has_people:
        return
    terms = state.spec.terms
    poll = open_poll(state)
    if poll is None:
        _waiting(state, terms, me)
    elif me.person is not None and me.has_vote:
        with st.container(border=True, key="ballot"):
            st.html(_THUMB)
            _ballot(state, terms, me, me.person, poll)
    else:
        _in(state, poll)
    _revealed(state, me)


def _in(state: State, poll: PollState) -> None:
    """All that anybody may know of an open poll."""
    st.markdown(_("**{poll} is open**", poll=capitalized(named(poll_words(poll.id)))))
    polled(state)
    st.caption(_("Sealed: who votes how is shown to nobody before the reveal."))


def _waiting(state: State, terms: Room, me: Me) -> None:
    for poll in state.room.polls.values():
        if not poll.revealed:
            words = f"{named(poll_words(poll.id))}; {progress_words(poll_progress(state, poll.id))}"
            late = _(" until the final vote is closed") if _kept_to_the_end(state, terms, poll) else ""
            st.caption(_("Closed: {words}. Its ballots stay sealed{late}.", words=words, late=late))
    # One thing at a time: who is asked for marks is not told what else is to come.
    if me.has_vote and marking_progress(state) is None and _more_to_come(state, terms):
        st.caption(_("No vote is open. Your ballot will appear here."))


def _kept_to_the_end(state: State, terms: Room, poll: PollState) -> bool:
    if poll.id != "pre" or terms.pre_vote != "shown_at_end" or terms.final_vote != "asked":
        return False
    final = state.room.polls.get("final")
    return final is None or final.closed is None


def _more_to_come(state: State, terms: Room) -> bool:
    return state.outcome is None or (terms.final_vote == "asked" and "final" not in state.room.polls)


def _revealed(state: State, me: Me) -> None:
    """The poll that was revealed last, drawn and in words; for a judge, once their own word is given."""
    if me.person is not None and not may_see_result(state, me.person.id):
        return
    results = [*revealed_results(state)]
    if not results:
        return
    last = results[-1][0]
    told = {result.electorate: result_words(state, poll, result) for poll, result in results if poll.id == last.id}
    if last.id == "final":
        # The seats gave their ballots in the debate: their advice stands beside the vote that ends it.
        _final_vote(state, me, last, _shown_bars(state, {*told, "debaters"}))
    else:
        for label, option, _beside in _mine(state, me, last):
            st.markdown(f"{label}: **{safe_line(option)}**")
        _draw(_shown_bars(state, told), last)
    with st.expander(_("The count in words"), icon=":material/functions:", key="count-in-words"):
        for electorate, words in told.items():
            st.markdown(f"**{capitalized(named(electorate))}**: {safe_line(words)}")
        if last.id == "final":
            st.markdown(safe_line(deciding_words(state)))


def _shown_bars(state: State, voters: Collection[str]) -> list[VoteBars]:
    return [bars for bars in vote_bars(accounts.mine(state)) if bars.voters in voters and not bars.is_sealed]


def _final_vote(state: State, me: Me, poll: PollState, shown: Sequence[VoteBars]) -> None:
    """The decision with the votes that made it; below it what is advice."""
    status = decision_status(accounts.mine(state))
    decided = next((bars for bars in shown if bars.decides), None)
    facts = [(status.decider.label, status.decider.who, status.decider.beside), *_mine(state, me, poll)]
    parts.draw_hero(status, decided, facts, when="", key="decision-hero")
    _draw([bars for bars in shown if not bars.decides], poll)


def _draw(shown: Sequence[VoteBars], poll: PollState) -> None:
    for bars in shown:
        title = None if bars.are_of_seats else _title(bars.voters, poll)
        parts.draw_votes(bars, key=f"revealed-{bars.voters}", title=title, reveals=True)


def _title(electorate: str, poll: PollState) -> str:
    return f"{capitalized(named(electorate))}, {named(poll_name(poll.id))}"


def _mine(state: State, me: Me, poll: PollState) -> list[tuple[str, str, str]]:
    """My own vote beside the result, and the one before the debate."""
    if me.person is None:
        return []
    rows = []
    ballot = poll.ballots.get(me.person.id)
    if ballot is not None:
        rows.append((_("Your vote"), _ballot_said(state, ballot.fact), ""))
    before = state.room.polls.get("pre")
    if before is not None and before is not poll and me.person.id in before.ballots:
        rows.append((_("Before"), _ballot_said(state, before.ballots[me.person.id].fact), ""))
    return rows


def _ballot_said(state: State, fact: BallotCast) -> str:
    if fact.given:
        return ballot_words(ballot_kind(state.spec.terms.vote), fact.given)
    return fact.choice or ""


def _said(state: State, mine: Done[BallotCast]) -> str:
    """What a ballot says, with the mark of its option."""
    words = _ballot_said(state, mine.fact)
    return f"{option_marks(state).get(words, '')} {safe_line(words)}".lstrip()


def option_marks(state: State) -> dict[str, str]:
    """Option -> its letter in its colour, as Markdown."""
    return {
        option: f":{option_colour(state, option)}-badge[{letter}]"
        for option, letter in letters(state.spec.options).items()
        if letter and option_colour(state, option) in BADGE_COLOURS
    }


# --- the ballot


def _ballot(state: State, terms: Room, me: Me, person: Person, poll: PollState) -> None:
    name = named(poll_name(poll.id))
    mine = poll.ballots.get(person.id)
    unsaved = UNSAVED if mine is None else UNSAVED_CHANGE
    draft = FormDraft(f"{state.debate}/{person.id}/poll-{poll.id}", state.debate, me, unsaved)
    st.markdown(_("**Your ballot: {name}**", name=name) if mine is None else _("### Your vote is in"))
    polled(state, ring=mine is not None)
    offline.mark_ballot(mine.at if mine else "")
    if mine is not None:
        _voted(state, mine)
        with st.expander(_("Change my vote"), icon=":material/edit:", key=draft.place("again")):
            _fields(state, terms, me, person, poll, draft)
    else:
        _fields(state, terms, me, person, poll, draft)
    session.show_problem()


def _voted(state: State, mine: Done[BallotCast]) -> None:
    st.markdown(_("You: **{said}** · Receipt: **{receipt}**", said=_said(state, mine), receipt=receipt(mine.hash)))
    st.caption(
        _(
            "Keep the receipt: after the reveal the list of ballots shows yours under it, and not under your "
            "name. A changed ballot has a new one. The whole record of the debate keeps who cast which "
            "ballot."
        )
    )


def _fields(state: State, terms: Room, me: Me, person: Person, poll: PollState, draft: FormDraft) -> None:
    options = option_order(state, person.id)
    of_letter = letters(state.spec.options)
    marks = option_marks(state)
    # In a place of its own: the reasons that a ballot asks for move no reason below it that somebody is writing.
    with st.container():
        ballot_fields(
            draft, terms.vote, options, state.spec.drivers, label=_("Your vote"), of_letter=of_letter, marks=marks
        )
    st.select_slider(_("How sure are you?"), _SURE, format_func=_, **draft.step_of("confidence", _SURE))
    with st.expander(_("Say why"), icon=":material/notes:", key=draft.place("reason")):
        st.text_input(_("Why, in one line (may stay empty)"), max_chars=MAX_REASON_CHARS, **draft.value("why"))
    with st.container(key="cast-in-reach"):
        st.button(
            _("Cast my vote"),
            key=f"{draft.name}:cast",
            type="primary",
            icon=":material/how_to_vote:",
            width="stretch",
            on_click=_cast,
            args=(state, me, poll, draft, options),
        )
    what_happens = _what_happens(terms, person, poll)
    st.caption(_("{what_happens} Options are in random order.", what_happens=what_happens))


def _what_happens(terms: Room, person: Person, poll: PollState) -> str:
    if poll.id != "final":
        return _("Nobody can read it before the reveal. It shows where people stand now, and decides nothing.")
    weight = _(" It weighs {weight}.", weight=person.weight) if person.weight != 1 else ""
    counts = _("decides") if terms.decides == person.electorate else _("is advice")
    rule = _(
        "{rule} The vote of the {electorate} {counts}.{weight}",
        rule=vote_rule_words(terms.vote),
        electorate=named(person.electorate or "room"),
        counts=counts,
        weight=weight,
    )
    return _("Nobody can read it before the reveal. {rule}", rule=rule)


def _cast(state: State, me: Me, poll: PollState, draft: FormDraft, options: tuple[str, ...]) -> None:
    try:
        fields = ballot_of(draft, state.spec.terms.vote, options, state.spec.drivers)
    except BadReply as error:
        session.set_problem(error)
        return
    choice = fields.get("vote")
    percent = draft.text("confidence").removesuffix(" %")
    says_how_sure = percent.isdecimal() and choice != ABSTAIN
    ballot = BallotCast(
        poll=poll.id,
        choice=choice,
        given=tuple(Given(**part) for part in fields.get("ballot", ())),
        confidence=int(percent) if says_how_sure else None,
        reason=draft.text("why"),
    )
    if session.act(state, me, ballot):
        # On a phone the button stands far below the words that say so.
        session.tell(_("Your vote is in"))
        draft.drop()
