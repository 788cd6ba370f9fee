"""Parts of the record page: the verification, the list of events, and the verification of a file.

Knows no rules: `audit.verify` counts again. Turns that an open phase hides stay hidden.
"""

from collections.abc import Mapping, Sequence
from functools import partial
from itertools import groupby

import streamlit as st

from debate_core.engine.audit import verify
from debate_core.engine.private_sources import has_withheld
from debate_core.engine.rights import ENGINE
from debate_core.errors import DebateError, StoreError
from debate_core.host.signatures import check_signatures, file_of
from debate_core.host.uploads import utf8
from debate_core.language import Language, Words, _, _n, current, said
from debate_core.record.acts import BallotCast, OwnerAct, PollRevealed, Signed
from debate_core.record.events import (
    Body,
    Closed,
    DebateOpened,
    Event,
    TurnFailed,
    TurnSkipped,
    TurnTaken,
    dump_record,
    parse_record,
)
from debate_core.record.ids import RequestId
from debate_core.record.look_ups import LookedUp
from debate_core.record.page import RECORD_TYPES
from debate_core.record.state import State
from debate_core.report.facts.account import Account
from debate_core.report.facts.polls import revealed_results
from debate_core.report.facts.terms import named
from debate_core.report.phrases.decision import assumptions_words, name_and_role
from debate_core.report.phrases.decision_status import decision_status
from debate_core.report.phrases.foreword import held_elsewhere_words, predecessor_sentence
from debate_core.report.phrases.look_ups import server_note
from debate_core.report.phrases.names import in_names
from debate_core.report.phrases.polls import result_words
from debate_core.report.phrases.rules import advice_sentence
from debate_core.spec.people import poll_words
from debate_core.spec.values import in_words
from debate_core.text import capitalized
from debate_core.ui.kit import accounts, session, words
from debate_core.ui.kit.click_guard import pressed
from debate_core.ui.kit.components import parts
from debate_core.ui.kit.dates import minute_words, spell_days, times_of_day
from debate_core.ui.kit.tables import draw_wrapping
from debate_core.ui.kit.text import safe_line, safe_text
from debate_core.ui.pages import rehearsals
from debate_core.ui.results.sections import sealed_here

MAX_ROWS = 50
"""Rows on one page of the list, which wrap so that none is cut."""
MIN_FOLDED = 3
"""Ballots in a row, with nothing between them, that become one row of the list."""
MIN_LONG = 30
"""A list of so many rows begins with its key steps."""
ROUTINE = frozenset(
    {
        "attempt_started",
        "belief_reported",
        "link_changed",
        "looked_up",
        "marked",
        "person_changed",
        "person_joined",
        "phase_began",
        "reminded",
        "resumed",
        "suggested",
        "turn_taken",
    }
)
"""Kinds of events that are no key steps."""
_VIEWS = Words({"key": "Key steps", "all": "All {n} entries"})


@st.cache_data(max_entries=64, show_spinner="Counting again …")
def _findings(
    debate: str,
    version: int,
    language: Language,  # noqa: ARG001
    _events: Sequence[Event],
) -> tuple[str, ...]:
    return tuple(
        _("{debate}, event {seq} of {version}: {message}", debate=debate, seq=f.seq, version=version, message=f.message)
        for f in verify(_events)
    )


@st.cache_data(max_entries=64, show_spinner="Checking the signatures …")
def _kept_signatures(debate: str, version: int, language: Language, _events: Sequence[Event]) -> tuple[int, str]:  # noqa: ARG001
    """The number of stored signatures by this server, and why they do not fit the record; empty if they do."""
    host = session.host()
    kept = len(host.signatures.kept(_events)) if host.signing_key(debate) else 0
    if not kept:
        return 0, ""
    try:
        check_signatures(_events, file_of(host.signed(debate)), host.signatures.public_key)
    except DebateError as error:
        return kept, session.told(error)
    return kept, ""


def check(state: State) -> None:
    """Verify the record now; draw the result, the signature in force, and the decision."""
    account = accounts.mine(state)
    events = session.host().events(state.debate)
    findings = _findings(state.debate, state.version, current(), events)
    kept, unfit = _kept_signatures(state.debate, state.version, current(), events)
    found = (*findings, unfit) if unfit else findings
    if found:
        _draw_findings(found, len(events))
    else:
        verdict = _("Unchanged") if kept else _("Consistent")
        checked = (
            _("Just checked: nothing was changed, and the votes, counted again, give the same result.")
            if kept
            else _("Just checked: no contradiction was found, and the votes, counted again, give the same result.")
        )
        words = f"**{verdict} · {safe_line(_signed_words(account))}**  \n{checked}"
        # Green is for a decision that someone answers for.
        box = st.success if account.decision.signed else st.info
        box(words, icon=":material/verified:")
    parts.draw_strip(decision_status(account, with_cautions=False), key="record-decision")
    if words := held_elsewhere_words(state.spec.held_elsewhere):
        st.caption(safe_line(words))
    host = session.host()
    if host.is_origin_unknown(state.debate):
        st.caption(_("This record came from a file. It is consistent, but that does not prove who held the debate."))


def _signed_words(account: Account) -> str:
    """`signed by Abe (approver) on 30 Nov 2026, 05:38 UTC`, or that no one has signed."""
    signed = account.decision.signed
    if signed is None:
        return _("not signed yet") if account.state.outcome else _("the debate is still under way")
    who = name_and_role(signed.by)
    return _("signed by {who} on {time}", who=who, time=minute_words(signed.at))


def _draw_checked(state: State) -> None:
    """Draw the results of the checks, if all passed."""
    events = session.host().events(state.debate)
    kept, unfit = _kept_signatures(state.debate, state.version, current(), events)
    if unfit or _findings(state.debate, state.version, current(), events):
        return
    entries = _n(len(events), "{n} entry", "{n} entries")
    st.caption(
        _(
            "Checked: {entries}. Each fits those before it, and the votes, counted again, give the same result.",
            entries=entries,
        )
    )
    if kept:
        st.caption(
            _n(
                kept,
                "No entry was changed since this server signed the record.",
                "No entry was changed since this server last signed the record, which it did {n} times.",
            )
        )


def proofs(state: State) -> None:
    """Draw what an outsider needs to check the record: its fingerprint, and the key that signed it."""
    if why := sealed_here(accounts.mine(state)):
        # A ballot has so few values that one could find it by trying all of them against the hash of its event.
        st.caption(safe_line(_("{why} The fingerprint is hidden too.", why=why)))
        return
    is_unknown = session.host().is_origin_unknown(state.debate)
    with st.expander(
        _("Proofs for outsiders: fingerprint and key"),
        icon=":material/fingerprint:",
        key="proofs",
        type="compact",
        expanded=is_unknown,
    ):
        _draw_checked(state)
        st.caption(_("Fingerprint (SHA-256). Note it now: if it still matches later, nothing was changed."))
        st.code(state.head, language=None, wrap_lines=True)
        _draw_signer(state)


def _draw_signer(state: State) -> None:
    """Draw the key that signed the record, and the record that it continues."""
    host = session.host()
    if state.predecessor:
        asked = host.accounts.by_id(state.predecessor.by)
        st.caption(safe_line(predecessor_sentence(state.predecessor, by=asked.words if asked else "")))
    if note := server_note(state.look_ups):
        st.caption(note)
    if host.is_origin_unknown(state.debate):
        _draw_signature_check(state)
        return
    if key := host.vouched_by(state.debate):
        st.caption(_("This record came from a file. Its signatures are valid. They were made with this key:"))
        st.code(key, language=None, wrap_lines=True)
        return
    st.caption(_("Key of this server. It signs the decisions, signatures and changes made here, and the files."))
    st.code(host.signatures.public_key, language=None, wrap_lines=True)


def _draw_signature_check(state: State) -> None:
    """Let the owner verify a record from a file by the signatures that came with it."""
    if not session.owns(state):
        return
    file = st.file_uploader(_("Its signatures (signatures.json)"), type=["json"], key="signatures")
    key = st.text_input(
        _("Public key of the expected signer"), key="signer", help=_("Get it from another source than the file.")
    )
    is_pressed = pressed(
        _("Check the signatures"), key="check-signatures", icon=":material/key:", disabled=file is None
    )
    if not is_pressed or file is None:
        return
    try:
        signatures = utf8(file.name, file.getvalue())
        session.as_host(partial(session.host().vouch, state.debate, signatures, key.strip()))
    except DebateError as error:
        st.error(safe_text(session.told(error)), icon=":material/gpp_bad:")
        return
    st.rerun()


def _draw_findings(findings: Sequence[str], n: int) -> None:
    if not findings:
        words = _n(
            n,
            "Checked: {n} event, chain and counts are consistent.",
            "Checked: {n} events, chain and counts are consistent.",
        )
        st.success(words, icon=":material/verified:")
    for finding in findings:
        st.error(safe_text(finding), icon=":material/gpp_bad:")


def way_back(state: State) -> None:
    """Explain to a person without a link how to get one; draw nothing for people of the room."""
    if state.spec.has_people and session.me(state).person is None:
        st.caption(
            _("No link to this room, or lost yours? Ask the operator of the server for a new one."),
            help=_("The operator runs `python -m debate_core link {debate}`.", debate=state.debate),
        )


def event_list(state: State) -> None:
    """Draw the key steps, or all events, a page of them at a time, with a filter by kind."""
    events = session.host().events(state.debate)
    account = accounts.mine(state)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.header(_("What happened"), anchor=False, width="stretch")
        is_key = len(_fold_ballots(events)) >= MIN_LONG and _ask_for_key_steps(len(events))
        runs = _fold_ballots([*filter(_is_key_step, events)]) if is_key else _ask_for_runs(events)
    names = _names_of_actors(state, events)
    drawn = st.container()
    pages = -(-len(runs) // MAX_ROWS)
    page = st.pagination(pages, key="record_page") if pages > 1 else 1
    shown = runs[(page - 1) * MAX_ROWS : page * MAX_ROWS]
    day, times = times_of_day([run[0].at for run in shown])
    rows = []
    for time, run in zip(times, shown, strict=True):
        number = {} if is_key else {_("No."): _number(run)}
        rows.append({**number, _("Time"): time, _("What happened"): _describe_run(run, account, names)})
    narrow = 1 if is_key else 2
    with drawn:
        st.caption(day)
        draw_wrapping(rows, alt=_("Events of the record in words"), key="record-events", narrow=narrow, is_short=True)


def _ask_for_runs(events: Sequence[Event]) -> Sequence[Sequence[Event]]:
    """Ask for kinds of events; a row is one event, or all ballots of a vote if they are folded."""
    shown = _ask_for_kinds(events)
    return [[event] for event in shown] if st.session_state.get("record_ballots") else _fold_ballots(shown)


def _ask_for_key_steps(n: int) -> bool:
    chosen = st.segmented_control(
        _("Entries"),
        ("key", "all"),
        format_func=lambda view: _VIEWS[view].format(n=n),
        default="key",
        required=True,
        key="record_view",
        label_visibility="collapsed",
        width="content",
    )
    return chosen == "key"


def _is_key_step(event: Event) -> bool:
    """False for the turns, and for pauses by the program, which come with each round."""
    is_pause = event.kind == "paused" and event.actor == ENGINE
    return event.kind not in ROUTINE and not is_pause


def _ask_for_kinds(events: Sequence[Event]) -> list[Event]:
    """The events of the chosen kinds, by default of all."""
    if any(len(run) > 1 for run in _fold_ballots(events)):
        st.toggle(_("A row for each ballot"), key="record_ballots")
    kinds = list(dict.fromkeys(event.kind for event in events))
    chosen = st.multiselect(
        _("Kinds"),
        kinds,
        key="record_kinds",
        format_func=words.KIND_WORDS.__getitem__,
        placeholder=_("all kinds of events"),
        label_visibility="collapsed",
        width=320,
    )
    return [event for event in events if not chosen or event.kind in chosen]


def _number(run: Sequence[Event]) -> str:
    first, last = run[0], run[-1]
    return str(first.seq) if first is last else f"{first.seq}–{last.seq}"


def _describe_run(run: Sequence[Event], account: Account, names: Mapping[str, str]) -> str:
    """One event or a run of ballots."""
    is_one = len(run) == 1
    return safe_line(capitalized(_describe_event(run[0], account, names) if is_one else _describe_ballots(run, names)))


def _fold_ballots(events: Sequence[Event]) -> list[list[Event]]:
    """The events; those that are nothing but ballots of one vote, in sequence, together."""
    runs: list[list[Event]] = []
    for poll, group in groupby(events, key=lambda event: event.body.poll if isinstance(event.body, BallotCast) else ""):
        found = [*group]
        is_folded = poll and len(found) >= MIN_FOLDED
        runs += [found] if is_folded else [[event] for event in found]
    return runs


def _describe_ballots(run: Sequence[Event], names: Mapping[str, str]) -> str:
    """`12 ballots in the pre-vote, until 06:54:12: Voter 1 … Voter 12`."""
    first, last = run[0], run[-1]
    poll = named(poll_words(first.body.poll)) if isinstance(first.body, BallotCast) else ""
    who = " … ".join(names.get(event.actor, in_words(event.actor)) for event in (first, last))
    return _n(
        len(run),
        "{n} ballot in {poll}, until {time}: {who}",
        "{n} ballots in {poll}, until {time}: {who}",
        poll=poll,
        time=last.at[11:19],
        who=who,
    )


def _names_of_actors(state: State, events: Sequence[Event]) -> Mapping[str, str]:
    """Map the ids of people and owners to their names; a deleted account has none and keeps its number."""
    people = {person_id: person.name for person_id, person in state.room.people.items()}
    account_of = session.host().accounts.by_id
    known = (account_of(event.actor) for event in events if isinstance(event.body, OwnerAct))
    return _name_of_opener(events[0]) | people | {owner.id: owner.words for owner in known if owner}


def _name_of_opener(opened: Event) -> dict[str, str]:
    """The name of the account that opened the debate, for an actor that is a role; without an account it has none."""
    if opened.actor != session.FACILITATOR or not isinstance(opened.body, DebateOpened):
        return {}
    owner = session.host().accounts.by_id(opened.body.owner) if opened.body.owner else None
    return {opened.actor: owner.words if owner else _("the facilitator (no name given)")}


def _describe_event(event: Event, account: Account, names: Mapping[str, str]) -> str:
    if hidden := _describe_hidden(event.body, account):
        return hidden
    spec = account.state.spec
    if isinstance(event.body, Closed) and advice_sentence(spec) and not spec.protocol.paired:
        return words.rounds_end_line(event.body)
    told = words.event_line(event, names)
    if isinstance(event.body, Signed):
        return " · ".join((told, *_list_fields(account, event.body)))
    counts = _list_counts(event.body.poll, account.state) if isinstance(event.body, PollRevealed) else []
    return ". ".join((told, *counts))


def _describe_hidden(body: Body, account: Account) -> str:
    """An event with words of a seat that are not shown yet; empty for all others."""
    if not isinstance(body, LookedUp | TurnTaken | TurnFailed | TurnSkipped):
        return ""
    turn = RequestId.parse(body.request).turn
    is_look_up = isinstance(body, LookedUp)
    if is_look_up and has_withheld(account.state, turn.seat):
        return _("{seat} looked something up; shown when the debate is over", seat=turn.seat)
    if not account.hides(turn.seat, (turn.round, turn.phase)):
        return ""
    if is_look_up:
        return _("{seat} looked something up; shown when the phase ends", seat=turn.seat)
    return _("{seat} answered; shown when the phase ends", seat=turn.seat)


def _list_fields(account: Account, word: Signed) -> list[str]:
    """Owner, review and conditions of a signature, those that were given."""
    fields = {
        _("Owner"): word.owner,
        _("Review on"): spell_days(word.revisit),
        _("Holds as long as"): "; ".join(assumptions_words(word, partial(in_names, account))),
    }
    return [f"{label}: {text}" for label, text in fields.items() if text.strip()]


def _list_counts(poll_id: str, state: State) -> list[str]:
    """The result of each electorate in a revealed vote; [] for readers without the right to see it."""
    if not session.may_see_result(state, session.me(state)):
        return []
    return [result_words(state, poll, result) for poll, result in revealed_results(state) if poll.id == poll_id]


def play_again(state: State) -> None:
    """Let a host replay the turns as a rehearsal: a new debate that decides nothing."""
    if not (state.outcome and session.may_host()):
        return
    if pressed(_("Play it again as a rehearsal"), key="play-again", icon=":material/replay:"):
        rehearsals.enter(partial(session.host().replay, state.debate, pace_cps=rehearsals.READ_ALONG_CPS))


def download(state: State) -> None:
    """Draw the download of the record, unless some of it is sealed or hidden."""
    account = accounts.mine(state)
    if sealed_here(account):
        return
    if account.hides_turns:
        st.caption(_("The record can be downloaded after the open phase: some turns are still hidden."))
        return
    st.download_button(
        _("Download the record"),
        session.while_let_in(state, lambda: dump_record(account.events).encode()),
        f"debate-{state.debate}.jsonl",
        "application/jsonl",
        type="primary",
        icon=":material/download:",
        on_click="ignore",
        help=_("events.jsonl: every event, one per line, for programs and for checking."),
    )


def check_file(*, folded: bool) -> None:
    """Draw the upload of a record, which is verified and not stored; below a record it is folded."""
    title = _("Check a file")
    if folded:
        with st.expander(title, icon=":material/fact_check:", key="check-a-file", type="compact"):
            _draw_file_check()
        return
    st.header(title, anchor=False)
    _draw_file_check()


def _draw_file_check() -> None:
    st.caption(_("Any exported record, from here or elsewhere: it is counted again and not stored."))
    file = st.file_uploader(
        _("A record (.jsonl or .html)"), type=RECORD_TYPES, key="check_file", help=_("It is checked, not stored.")
    )
    if file is None:
        return
    try:
        events = parse_record(file.getvalue())
    except StoreError as error:
        st.error(safe_text(f"{file.name}: {session.told(error)}"), icon=":material/gpp_bad:")
        return
    st.caption(
        _(
            "{name}: debate {debate}, head {hash}…",
            name=safe_line(file.name),
            debate=safe_line(events[0].debate),
            hash=events[-1].hash[:16],
        )
    )
    _draw_findings([said(finding.message) for finding in verify(events)], len(events))
