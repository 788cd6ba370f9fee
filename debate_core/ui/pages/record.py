"""Parts of the record page: the verification, the list of events, and the verification of a file.

Knows no rules: `audit.verify` counts again. Turns that an open phase hides stay hidden.
"""

from collections.abc import Mapping, Sequence
from functools import partial

import streamlit as st

from debate_core.engine.audit import verify
from debate_core.engine.private_sources import has_withheld
from debate_core.errors import DebateError, StoreError
from debate_core.host.uploads import utf8
from debate_core.language import Language, _, _n, current, said
from debate_core.record.acts import OwnerAct
from debate_core.record.events import (
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
from debate_core.report.phrases.foreword import held_elsewhere_words, predecessor_sentence
from debate_core.report.phrases.look_ups import server_note
from debate_core.ui.kit import accounts, session, words
from debate_core.ui.kit.click_guard import pressed
from debate_core.ui.kit.tables import draw_table
from debate_core.ui.kit.text import safe_line, safe_text
from debate_core.ui.pages import rehearsals
from debate_core.ui.results.sections import sealed_here


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


def check(state: State) -> None:
    """Verify the record now; draw its length, its fingerprint and its signer."""
    events = session.host().events(state.debate)
    _draw_findings(_findings(state.debate, state.version, current(), events), len(events))
    left, right = st.columns([1, 3])
    left.metric(_("Events"), len(events))
    if why := sealed_here(accounts.mine(state)):
        # A ballot has so few values that one could find it by trying all of them against the hash of its event.
        right.caption(safe_line(_("{why} The fingerprint is hidden too.", why=why)))
        return
    with right:
        st.caption(_("Fingerprint (SHA-256). Note it now: if it still matches later, nothing was changed."))
        st.code(state.head, language=None, wrap_lines=True)
        _draw_signer(state)


def _draw_signer(state: State) -> None:
    """Draw the key that signed the record, and the record that it continues."""
    host = session.host()
    if words := held_elsewhere_words(state.spec.held_elsewhere):
        st.caption(safe_line(words))
    if state.predecessor:
        asked = host.accounts.by_id(state.predecessor.by)
        st.caption(safe_line(predecessor_sentence(state.predecessor, by=asked.words if asked else "")))
    if note := server_note(state.look_ups):
        st.caption(note)
    if host.is_origin_unknown(state.debate):
        st.caption(_("This record came from a file. It is consistent, but that does not prove who held the debate."))
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
            _(
                "No link to this room, or lost yours? Ask the operator of the server for a new one: "
                "`python -m debate_core link {debate}`.",
                debate=state.debate,
            )
        )


def event_list(state: State) -> None:
    """Draw the events, one line each, with a filter by kind."""
    events = session.host().events(state.debate)
    account = accounts.mine(state)
    kinds = list(dict.fromkeys(event.kind for event in events))
    chosen = st.multiselect(
        _("Kinds"),
        kinds,
        key="record_kinds",
        format_func=words.KIND_WORDS.__getitem__,
        placeholder=_("all kinds of events"),
    )
    names = _names_of_actors(state, events)
    rows = [
        {
            _("No."): event.seq,
            _("What happened"): _describe_event(event, account, names),
            _("When (UTC)"): event.at[:19].replace("T", " "),
        }
        for event in events
        if not chosen or event.kind in chosen
    ]
    draw_table(
        rows,
        height=560 if len(rows) > 14 else "auto",
        column_config={
            _("No."): st.column_config.NumberColumn(width=50),
            # Streamlit shares spare width equally among the columns; on a laptop 900 px leaves little to share.
            _("What happened"): st.column_config.TextColumn(width=900),
            _("When (UTC)"): st.column_config.TextColumn(width=160),
        },
        alt=_("Events of the record in words"),
    )


def _names_of_actors(state: State, events: Sequence[Event]) -> Mapping[str, str]:
    """Map the ids of people and owners to their names; a deleted account has none and keeps its number."""
    people = {person_id: person.name for person_id, person in state.room.people.items()}
    known = (session.host().accounts.by_id(event.actor) for event in events if isinstance(event.body, OwnerAct))
    return people | {owner.id: owner.words for owner in known if owner}


def _describe_event(event: Event, account: Account, names: Mapping[str, str]) -> str:
    if isinstance(event.body, LookedUp | TurnTaken | TurnFailed | TurnSkipped):
        turn = RequestId.parse(event.body.request).turn
        if isinstance(event.body, LookedUp) and has_withheld(account.state, turn.seat):
            return _("{seat} looked something up; shown when the debate is over", seat=turn.seat)
        if account.hides(turn.seat, (turn.round, turn.phase)):
            if isinstance(event.body, LookedUp):
                return _("{seat} looked something up; shown when the phase ends", seat=turn.seat)
            return _("{seat} answered; shown when the phase ends", seat=turn.seat)
    return words.event_line(event, names)


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
        _("Record (events.jsonl)"),
        session.while_let_in(state, lambda: dump_record(account.events).encode()),
        f"debate-{state.debate}.jsonl",
        "application/jsonl",
        icon=":material/download:",
        on_click="ignore",
    )


def check_file() -> None:
    """Draw the upload of a record, which is verified and not stored."""
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
