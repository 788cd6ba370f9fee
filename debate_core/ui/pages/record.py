"""The pieces of the record page: the check in words, the events one by one, and the check of a file.

Knows no rules: `audit.verify` counts again. What an open phase still hides stays hidden.
"""

from collections.abc import Mapping, Sequence
from functools import partial

import streamlit as st

from debate_core.engine.audit import verify
from debate_core.errors import DebateError, StoreError
from debate_core.host.uploads import utf8
from debate_core.language import Language, _, _n, current, said
from debate_core.record.acts import OwnerAct
from debate_core.record.address import RequestId
from debate_core.record.events import (
    AttemptStarted,
    Event,
    TurnFailed,
    TurnSkipped,
    TurnTaken,
    dump_record,
    parse_record,
)
from debate_core.record.state import State
from debate_core.report.facts.account import Account
from debate_core.report.words.foreword import predecessor_sentence
from debate_core.ui.kit import accounts, session, words
from debate_core.ui.kit.presses import pressed
from debate_core.ui.kit.tables import draw_table
from debate_core.ui.kit.text import safe_line, safe_text
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
    """The record re-derived and compared, now; its head and length."""
    events = session.host().events(state.debate)
    _say(_findings(state.debate, state.version, current(), events), len(events))
    left, right = st.columns([1, 3])
    left.metric(_("Events"), len(events))
    if why := sealed_here(accounts.mine(state)):
        # A ballot is so short that whoever knows the hash of its event could try every one.
        right.caption(safe_line(_("{why} The fingerprint is hidden too.", why=why)))
        return
    with right:
        st.caption(_("Fingerprint (SHA-256). Note it now: if it still matches later, nothing was changed."))
        st.code(state.head, language=None, wrap_lines=True)
        _signer(state)


def _signer(state: State) -> None:
    """Who vouches for the record, and from which one it was made."""
    host = session.host()
    if state.predecessor:
        asked = host.accounts.by_id(state.predecessor.by)
        st.caption(safe_line(predecessor_sentence(state.predecessor, by=asked.words if asked else "")))
    if host.is_origin_unknown(state.debate):
        st.caption(_("This record came from a file. That it keeps its own rules says nothing of who held the debate."))
        _check_signatures(state)
        return
    if key := host.vouched_by(state.debate):
        st.caption(_("This record came from a file. Its signatures were checked, and are by this key:"))
        st.code(key, language=None, wrap_lines=True)
        return
    st.caption(
        _("Key of this server: it signs what is decided, signed and changed here, and the files of this debate.")
    )
    st.code(host.signatures.public_key, language=None, wrap_lines=True)


def _check_signatures(state: State) -> None:
    """Who vouches for a record from a file, by the signatures that came with it. For its owner."""
    if not session.owns(state):
        return
    file = st.file_uploader(_("Its signatures (signatures.json)"), type=["json"], key="signatures")
    key = st.text_input(
        _("Key of whoever should have signed it"), key="signer", help=_("Not from where the file is from.")
    )
    asked = pressed(_("Check the signatures"), key="check-signatures", icon=":material/key:", disabled=file is None)
    if not asked or file is None:
        return
    try:
        signatures = utf8(file.name, file.getvalue())
        session.as_host(partial(session.host().vouch, state.debate, signatures, key.strip()))
    except DebateError as error:
        st.error(safe_text(session.told(error)), icon=":material/gpp_bad:")
        return
    st.rerun()


def _say(findings: Sequence[str], n: int) -> None:
    if not findings:
        st.success(
            _n(
                n,
                "Checked: {n} event, chain and counts are consistent.",
                "Checked: {n} events, chain and counts are consistent.",
            ),
            icon=":material/verified:",
        )
    for finding in findings:
        st.error(safe_text(finding), icon=":material/gpp_bad:")


def way_back(state: State) -> None:
    """How the people of a room come in who have no link here; nothing for whoever is in."""
    if state.spec.has_people and session.me(state).person is None:
        st.caption(
            _(
                "Nobody of this room has a link here, or you lost yours? Whoever runs the server makes one: "
                "`python -m debate_core link {debate}`.",
                debate=state.debate,
            )
        )


def event_list(state: State) -> None:
    """Who did what when, one line each; a filter by kind."""
    events = session.host().events(state.debate)
    account = accounts.mine(state)
    kinds = list(dict.fromkeys(e.kind for e in events))
    chosen = st.multiselect(
        _("Kinds"),
        kinds,
        key="record_kinds",
        format_func=words.KIND_WORDS.__getitem__,
        placeholder=_("all kinds of events"),
    )
    names = {person_id: person.name for person_id, person in state.room.people.items()} | _owners(events)
    rows = [
        {_("No."): e.seq, _("What happened"): _line(e, account, names), _("When (UTC)"): e.at[:19].replace("T", " ")}
        for e in events
        if not chosen or e.kind in chosen
    ]
    draw_table(
        rows,
        height=560 if len(rows) > 14 else "auto",
        column_config={
            _("No."): st.column_config.NumberColumn(width=50),
            # What is left over is shared equally; so wide that little is, at the width of a laptop.
            _("What happened"): st.column_config.TextColumn(width=900),
            _("When (UTC)"): st.column_config.TextColumn(width=160),
        },
        alt=_("Events of the record in words"),
    )


def _owners(events: Sequence[Event]) -> dict[str, str]:
    """Account -> how it is called here, of all who owned the debate; its number where nobody knows it any more."""
    known = (session.host().accounts.by_id(event.actor) for event in events if isinstance(event.body, OwnerAct))
    return {account.id: account.words for account in known if account}


def _line(event: Event, account: Account, names: Mapping[str, str]) -> str:
    body = event.body
    if isinstance(body, AttemptStarted | TurnTaken | TurnFailed | TurnSkipped):
        turn = RequestId.parse(body.request).turn
        is_hidden = account.hides(turn.seat, (turn.round, turn.phase))
        if is_hidden and not isinstance(body, AttemptStarted):
            return _("{seat} answered; shown when the phase ends", seat=turn.seat)
    return words.event_line(event, names)


READ_ALONG_CPS = 60


def play_again(state: State) -> None:
    """Watch the turns once more, as a rehearsal: a debate of its own that decides nothing. For hosts."""
    if not (state.outcome and session.may_host()):
        return
    if pressed(_("Play it again as a rehearsal"), key="play-again", icon=":material/replay:"):
        try:
            begin = partial(session.host().replay, state.debate, by=session.FACILITATOR, pace_cps=READ_ALONG_CPS)
            again = session.as_host(partial(begin, client=session.client(), owner=session.owner()))
        except DebateError as error:
            st.error(safe_text(session.told(error)))
            return
        session.open_room_as_facilitator(again)


def download(state: State) -> None:
    """The record as a file that any language can hash again."""
    account = accounts.mine(state)
    if sealed_here(account):
        return
    if account.hides_turns:
        st.caption(_("The record can be had as a file when the phase that is open has ended: some turns are hidden."))
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
    """A record from elsewhere, counted again and not kept."""
    file = st.file_uploader(
        _("A record (.jsonl)"), type=["jsonl"], key="check_file", help=_("It is checked, not stored.")
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
    _say([said(f.message) for f in verify(events)], len(events))
