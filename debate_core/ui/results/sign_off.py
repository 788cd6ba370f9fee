"""The decision desk: the counted decision, the approver's signature, dissent from anybody, what became of it later.

Drawn once the debate is over. Without a room whoever sits at the screen may sign, under a name.
"""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from functools import partial
from typing import Any, TypedDict, get_args

import streamlit as st

from debate_core.engine.evidence import rests_on
from debate_core.language import Words, _, message, spoken_list
from debate_core.record.acts import Dissented, OutcomeRecorded, OutcomeResult, RoomAct, Signed
from debate_core.record.commands import Act
from debate_core.record.state import State
from debate_core.report.facts.account import Account
from debate_core.report.facts.decision import (
    DISSENTS,
    RESULTS,
    VERDICTS,
    Decision,
    Signature,
    SignatureVerdict,
    approvers,
    date_has_come,
)
from debate_core.report.facts.terms import named
from debate_core.report.facts.who_decided import who_decided
from debate_core.report.words.contradictions import contradiction_sentence
from debate_core.report.words.decision import arithmetic, missing_to_sign, signed_words
from debate_core.report.words.evidence import RESTS, rests_sentence
from debate_core.report.words.names import in_names
from debate_core.report.words.who_decided import count_sentence
from debate_core.text import capitalized
from debate_core.ui.kit import session
from debate_core.ui.kit.badges import Colour
from debate_core.ui.kit.drafts import FormDraft
from debate_core.ui.kit.places import in_places
from debate_core.ui.kit.presses import pressed
from debate_core.ui.kit.session import Me
from debate_core.ui.kit.text import after_colon, safe_label, safe_line, safe_text

MAX_CHARS = 2_000
OPEN = "decision-desk-open"
"""In the session state: whether the desk is open as a dialog."""

_UNKNOWN = message("not known yet")
_LABELS: Words[SignatureVerdict] = Words(
    {
        "accept": "Accept",
        "accept_with_changes": "Accept with changes",
        "reject": "Reject",
        "escalate": "Escalate",
    }
)


class _Afterwards(TypedDict):
    """The part of a signature that says how it goes on."""

    owner: str
    confirmation: str
    revisit: str
    informed: tuple[str, ...]


def show(account: Account, me: Me) -> None:
    """The whole desk; before the end one line for whoever will sign."""
    state = account.state
    if state.outcome is None:
        if me.role == "approver":
            st.caption(_("You sign the decision here when the debate is over."))
        return
    if not session.may_see_result(state, me):
        return
    with st.container(border=True, key="decision-desk"):
        with st.container(horizontal=True, vertical_alignment="center"):
            st.subheader(_("The decision"), anchor=False, width="content")
            badge(account.decision)
        in_places((_as_it_stands, _sign, _dissents, _dissent, _aftermath, _record_aftermath), account, me)


def _as_it_stands(account: Account, _me: Me) -> None:
    counted(account)
    warnings(account)
    if account.decision.signed:
        signature(account, account.decision.signed)
    earlier(account.decision)


def open_desk() -> None:
    """The results page shows the desk as a dialog from now on."""
    st.session_state[OPEN] = True


def is_next(account: Account, me: Me) -> bool:
    """Whether a signature is what this person should give now."""
    found = account.decision
    is_open = found.signed is None or bool(found.changes_asked)
    return is_open and not missing_to_sign(account) and session.may(account.state, me, Signed)


def _sign(account: Account, me: Me) -> None:
    state = account.state
    found = account.decision
    if missing_to_sign(account):
        return
    if not session.may(state, me, Signed):
        if found.signed is None:
            st.caption(_waiting_words(approvers(state)))
        return
    if is_next(account, me):
        _form(state, me, found)
        return
    with st.expander(_("Sign again"), icon=":material/draw:", key="sign-again"):
        st.caption(_("The new signature stands instead; this one stays in the record."))
        _form(state, me, found)


def _waiting_words(names: Sequence[str]) -> str:
    if not names:
        return _("Not signed yet: nobody here is an approver.")
    return _("Waiting for the signature of {names}.", names=spoken_list([safe_line(name) for name in names]))


def _form(state: State, me: Me, found: Decision) -> None:
    """The fields depend on the verdict, so that they are no `st.form`; a signature of one's own begins a new set."""
    signed = sum(not state.spec.has_people or d.by == me.actor for d in state.room.of(Signed))
    draft = _draft(state, me, f"sign.{signed}")
    before = found.signed.word if found.signed else Signed(verdict="accept")
    if (verdict := _verdict(found, draft)) is None:
        st.caption(_undecided_words(found))
        return
    accepts = verdict in ("accept", "accept_with_changes")
    option = _option(state, found, draft) if accepts else None
    changes = _changes(found, verdict, draft)
    # What must be given stands here; what may be given is one press away, so that the signature stays in sight.
    needed = _needed_reason(found, option, accepts=accepts)
    reason = _kept(draft, "reason", needed) if needed else ""
    with st.expander(_("Owner, review and who is informed (optional)"), icon=":material/edit_note:", key="afterwards"):
        if not needed:
            reason = _kept(draft, "reason", _("Reason"))
        after = _afterwards(draft, before)
    word = Signed(verdict=verdict, option=option, changes=changes, reason=reason, **after)
    by = _name(state, me, draft, _("Your name under the signature"))
    knows = option is None or _knows_what_it_rests_on(state, option, draft)
    if _act_button(_("Sign"), draft, type="primary", icon=":material/draw:", disabled=not knows):
        _give(state, by, word, draft)


def _undecided_words(found: Decision) -> str:
    if found.seat_role is None:
        return _("The vote was undecided. Choose an outcome to continue.")
    decider = capitalized(named(found.decider))
    return _("{decider} named no option. Choose an outcome to continue.", decider=decider)


def _changes(found: Decision, verdict: SignatureVerdict, draft: FormDraft) -> str:
    """What has to be changed first, or what was changed since the last signature asked for it."""
    if verdict == "accept_with_changes":
        st.caption(_("The decision comes back here with the changes, and holds once it is signed with them."))
        return _kept(draft, "changes", _("Which changes (needed)"), found.changes_asked)
    if verdict == "accept" and found.changes_asked:
        return _kept(draft, "changed", _("The changes that were made"), found.changes_asked)
    return ""


def _knows_what_it_rests_on(state: State, option: str, draft: FormDraft) -> bool:
    """True once whoever signs an option that rests on unverified quotes has said that they know it."""
    if not rests_on(state, option):
        return True
    label = _(
        "I know that {option} {rests}, and sign it all the same", option=safe_label(option, max_chars=60), rests=RESTS
    )
    return bool(st.checkbox(label, **draft.tick("rests", default=False)))


def _afterwards(draft: FormDraft, before: Signed) -> _Afterwards:
    """Who does it, how it is checked, when it is looked at again, who hears of it."""
    owner = st.text_input(_("Owner: who sees to it"), max_chars=MAX_CHARS, **draft.value("owner", before.owner))
    confirmation = _kept(draft, "confirmation", _("How it will be confirmed"), before.confirmation)
    revisit = st.text_input(
        _("Review on"),
        max_chars=MAX_CHARS,
        placeholder=_("2027-03-01, or what would have to happen"),
        help=_("A date as year-month-day is put on the home page when it is due."),
        **draft.value("revisit", before.revisit),
    )
    informed = _kept(draft, "informed", _("Who is to be informed, one a line"), "\n".join(before.informed))
    lines = tuple(line.strip() for line in informed.splitlines() if line.strip())
    return {"owner": owner or "", "confirmation": confirmation, "revisit": revisit or "", "informed": lines}


def _verdict(found: Decision, draft: FormDraft) -> SignatureVerdict | None:
    """No choice to begin with where the count decided nothing: there is nothing to accept as it stands."""
    start = None if found.counted is None else "accept"
    words: tuple[SignatureVerdict, ...] = get_args(SignatureVerdict)
    held = draft.one_of("verdict", words, start)
    chosen: SignatureVerdict | None = st.radio(
        _("Your decision"), words, format_func=_LABELS.__getitem__, horizontal=True, **held
    )
    return chosen


def _kept(draft: FormDraft, name: str, label: str, value: str = "") -> str:
    """A long field that survives a reload."""
    return st.text_area(label, max_chars=MAX_CHARS, height=80, **draft.value(name, value)) or ""


def _option(state: State, found: Decision, draft: FormDraft) -> str | None:
    held = found.option or found.counted
    return st.selectbox(
        _("Option"),
        state.spec.options,
        placeholder=_("Choose what is decided"),
        format_func=_plain,
        **draft.one_of("option", state.spec.options, held),
    )


def _plain(option: str) -> str:
    return " ".join(option.split())


def _needed_reason(found: Decision, option: str | None, *, accepts: bool) -> str:
    """The label of a reason that has to be given; empty where none has."""
    if not accepts:
        return _("Reason (needed)")
    if option is not None and option != found.counted:
        says = _(
            "{decider} says {counted}",
            decider=named(found.decider),
            counted=safe_label(found.counted or _("nothing"), max_chars=60),
        )
        return _("Reason (needed: {says}; both are kept)", says=says)
    return ""


def _name(state: State, me: Me, draft: FormDraft, label: str) -> str:
    """Who acts: the person of the room, else the name that is typed."""
    if state.spec.has_people:
        return me.actor
    typed = st.text_input(label, max_chars=80, help=_("The record keeps it."), **draft.value("name", me.name))
    return (typed or "").strip()


def _draft(state: State, me: Me, of: str) -> FormDraft:
    """What somebody writes here: theirs alone in a room, else of whoever sits at the screen."""
    whose = me.actor if state.spec.has_people else "screen"
    return FormDraft(f"{state.debate}/{whose}/{of}", state.debate, me)


def _act_button(label: str, draft: FormDraft, **button: Any) -> bool:
    """The button below a draft, for the person who wrote it."""
    may = partial(session.may_still_act, draft.debate, draft.me)
    return pressed(label, key=f"{draft.name}:go", may=may, width="stretch", **button)


def _give(state: State, by: str, act: RoomAct, draft: FormDraft) -> None:
    if not by:
        st.error(_("Write your name: the record says who it was."), icon=":material/error:")
    elif session.give(state.debate, draft.me, partial(Act, act=act), name=by):
        draft.drop()
        st.session_state[OPEN] = False
        # A phone may be scrolled far below what the page says then.
        session.tell(_("Signed") if isinstance(act, Signed) else _("Recorded"))
        st.rerun()
    else:
        session.show_problem()


def _dissent(account: Account, me: Me) -> None:
    state = account.state
    if not session.may(state, me, Dissented):
        return
    kinds = [*DISSENTS]
    draft = _draft(state, me, "dissent")
    with st.expander(_("Put a dissent or an objection on record"), icon=":material/record_voice_over:", key="dissent"):
        began = draft.pill_of("kind", kinds, "dissent")
        kind = st.segmented_control(_("Dissent or objection"), kinds, format_func=DISSENTS.__getitem__, **began)
        text = _kept(draft, "text", _("Word for word"))
        named = st.toggle(_("With my name in the decision record"), **draft.tick("named", default=True))
        if not named:
            st.caption(_("The decision record leaves your name out. The record of all events still has it."))
        by = _name(state, me, draft, _("Your name with the dissent"))
        if _act_button(_("Put it on record"), draft, disabled=not text.strip()):
            _give(state, by, Dissented(kind=kind or "dissent", text=text, named=bool(named)), draft)


def _record_aftermath(account: Account, me: Me) -> None:
    state = account.state
    if not session.may(state, me, OutcomeRecorded) or missing_to_sign(account):
        return
    results = [*RESULTS]
    right = ("", *state.spec.options)
    draft = _draft(state, me, "outcome")
    # Open where the date has come: whoever comes from the home page was asked.
    with st.expander(_("Later: what became of it"), icon=":material/history:", expanded=is_due(account), key="became"):
        began = draft.pill_of("result", results, "unknown")
        result = st.segmented_control(_("The decision"), results, format_func=_result_words, **began)
        option = st.selectbox(
            _("Which option turned out right"),
            right,
            format_func=lambda name: name or _(_UNKNOWN),
            **draft.one_of("option", right, ""),
        )
        reason = _kept(draft, "reason", _("How you know (needed)"))
        by = _name(state, me, draft, _("Your name with the outcome"))
        if _act_button(_("Record it"), draft, disabled=not reason.strip()):
            _give(state, by, OutcomeRecorded(result=result or "unknown", option=option or None, reason=reason), draft)


def is_due(account: Account) -> bool:
    decision = account.decision
    if decision.signed is None or any(later.at > decision.signed.at for later in decision.later):
        return False
    return date_has_come(decision.signed.word.revisit, datetime.now(UTC).date())


_BADGES: Mapping[SignatureVerdict, tuple[str, Colour, str]] = {
    "accept": (message("Accepted"), "green", ":material/verified:"),
    "accept_with_changes": (message("Accepted with changes"), "green", ":material/verified:"),
    "reject": (message("Rejected"), "red", ":material/block:"),
    "escalate": (message("Escalated: waits for a decision"), "orange", ":material/priority_high:"),
}


def badge(found: Decision) -> None:
    """How the decision stands, with colour, icon and word."""
    if found.signed is None and found.pending:
        st.badge(_("Not counted yet"), color="gray", icon=":material/draw:")
        return
    if found.signed is None:
        st.badge(_("Proposed: not signed"), color="yellow", icon=":material/draw:")
        return
    if found.changes_asked:
        st.badge(_("Changes come first: to be signed again"), color="orange", icon=":material/edit_note:")
        return
    words, colour, icon = _BADGES[found.signed.word.verdict]
    st.badge(_(words), color=colour, icon=icon)


def counted(account: Account) -> None:
    """The count that decides, as arithmetic; or what the seat said that decides."""
    st.markdown(f"**{capitalized(named(account.decision.decider))}** · {safe_text(arithmetic(account))}")


def warnings(account: Account) -> None:
    """What somebody should know before they sign; it keeps nobody from it."""
    if words := rests_sentence(account):
        st.error(safe_text(in_names(account, words)), icon=":material/format_quote:")
    if words := contradiction_sentence(account):
        st.error(safe_text(words), icon=":material/contrast:")
    unsettled = [flag for flag in account.synthesis_flags if not flag.resolved]
    if unsettled:
        lines = "\n".join(f"- {safe_line(flag.line, max_chars=200)}" for flag in unsettled)
        st.warning(
            _("Flagged lines of the synthesis that nobody settled:\n\n{lines}", lines=lines), icon=":material/flag:"
        )
    if (why := missing_to_sign(account)) and account.state.outcome is not None:
        st.info(safe_text(why), icon=":material/hourglass_top:")


def signature(account: Account, signed: Signature, *, key: str = "signature") -> None:
    """The signature with signer and time; the count too where it differs."""
    word = signed.word
    option = f"**{safe_line(word.option)}**" if word.option else None
    with st.container(border=True, key=key):
        st.markdown(f":material/draw: {signed_words(f'**{safe_line(signed.by.name)}**', word.verdict, option)}")
        st.caption(when_words(signed.at))
        if signed.differs and signed.counted is None:
            st.markdown(safe_text(count_sentence(account.once(who_decided))))
        elif signed.differs:
            says = _(
                "{decider} says **{counted}**",
                decider=capitalized(named(account.decision.decider)),
                counted=safe_line(signed.counted or ""),
            )
            st.markdown(_("{says}. The approver decided otherwise; both values stay in the record.", says=says))
        for label, text in _fields(signed):
            st.markdown(f"**{label}**  \n{safe_text(text)}")


def _fields(signed: Signature) -> list[tuple[str, str]]:
    word = signed.word
    fields = [
        (_("Changes"), word.changes),
        (_("Reason"), word.reason),
        (_("Owner"), word.owner),
        (_("How it will be confirmed"), word.confirmation),
        (_("Review on"), word.revisit),
        (_("Informed"), ", ".join(word.informed)),
    ]
    return [(label, text) for label, text in fields if text.strip()]


def earlier(found: Decision) -> None:
    """Signatures that were replaced: they stay in the record."""
    if not found.earlier:
        return
    with st.expander(_("Earlier signatures: {earlier}", earlier=len(found.earlier)), key="earlier-signatures"):
        for old in reversed(found.earlier):
            option = f", {safe_line(old.word.option)}" if old.word.option else ""
            who = safe_line(old.by.name)
            verdict = f"{VERDICTS[old.word.verdict]}{option}{after_colon(old.word.reason)}"
            st.markdown(f"- {when_words(old.at)} · {who} · {verdict}")


def _dissents(account: Account, _me: Me) -> None:
    """Word for word."""
    for said in account.decision.dissents:
        by = safe_line(said.by.name) if said.by else _("without a name")
        with st.container(border=True):
            st.caption(f"{DISSENTS[said.kind]} · {by} · {when_words(said.at)}")
            st.markdown(safe_text(said.text))


def _result_words(result: OutcomeResult) -> str:
    return capitalized(RESULTS[result])


def _aftermath(account: Account, _me: Me) -> None:
    """How the decision turned out, as recorded; nothing if nobody has said."""
    for later in account.decision.later:
        right = _(" · right was **{option}**", option=safe_line(later.option)) if later.option else ""
        st.markdown(f":material/history: **{_result_words(later.result)}**{right}: {safe_text(later.reason)}")
        st.caption(f"{safe_line(later.by.name)} · {when_words(later.at)}")


def when_words(at: str) -> str:
    """`2026-03-04 05:06 UTC`."""
    return _("{time} UTC", time=at[:16].replace("T", " "))
