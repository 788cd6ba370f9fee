"""The ballot of a person with a vote while a poll is open, and the progress of the polls for everyone.

Before the reveal only the number of ballots is shown, to the facilitator too. Options are in an order drawn for each
voter. Knows no rules: the engine counts and refuses.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial

import streamlit as st

from debate_core.engine.count.ballots import ballot_words
from debate_core.engine.crux import may_answer
from debate_core.engine.judge_view import option_order
from debate_core.engine.stage import electors, open_poll, receipt, stage
from debate_core.errors import BadReply
from debate_core.language import Words, _, message
from debate_core.record.acts import BallotCast, ExpectedVotes
from debate_core.record.people import Done, PollState
from debate_core.record.state import State
from debate_core.report.facts.people_marks import marking_progress
from debate_core.report.facts.polls import poll_progress, revealed_results
from debate_core.report.facts.terms import named
from debate_core.report.facts.vote_bars import VoteBars, letters, vote_bars
from debate_core.report.phrases.decision_status import decision_status
from debate_core.report.phrases.polls import deciding_words, progress_words, result_words, vote_rule_words
from debate_core.report.phrases.voters import NAMES
from debate_core.spec.people import LEADS, Electorate, Person, Readers, Room, poll_name, poll_words
from debate_core.spec.rules import ballot_kind
from debate_core.spec.values import ABSTAIN, Given
from debate_core.text import capitalized
from debate_core.ui.kit import accounts, offline, session
from debate_core.ui.kit.components import parts
from debate_core.ui.kit.drafts import FormDraft, Plain
from debate_core.ui.kit.failures import UNSAVED, UNSAVED_CHANGE
from debate_core.ui.kit.session import Me
from debate_core.ui.kit.text import safe_line
from debate_core.ui.results import overview
from debate_core.ui.room import turnout, voter_shell
from debate_core.ui.room.live.component import polled
from debate_core.ui.room.live.contents import option_colour
from debate_core.ui.room.role_panels import crux, guess
from debate_core.ui.turn.ballot import ballot_fields, ballot_of, fields_of, missing_rows
from debate_core.ui.turn.fields import Fields

MAX_REASON_CHARS = 240
_READERS: Words[Readers] = Words(
    {
        "members": "everyone in this debate",
        "link": "everyone in this debate or with its link",
        "hosts": "everyone in this debate and the hosts of this server",
    }
)
NO_VOTE_OPEN = message("No vote is open. Your ballot will appear here.")
_CAST_HERE = "cast_here"
"""In the session state: the hash of the ballot that this window has cast last."""
BADGE_COLOURS = ("blue", "orange", "green", "violet", "yellow", "gray")
# Rows of 56 px are easy to hit. The radio buttons stay those of the browser, for keys and screen readers.
_THUMB = """<style>
.st-key-ballot { gap: 0.6rem; }
.st-key-ballot [data-testid="stRadio"] > [data-testid="stWidgetLabel"] { position: absolute; clip-path: inset(50%); }
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
.st-key-ballot [data-testid="stRadioOption"] p:has(.stMarkdownBadge) {
  display: grid; grid-template-columns: auto 1fr; align-items: center; line-height: 1.25; }
.st-key-ballot [data-testid="stRadioOption"] p > span:not(.stMarkdownBadge) { grid-column: 2; font-weight: 400; }
.st-key-ballot [data-testid="stRadioOption"] .stMarkdownBadge { margin-right: 6px; padding: 2px 8px; font-weight: 700; }
.st-key-ballot [data-testid="stRadioOption"] > div > div:first-child {
  box-shadow: 0 0 0 1.5px color-mix(in srgb, currentColor 48%, transparent); }
.st-key-ballot [data-testid="stSliderThumbValue"] { color: inherit; }
.st-key-ballot [data-testid="stCheckbox"] label { min-height: 44px; align-items: center; }
.st-key-ballot button { min-height: 44px; }
.st-key-ballot h3 { padding-bottom: 0.75rem; }
.st-key-ballot [data-testid="stMarkdownContainer"]:has(h3) { margin-bottom: 0; }
.st-key-ballot [data-testid="stButton"] button { min-height: 52px; }
.st-key-cast-in-reach { gap: 6px; }
/* Filled once something is chosen. */
.st-key-ballot:has([data-testid="stRadio"]):not(:has([data-testid="stRadio"] :checked))
  [data-testid="stBaseButton-primary"] { color: inherit; background: var(--st-background-color, Canvas);
  border-color: color-mix(in srgb, currentColor 48%, transparent); }
.st-key-cast-in-reach [data-testid="stAlert"] { max-height: 40vh; overflow-y: auto; }
.st-key-ballot :has(> .st-key-cast-in-reach) {
  position: sticky; bottom: max(8px, env(safe-area-inset-bottom)); z-index: 2; }
</style>"""


def shows_decision(state: State, me: Me) -> bool:
    """True if the vote that decides is revealed to this person, so that the ballot's place has the decision."""
    results = [*revealed_results(state)]
    return bool(results) and results[-1][0].id == "final" and session.may_see_result(state, me)


def draw_ballot(state: State, me: Me) -> None:
    """Draw my ballot while a poll is open, else the closed polls. Those who lead read the turnout elsewhere."""
    if not state.spec.has_people:
        return
    poll = open_poll(state)
    if poll is None and me.person is not None and may_answer(state, me.person.id):
        with st.container(border=True, key="ballot"):
            st.html(_THUMB)
            crux.draw_suppositions(state, me, me.person)
    if poll is None:
        if _listens(state):
            _draw_listening(state, me)
        else:
            _draw_closed_polls(state, me)
    elif me.person is not None and me.has_vote:
        with st.container(border=True, key="ballot"):
            st.html(_THUMB)
            _draw_own_ballot(state, me, me.person, poll)
    elif me.role in ("voter", "observer"):
        st.markdown(_("**{poll} is open**", poll=capitalized(named(poll_words(poll.id)))))
        polled(state)
        st.caption(_secret_words(state))


def draw_votes_before(state: State, me: Me) -> None:
    """Draw the closed polls beside the running debate, which comes first on a phone."""
    if _listens(state) and open_poll(state) is None:
        _draw_closed_polls(state, me)


def _draw_listening(state: State, me: Me) -> None:
    """Say to a voter without another part what they can do while the seats speak, and their next vote."""
    if voter_shell.only_votes(state, me) and _votes_later(state, me):
        is_final_next = state.spec.terms.final_vote == "asked"
        following = _("Next for you: the final vote.") if is_final_next else _("Your ballot will appear here.")
        st.markdown(_("**Listen**, or ask the seats a question. {following}", following=following))


def _listens(state: State) -> bool:
    return state.room.begun and state.outcome is None


def _draw_closed_polls(state: State, me: Me) -> None:
    """Draw the closed polls; not for people with another task, who read the poll in the status."""
    reads_turnout = me.role in LEADS and turnout.has_one(state)
    if reads_turnout or not (me.has_vote or me.role in ("voter", "observer")):
        return
    closed = [poll for poll in reversed([*state.room.polls.values()]) if not poll.revealed]
    if not closed:
        _draw_no_vote_open(state, me)
        return
    with st.container(border=me.has_vote and me.role not in LEADS, key="closed-polls", gap="small"):
        _draw_closed(state, me, closed)


def _draw_closed(state: State, me: Me, closed: Sequence[PollState]) -> None:
    if me.person is not None and me.role not in LEADS and closed[0].id == "final":
        st.header(_("Look at the wall"), anchor=False)
        st.markdown(_("After the reveal the result is here, too."))
        _draw_receipts(state, me, me.person, closed)
    else:
        _draw_no_vote_open(state, me)
        for poll in closed:
            _draw_closed_vote(state, me, poll, closed[0])
    if me.person is None or me.person.id not in closed[0].ballots:
        _draw_closed_poll(state, closed[0])


def _draw_receipts(state: State, me: Me, person: Person, closed: Sequence[PollState]) -> None:
    """Draw my votes with their receipts in a fold; a vote that is missing is said above it."""
    for poll in closed:
        if person.id not in poll.ballots:
            _draw_closed_vote(state, me, poll, closed[0])
    mine = [poll for poll in closed if person.id in poll.ballots]
    if mine:
        with st.expander(
            _("Your votes and receipts"), icon=":material/receipt_long:", key="own-receipts", type="compact"
        ):
            for poll in mine:
                _draw_closed_vote(state, me, poll, closed[0])


def _draw_no_vote_open(state: State, me: Me) -> None:
    """Say so to a voter who votes later; those who only vote read it above the debate."""
    is_above = _listens(state) and voter_shell.only_votes(state, me)
    if _votes_later(state, me) and not is_above:
        st.markdown(_(NO_VOTE_OPEN))


def _votes_later(state: State, me: Me) -> bool:
    return me.has_vote and _has_later_vote(state) and not _reads_it_elsewhere(state, me)


def _reads_it_elsewhere(state: State, me: Me) -> bool:
    """True while people mark passages (one thing at a time), and in the lobby for those who read its card."""
    return marking_progress(state) is not None or (stage(state) == "lobby" and me.role not in LEADS)


def _draw_closed_poll(state: State, poll: PollState) -> None:
    words = _(
        "{poll} is closed; {progress}",
        poll=named(poll_words(poll.id)),
        progress=progress_words(poll_progress(state, poll.id)),
    )
    st.caption(_("{words}. Its ballots stay sealed until they are revealed.", words=capitalized(words)))


def _has_later_vote(state: State) -> bool:
    terms = state.spec.terms
    if terms.final_vote == "asked" and "final" not in state.room.polls:
        return True
    is_compared = state.spec.protocol.paired and (terms.pre_vote, terms.final_vote) == ("none", "none")
    return state.outcome is None and not is_compared


def _draw_closed_vote(state: State, me: Me, poll: PollState, closed: PollState) -> None:
    """Draw my vote in a closed poll until its reveal, so that no one has to remember whether it is in.

    `closed` is the latest closed poll; its number of ballots is drawn, too.
    """
    if me.person is None or me.person.electorate is None:
        return
    name = capitalized(named(poll_name(poll.id)))
    mine = poll.ballots.get(me.person.id)
    if me.person not in electors(state, poll, me.person.electorate):
        st.markdown(_("{poll}: it was closed before you came.", poll=name))
        return
    if mine is None:
        st.markdown(_("{poll}: you cast no vote.", poll=name))
        return
    said, code = safe_line(_vote_of(state, mine.fact)), receipt(mine.hash)
    small = [_("receipt {receipt} · sealed until the reveal", receipt=code)]
    if poll is closed and not (poll.id == "final" and state.spec.terms.decides == me.person.electorate):
        # The status at the top of the page has the number of ballots in the vote that decides.
        small.append(progress_words(poll_progress(state, poll.id)))
    st.markdown("  \n".join((f"{name}: **{said}**", *(f":small[:gray[{words}]]" for words in small))))


def _secret_words(state: State) -> str:
    """The one promise about names: when they are secret, and who can read them in the full record."""
    return _(
        "Secret until the reveal. Afterwards {readers} can read the names in the full record.",
        readers=_READERS[state.spec.terms.readers],
    )


def draw_revealed(state: State, me: Me) -> None:
    """Draw the poll that was revealed last, and its count in words; for a judge only after their own verdict."""
    if not session.may_see_result(state, me):
        return
    results = [*revealed_results(state)]
    if not results:
        return
    last = results[-1][0]
    words = {result.electorate: result_words(state, poll, result) for poll, result in results if poll.id == last.id}
    if last.id == "final":
        _draw_final_vote(state, me, last, _visible_bars(state, words))
    else:
        for label, option, code in _own_votes(state, me, last):
            st.markdown(f"{label}: **{safe_line(option)}**{f' · {code}' if code else ''}")
        _draw_bars(_visible_bars(state, words), last)
    with st.expander(_("The count in words"), icon=":material/functions:", key="count-in-words", type="compact"):
        _draw_count_in_words(state, last, words)


def _draw_count_in_words(state: State, poll: PollState, words: Mapping[Electorate, str]) -> None:
    if poll.id == "final":
        # The seats' ballots of the debate: the decision above names their advice.
        _draw_bars([bars for bars in _visible_bars(state, {*words, "debaters"}) if not bars.decides], poll)
    for electorate, sentence in words.items():
        st.markdown(f"**{capitalized(NAMES[electorate])}**: {safe_line(sentence)}")
    if poll.id == "final":
        st.markdown(safe_line(deciding_words(state)))


def _visible_bars(state: State, voters: Collection[str]) -> list[VoteBars]:
    return [bars for bars in vote_bars(accounts.mine(state)) if bars.voters in voters and not bars.is_sealed]


def _draw_final_vote(state: State, me: Me, poll: PollState, shown: Sequence[VoteBars]) -> None:
    account = accounts.mine(state)
    decided = next((bars for bars in shown if bars.decides), None)
    facts = [*overview.list_facts(account, _own_votes(state, me, poll))]
    reasons, others = [*overview.list_reason(account)], overview.list_minority(account)
    status = replace(decision_status(account), status="")
    parts.draw_hero(status, decided, facts, others, reasons=reasons, when="", key="decision-hero")


def _draw_bars(shown: Sequence[VoteBars], poll: PollState) -> None:
    for bars in shown:
        title = None if bars.are_of_seats else f"{capitalized(NAMES[bars.voters])}, {named(poll_name(poll.id))}"
        parts.draw_votes(bars, key=f"revealed-{bars.voters}", title=title, reveals=True)


def _own_votes(state: State, me: Me, poll: PollState) -> list[tuple[str, str, str]]:
    """Label, option and receipt of my vote in this poll, or that there is none, and of my vote before it."""
    if me.person is None:
        return []
    rows = []
    ballot = poll.ballots.get(me.person.id)
    if ballot or me.has_vote:
        given = _vote_of(state, ballot.fact) if ballot else _("none")
        rows.append((_("Your vote"), given, _receipt_words(state, me, poll)))
    before = state.room.polls.get("pre")
    if before is not None and before is not poll and me.person.id in before.ballots:
        first = _vote_of(state, before.ballots[me.person.id].fact)
        rows.append((_("Your vote before"), first, _receipt_words(state, me, before)))
    return rows


def _receipt_words(state: State, me: Me, poll: PollState) -> str:
    """The receipt of my ballot in a revealed poll, and whether it was left out; empty without a ballot."""
    ballot = poll.ballots.get(me.person.id) if me.person else None
    if ballot is None or me.person is None or me.person.electorate is None:
        return ""
    code = receipt(ballot.hash)
    if me.person.id in {elector.id for elector in electors(state, poll, me.person.electorate)}:
        return _("receipt {receipt}", receipt=code)
    return _("not counted, receipt {receipt}", receipt=code)


def _vote_of(state: State, fact: BallotCast) -> str:
    if fact.given:
        return ballot_words(ballot_kind(state.spec.terms.vote), fact.given)
    return fact.choice or ""


def option_marks(state: State) -> dict[str, str]:
    """The letter of each option in its colour, as Markdown."""
    colours = {option: option_colour(state, option) for option in state.spec.options}
    return {
        option: f":{colours[option] if colours[option] in BADGE_COLOURS else 'gray'}-badge[{letter}]"
        for option, letter in letters(state.spec.options).items()
        if letter
    }


def _draw_own_ballot(state: State, me: Me, person: Person, poll: PollState) -> None:
    name = named(poll_name(poll.id))
    mine = poll.ballots.get(person.id)
    place = f"{state.debate}/{person.id}/poll-{poll.id}"
    decides_nothing = "" if poll.id == "final" else _("This vote decides nothing.") + " "
    rule = decides_nothing + _("Secret until the reveal. You can change it until the vote closes.")
    offline.mark_ballot(mine.at if mine else "")
    if mine is None:
        draft = FormDraft(place, state.debate, me, UNSAVED)
        st.markdown(_("**Your ballot: {name}**", name=name))
        st.caption(rule)
        _draw_fields(state, me, person, poll, draft)
    else:
        draft = FormDraft(place, state.debate, me, UNSAVED_CHANGE, _sent_fields(state, person, mine.fact))
        st.markdown(_("### Your vote is in"))
        if st.session_state.get(_CAST_HERE) == mine.hash:
            # The button was far below this heading, which confirms the vote.
            parts.scroll_here(key=f"cast-{mine.hash}")
        # The status at the top of the page has the number of ballots.
        _draw_sent(state, person, mine.fact, receipt(mine.hash))
        st.caption(rule)
        with st.expander(_("Change my vote"), icon=":material/edit:", key=draft.place("again"), type="compact"):
            _draw_fields(state, me, person, poll, draft)
    session.show_problem()
    with st.expander(_("How it counts"), key=draft.place("counts"), type="compact"):
        drawn = _("The order of the options is drawn for each voter, so that the first one has no advantage.")
        for words in (*_what_counts(state.spec.terms, person, poll), _secret_words(state), drawn):
            st.markdown(f"- {words}")


def _sent_fields(state: State, person: Person, fact: BallotCast) -> Mapping[str, Plain]:
    """The fields of the form with this ballot, so that changing one answer keeps the others."""
    spec, options = state.spec, option_order(state, person.id)
    return {
        **fields_of(spec.terms.vote, options, spec.drivers, fact.choice, fact.given),
        **guess.fields_of(fact.expects),
        "confidence": None if fact.confidence is None else f"{fact.confidence} %",
        "why": fact.reason,
        "crux": fact.decided_by,
    }


def _draw_sent(state: State, person: Person, fact: BallotCast, code: str) -> None:
    """Draw a ballot that was cast, for checking: under weighted criteria a line with the points of each option."""
    marks = option_marks(state)
    if any(entry.driver for entry in fact.given):
        points = {(entry.option, entry.driver): str(entry.points) for entry in fact.given}
        for option in option_order(state, person.id):
            grades = (f"{safe_line(d.name)} **{points.get((option, d.name), '–')}**" for d in state.spec.drivers)
            st.markdown(f"{marks.get(option, '')} **{safe_line(option)}**  \n{' · '.join(grades)}")
        st.markdown(
            _(
                "{n} of {total} graded · Receipt: **{receipt}**",
                n=len(points),
                total=len(state.spec.options) * len(state.spec.drivers),
                receipt=code,
            )
        )
        return
    vote = _vote_of(state, fact)
    said = f"{marks.get(vote, '')} {safe_line(vote)}".lstrip()
    st.markdown(_("**{said}**  \nReceipt: **{receipt}**", said=said, receipt=code))


def _draw_fields(state: State, me: Me, person: Person, poll: PollState, draft: FormDraft) -> None:
    spec = state.spec
    options = option_order(state, person.id)
    # In a container, so that a reason field that a choice adds does not move a field that is being typed in.
    with st.container():
        ballot_fields(
            draft,
            state,
            spec.terms.vote,
            options,
            spec.drivers,
            label=_("Your vote"),
            marks=option_marks(state),
        )
    if poll.id == "final" and spec.terms.asks_crux:
        crux.draw_decisive_claim(state, draft)
    guess.draw_guess(state, person, poll, draft, options)
    sure = _confidence_steps(poll.ballots.get(person.id))
    with st.expander(_("Say why, and how sure you are (optional)"), icon=":material/notes:", key=draft.place("reason")):
        st.pills(_("How sure are you?"), sure, **draft.pill_of("confidence", sure))
        st.text_input(_("Why, in one line (may stay empty)"), max_chars=MAX_REASON_CHARS, **draft.value("why"))
    cast = partial(_cast, state, me, person, poll, draft, options)
    with st.container(key="cast-in-reach"):
        if asked := _open_question(state, draft, options):
            st.warning(safe_line(asked), icon=":material/edit_note:")
            # Another button than the first one, so that a double tap does not confirm.
            label = _("Cast it without them")
            st.button(label, key=f"{draft.name}:anyway", width="stretch", on_click=cast, kwargs={"despite": asked})
        st.button(
            _("Cast my vote"),
            key=f"{draft.name}:cast",
            type="primary",
            icon=":material/how_to_vote:",
            width="stretch",
            on_click=cast,
        )


def _confidence_steps(mine: Done[BallotCast] | None) -> tuple[str, ...]:
    """The answers: tens, and the confidence of my ballot, which another program may have cast."""
    given = mine.fact.confidence if mine else None
    percents = sorted({*range(0, 101, 10), *(() if given is None else (given,))})
    return tuple(f"{percent} %" for percent in percents)


def _what_counts(terms: Room, person: Person, poll: PollState) -> Iterator[str]:
    """The rule of the vote, and whether it decides."""
    if poll.id != "final":
        yield _("It shows what people think now and decides nothing.")
    else:
        weight = _(" Your ballot has weight {weight}.", weight=person.weight) if person.weight != 1 else ""
        counts = _("decides") if terms.decides == person.electorate else _("is advice")
        yield _(
            "{rule} The vote of the {electorate} {counts}.{weight}",
            rule=vote_rule_words(terms.vote),
            electorate=NAMES[person.electorate or "room"],
            counts=counts,
            weight=weight,
        )


def _question_key(draft: FormDraft) -> str:
    return f"{draft.name}:which"


def _find_question(state: State, draft: FormDraft, options: tuple[str, ...]) -> str:
    """The rows without an answer; "" for a complete ballot. Raises BadReply for an empty one."""
    spec = state.spec
    fields = ballot_of(draft, spec.terms.vote, options, spec.drivers)
    given = [Given(**part) for part in fields.get("ballot", ())]
    return missing_rows(spec.terms.vote, options, spec.drivers, given)


def _open_question(state: State, draft: FormDraft, options: tuple[str, ...]) -> str:
    """The question that a first press has asked, until an edit settles it."""
    asked: str = st.session_state.get(_question_key(draft), "")
    with suppress(BadReply):
        return asked if asked and asked == _find_question(state, draft, options) else ""
    return ""


def _cast(
    state: State,
    me: Me,
    person: Person,
    poll: PollState,
    draft: FormDraft,
    options: tuple[str, ...],
    *,
    despite: str = "",
) -> None:
    """Cast the ballot; `despite` is the question about it that this person has confirmed."""
    # A form that started from an earlier ballot would take back what the later one changed.
    if (latest := _hash_of_latest(state, person, poll)) != _hash_of(poll, person):
        draft.drop()
        # The second press of a double click needs no words.
        if latest != st.session_state.get(_CAST_HERE):
            session.set_problem(_("Your vote was changed in another window. The form now starts with that vote."))
        return
    try:
        fields = ballot_of(draft, state.spec.terms.vote, options, state.spec.drivers)
        expects = guess.guess_of(state, person, poll, draft, options)
        question = _find_question(state, draft, options)
    except BadReply as error:
        session.set_problem(error)
        return
    if question and question != despite:
        st.session_state[_question_key(draft)] = question
        return
    ballot = _typed_ballot(poll, draft, fields, expects)
    # The second press of a double click may meet the form of the ballot that the first one cast.
    if _is_in(state, person, ballot) or session.act(state, me, ballot):
        session.tell(_("Your vote is in"))
        st.session_state[_CAST_HERE] = _hash_of_latest(state, person, poll)
        draft.drop()


def _typed_ballot(poll: PollState, draft: FormDraft, fields: Fields, expects: tuple[ExpectedVotes, ...]) -> BallotCast:
    choice = fields.get("vote")
    percent = draft.text("confidence").removesuffix(" %")
    says_how_sure = percent.isdecimal() and choice != ABSTAIN
    return BallotCast(
        poll=poll.id,
        choice=choice,
        given=tuple(Given(**part) for part in fields.get("ballot", ())),
        confidence=int(percent) if says_how_sure else None,
        reason=draft.text("why"),
        decided_by=crux.chosen_claim(draft),
        expects=expects,
    )


def _is_in(state: State, person: Person, ballot: BallotCast) -> bool:
    """True if the latest ballot of a person is this one."""
    latest = session.host().state(state.debate).room.polls[ballot.poll].ballots.get(person.id)
    return latest is not None and latest.fact.model_copy(update={"transcript": ""}) == ballot


def _hash_of_latest(state: State, person: Person, poll: PollState) -> str:
    return _hash_of(session.host().state(state.debate).room.polls[poll.id], person)


def _hash_of(poll: PollState, person: Person) -> str:
    """The hash of the ballot of a person; empty without one."""
    ballot = poll.ballots.get(person.id)
    return ballot.hash if ballot else ""
