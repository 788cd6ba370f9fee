"""The decision desk after the end: counted decision, signature of the approver, dissents, recorded outcome.

In a debate without a room, the person at the screen signs under a typed name.
"""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any, Literal, TypedDict, get_args

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from debate_core.engine.evidence import rests_on
from debate_core.errors import InvalidSpec
from debate_core.language import Words, _, message, spoken_list
from debate_core.record.acts import (
    Assumption,
    Dissented,
    OutcomeRecorded,
    Reversibility,
    RoomAct,
    Signed,
)
from debate_core.record.commands import Act
from debate_core.record.state import State
from debate_core.report.facts.account import Account
from debate_core.report.facts.decision import (
    DISSENTS,
    RESULTS,
    REVERSIBILITIES,
    Decision,
    SignatureVerdict,
    approvers,
    date_has_come,
    review_date,
)
from debate_core.report.facts.premortem import reversal_reasons
from debate_core.report.facts.terms import named
from debate_core.report.figures.votes import palette_of
from debate_core.report.phrases.decision import (
    missing_to_sign,
)
from debate_core.report.phrases.decision_status import decision_status
from debate_core.report.phrases.evidence import RESTS
from debate_core.report.phrases.names import claim_names
from debate_core.spec.tripwires import FORMS
from debate_core.text import capitalized
from debate_core.ui.kit import session
from debate_core.ui.kit.chart import theme
from debate_core.ui.kit.click_guard import pressed
from debate_core.ui.kit.dates import day_words, field_form
from debate_core.ui.kit.drafts import FormDraft
from debate_core.ui.kit.places import in_places
from debate_core.ui.kit.session import Me
from debate_core.ui.kit.text import after_colon, safe_label, safe_line, safe_text
from debate_core.ui.results.assumption_lines import read_assumptions, write_assumptions
from debate_core.ui.results.carrying_claims import ask_carrying_claims
from debate_core.ui.results.signatures import (
    badge,
    challenges,
    counted,
    draw_dissents,
    draw_doubts,
    draw_outcomes,
    earlier,
    result_words,
    signature,
    warnings,
)

MAX_CHARS = 2_000
# What is signed, and the button, stay on the screen beside a form that is longer, above the bar of the next step.
_STYLE = """<style>
[data-testid="stLayoutWrapper"]:has(> .st-key-sign-bar) {
  position: sticky; bottom: 0; z-index: 2; padding: 0.5rem 0;
  border-top: 1px solid color-mix(in srgb, currentColor 20%, transparent);
  background: PAPER; }
/* `hidden` would make the dialog the box that scrolls, which it is not. */
[data-testid="stDialog"] > :has(.st-key-sign-bar) { overflow: clip; }
[data-testid="stDialog"] .st-key-sign-bar { box-shadow: 0 3rem 0 PAPER; }
[data-testid="stDialog"] .st-key-sign-bar { clip-path: inset(0 0 -3rem 0); }
[data-testid="stDialog"] .st-key-decision-head h1 { font-size: 1.75rem; padding: 0; }
.st-key-review-ahead button { min-height: 36px; padding: 0 0.6rem; }
body:has(.st-key-next-step) [data-testid="stLayoutWrapper"]:has(> .st-key-sign-bar) { bottom: 72px; }
</style>"""
OPEN = "decision-desk-open"
"""In the session state: whether the desk is open as a dialog."""

_UNKNOWN = message("not known yet")
_REVIEWS: Words[int] = Words({1: "in a month", 3: "in 3 months", 12: "in a year"})
"""Months from now to the review -> its button."""
_LABELS: Words[SignatureVerdict] = Words(
    {
        "accept": "Accept",
        "accept_with_changes": "Accept with changes",
        "reject": "Reject",
        "escalate": "Escalate",
    }
)
_ACTS: Words[SignatureVerdict] = Words(
    {
        "accept": "Accept and sign",
        "accept_with_changes": "Accept with changes and sign",
        "reject": "Reject and sign",
        "escalate": "Escalate and sign",
    }
)
Choice = SignatureVerdict | Literal["other"]
"""What the signer chooses: the act, or `other` to accept an option that was not counted as the winner."""
_CHOICES: Words[Choice] = Words(
    {
        "accept": "Accept",
        "accept_with_changes": "With changes",
        "other": "Another option",
        "reject": "Reject",
        "escalate": "Escalate",
    }
)
_MEANINGS = Words(
    {
        "other": "Another option: the count stays in the record beside it.",
        "reject": "Reject: none of the options becomes the decision.",
        "escalate": "Escalate: nothing is decided until someone with the mandate signs.",
    }
)
"""The field for changes has its own caption."""


class _Afterwards(TypedDict):
    """The part of a signature about the time after the decision."""

    revisit: str
    confirmation: str
    informed: tuple[str, ...]
    affects: tuple[str, ...]
    reversibility: Reversibility | None
    assumptions: tuple[Assumption, ...]
    assumes_nothing: bool


def show(account: Account, me: Me, *, is_told: bool = False, in_dialog: bool = False) -> None:
    """Draw the desk; before the end one line for approvers. `is_told`: the decision is drawn above, with its signer.

    `in_dialog`: the next signer in a room sees no form for a dissent or the outcome.
    """
    state = account.state
    if state.outcome is None:
        if me.role == "approver":
            st.caption(_("You sign the decision here when the debate is over."))
        return
    if not session.may_see_result(state, me):
        return
    with st.container(border=not is_told and not in_dialog, key="decision-desk"):
        _draw_head(account, is_told=is_told)
        with st.container(key="decision-count"):
            _draw_count(account, me, is_told=is_told)
        signing = partial(_draw_signing, is_told=is_told)
        in_places((signing, draw_dissents, draw_outcomes), account, me)
        if not (in_dialog and state.spec.has_people and is_next(account, me)):
            in_places((_draw_dissent_form, _draw_outcome_form), account, me)


def _draw_count(account: Account, me: Me, *, is_told: bool) -> None:
    """Draw what is signed: the count, what speaks against it, and the signatures so far."""
    if not is_told:
        counted(account)
    warnings(account)
    if is_next(account, me):
        draw_doubts(account)
    challenges(account)
    if account.decision.signed:
        signature(account, account.decision.signed, is_told=is_told)
    earlier(account.decision)


def _draw_head(account: Account, *, is_told: bool) -> None:
    with st.container(horizontal=True, vertical_alignment="center", key="decision-head"):
        if not is_told:
            st.title(safe_line(account.once(decision_status).headline), anchor=False, width="content")
            # That a signature is missing, the status of the page says.
            if account.decision.signed or account.decision.pending:
                badge(account.decision)
        if account.decision.challenges:
            st.badge(_("Challenged"), color="orange", icon=":material/priority_high:")


def open_desk() -> None:
    """Open the desk as a dialog on the results page."""
    st.session_state[OPEN] = True


def is_next(account: Account, me: Me) -> bool:
    """True if this person should sign now."""
    found = account.decision
    is_open = found.signed is None or bool(found.changes_asked)
    return is_open and not missing_to_sign(account) and session.may(account.state, me, Signed)


def _draw_signing(account: Account, me: Me, *, is_told: bool) -> None:
    state = account.state
    found = account.decision
    if missing_to_sign(account):
        return
    if not session.may(state, me, Signed):
        names = [safe_line(name) for name in approvers(state)]
        if is_told:
            return
        if found.signed is None and names:
            st.caption(_("Waiting for the signature of {names}.", names=spoken_list(names)))
        elif found.signed is None:
            st.caption(_("Not signed yet: no one here is an approver."))
        return
    if is_next(account, me):
        _draw_form(account, me)
        return
    with st.expander(_("Sign again"), icon=":material/draw:", key="sign-again"):
        st.caption(_("The new signature replaces this one, which stays in the record."))
        _draw_form(account, me)


def _draw_form(account: Account, me: Me) -> None:
    """Draw the fields of a signature.

    They depend on the choice, which an `st.form` does not allow. After each signature the draft begins again.
    """
    state, found = account.state, account.decision
    signed = sum(not state.spec.has_people or d.by == me.actor for d in state.room.of(Signed))
    draft = _make_draft(state, me, f"sign.{signed}")
    before = found.signed.word if found.signed else Signed(verdict="accept")
    choice = _ask_choice(found, draft)
    if choice is None:
        st.caption(_undecided_sentence(found))
        return
    verdict: SignatureVerdict = "accept" if choice == "other" else choice
    accepts = verdict in ("accept", "accept_with_changes")
    option = None
    if accepts:
        option = found.counted if choice == "accept" and found.counted else _ask_option(state, found, draft)
    changes = _ask_changes(found, verdict, draft)
    owner, day = _ask_owner_and_review(draft, before)
    reason = _ask_reason(draft, _label_reason(found, option, accepts=accepts))
    try:
        with _fold_conditions(found, draft):
            offered = ask_carrying_claims(account, me, draft, before) if accepts else ()
            after = _ask_afterwards(state, draft, before, offered, day)
    except InvalidSpec as error:
        st.error(safe_text(session.told(error)), icon=":material/error:")
        return
    word = Signed(verdict=verdict, option=option, changes=changes, reason=reason, owner=owner, **after)
    _draw_button_to_sign(state, draft, word)


def _fold_conditions(found: Decision, draft: FormDraft) -> DeltaGenerator:
    """A fold for all that a plain signature does not need; it begins open if something was signed before."""
    # It neither opens nor closes while someone fills it in.
    begins_open: bool = st.session_state.setdefault(f"{draft.name}:fold", bool(found.signed))
    words = _("Conditions, people to inform")
    return st.expander(words, icon=":material/edit_note:", expanded=begins_open, key="sign-more")


def _draw_button_to_sign(state: State, draft: FormDraft, word: Signed) -> None:
    by = _ask_name(state, draft, _("Your name under the signature"))
    is_confirmed = _ask_confirmation(state, word.option, draft)
    with st.container(key="sign-bar", gap="xxsmall"):
        # A dialog is outside of the element that has Streamlit's colours as variables.
        st.html(_STYLE.replace("PAPER", palette_of(theme()).paper))
        signs = _LABELS[word.verdict] + after_colon(word.option or "")
        st.caption(_you_sign(draft.me, f"**{signs}**"))
        if _draw_button(_ACTS[word.verdict], draft, type="primary", icon=":material/draw:", disabled=not is_confirmed):
            _submit(state, by, word, draft)


def _you_sign(me: Me, what: str) -> str:
    """`You sign as Abe, approver: Accept: Outbox table`; without a name where the form asks for it."""
    if me.person is None:
        return _("You sign: {what}", what=what)
    return _(
        "You sign as {name}, {role}: {what}", name=safe_line(me.person.name), role=named(me.person.role), what=what
    )


def _ask_confirmation(state: State, option: str | None, draft: FormDraft) -> bool:
    """Ask for confirmation if the option rests on unverified quotes; True if it is given or not needed."""
    if option is None or not rests_on(state, option):
        return True
    short = safe_label(option, max_chars=60)
    label = _("I know that {option} {rests}, and sign it anyway", option=short, rests=RESTS)
    return bool(st.checkbox(label, **draft.tick("rests", default=False)))


def _ask_changes(found: Decision, verdict: SignatureVerdict, draft: FormDraft) -> str:
    if verdict == "accept_with_changes":
        st.caption(_("The decision comes back here with the changes, and is final once it is signed with them."))
        return _ask_text(draft, "changes", _("Which changes (needed)"), found.changes_asked)
    if verdict == "accept" and found.changes_asked:
        return _ask_text(draft, "changed", _("The changes that were made"), found.changes_asked)
    return ""


def _ask_owner_and_review(draft: FormDraft, before: Signed) -> tuple[str, str]:
    whose, when = st.columns(2, gap="small")
    owner = whose.text_input(_("Owner: who carries it out"), max_chars=MAX_CHARS, **draft.value("owner", before.owner))
    day = when.date_input(
        _("Review on"),
        format=field_form(),
        help=_("On that day the home page asks for the review."),
        **draft.day("review", _split_review(before.revisit)[0]),
    )
    with when.container(horizontal=True, vertical_alignment="center", gap="small", key="review-ahead"):
        if day:
            st.caption(day_words(day))
        for number, (months, words) in enumerate(_REVIEWS.items()):
            ahead = (datetime.now(UTC) + timedelta(days=months * 365 / 12)).date().isoformat()
            st.button(
                words,
                key=f"{draft.name}:review-{number}",
                on_click=draft.fill,
                args=({"review": ahead},),
            )
    if not (owner and day):
        whose.caption(_("If you leave one empty, the decision record says so."))
    return owner or "", day.isoformat() if day else ""


def _split_review(revisit: str) -> tuple[str, str]:
    """The date with which a note on the review begins, and the event after it; either may be empty."""
    found = review_date(revisit[:10])
    day = found.isoformat() if found else ""
    return day, revisit.removeprefix(day).removeprefix(", ")


def _ask_afterwards(
    state: State, draft: FormDraft, before: Signed, offered: tuple[Assumption, ...] | None, day: str
) -> _Afterwards:
    """Ask for the fields about the time after the decision.

    `offered`: assumptions that were ticked, None = none; `day`: that of the review, beside which an event may be one.
    """
    event = st.text_input(
        _("Review after an event"),
        max_chars=MAX_CHARS,
        placeholder=_("after the first load test"),
        **draft.value("event", _split_review(before.revisit)[1]),
    )
    confirmation = _ask_text(draft, "confirmation", _("How it will be confirmed"), before.confirmation)
    informed = _ask_lines(draft, "informed", _("People to inform, one per line"), before.informed)
    affects = _ask_lines(
        draft,
        "affects",
        _("Parts of the system that it affects, one per line"),
        before.affects,
        placeholder=_("services/checkout/**, or a name"),
    )
    assumptions = (*_ask_assumptions(state, draft, before), *(offered or ()))
    reversibility = _ask_reversibility(draft, before)
    return {
        "revisit": ", ".join(filter(None, (day, event))),
        "confirmation": confirmation,
        "informed": informed,
        "affects": affects,
        "assumptions": assumptions,
        "assumes_nothing": offered is None,
        "reversibility": reversibility,
    }


def _ask_assumptions(state: State, draft: FormDraft, before: Signed) -> tuple[Assumption, ...]:
    claims = claim_names(state)
    _offer_reasons(state, draft)
    assumptions = _ask_text(
        draft,
        "assumptions",
        _("Assumptions, one per line"),
        write_assumptions(before.assumptions, claims),
        placeholder=_("Load stays below 2,000 a minute (claim 4) @Ana"),
        help=_(
            "Conditions for the decision to hold. Name the claim, after an @ the person who watches it, and in "
            "brackets a check: {forms}.",
            forms="; ".join(f"`[{form}]`" for form in FORMS),
        ),
    )
    return read_assumptions(assumptions, claims)


def _offer_reasons(state: State, draft: FormDraft) -> None:
    """Draw a button for each reason of the premortem that takes it as an assumption."""
    for number, reason in enumerate(reversal_reasons(state)):
        label = safe_label(_("Assume that this does not happen: {reason}", reason=reason), max_chars=120)
        st.button(label, key=f"assume-{number}", icon=":material/add:", on_click=_assume, args=(draft, reason))


def _assume(draft: FormDraft, reason: str) -> None:
    # On a draft that was never edited, `get` gives the text with which the field began.
    lines = str(draft.get("assumptions") or "").splitlines()
    taken = _("Does not happen: {reason}", reason=reason)
    if taken not in lines:
        draft.fill({"assumptions": "\n".join([*lines, taken])})


def _ask_reversibility(draft: FormDraft, before: Signed) -> Reversibility | None:
    words: tuple[Reversibility, ...] = get_args(Reversibility)
    chosen: Reversibility | None = st.segmented_control(
        _("Can it be reversed?"),
        words,
        format_func=lambda word: capitalized(REVERSIBILITIES[word]),
        **draft.pill_of("reversibility", words, before.reversibility),
    )
    return chosen


def _undecided_sentence(found: Decision) -> str:
    if found.seat_role is None:
        return _("The vote was undecided. Choose an outcome to continue.")
    decider = capitalized(named(found.decider))
    return _("{decider} named no option. Choose an outcome to continue.", decider=decider)


def _ask_choice(found: Decision, draft: FormDraft) -> Choice | None:
    """Ask for the act, and draw its meaning; None before a choice. It begins with the counted or the signed option."""
    is_counted = found.counted is not None
    differs = is_counted and found.option not in (None, found.counted)
    choices: list[Choice] = [choice for choice in _CHOICES if is_counted or choice != "other"]
    chosen: Choice | None = st.segmented_control(
        _("Your signature"),
        choices,
        format_func=_CHOICES.__getitem__,
        required=is_counted,
        **draft.pill_of("verdict", choices, ("other" if differs else "accept") if is_counted else None),
    )
    if chosen and chosen in _MEANINGS:
        st.caption(_MEANINGS[chosen])
    return chosen


def _ask_reason(draft: FormDraft, label: str) -> str:
    return st.text_input(label, max_chars=MAX_CHARS, **draft.value("reason", "")) or ""


def _ask_text(draft: FormDraft, name: str, label: str, value: str = "", **area: Any) -> str:
    return st.text_area(label, max_chars=MAX_CHARS, height=80, **area, **draft.value(name, value)) or ""


def _ask_lines(draft: FormDraft, name: str, label: str, lines: Sequence[str], **area: Any) -> tuple[str, ...]:
    typed = _ask_text(draft, name, label, "\n".join(lines), **area)
    return tuple(line.strip() for line in typed.splitlines() if line.strip())


def _ask_option(state: State, found: Decision, draft: FormDraft) -> str | None:
    def label_option(option: str) -> str:
        flat = " ".join(option.split())
        return flat if found.counted in (None, option) else _("{option}: differs from the count", option=flat)

    began = draft.one_of("option", state.spec.options, found.option or found.counted)
    words = _("Choose the decision")
    return st.selectbox(_("Option"), state.spec.options, placeholder=words, format_func=label_option, **began)


def _label_reason(found: Decision, option: str | None, *, accepts: bool) -> str:
    """The label of the reason, which says if it is mandatory."""
    if not accepts:
        return _("Reason (needed)")
    if option is not None and option != found.counted:
        says = _(
            "{decider} says {counted}",
            decider=named(found.decider),
            counted=safe_label(found.counted or _("nothing"), max_chars=60),
        )
        return _("Reason (needed: {says}; both are kept)", says=says)
    return _("Reason (optional)")


def _ask_name(state: State, draft: FormDraft, label: str) -> str:
    """The person of the room; without a room ask for a name."""
    if state.spec.has_people:
        return draft.me.actor
    typed = st.text_input(label, max_chars=80, help=_("The record keeps it."), **draft.value("name", draft.me.name))
    return (typed or "").strip()


def _make_draft(state: State, me: Me, of: str) -> FormDraft:
    """The draft of this person; without a room there is one for the screen."""
    whose = me.actor if state.spec.has_people else "screen"
    return FormDraft(f"{state.debate}/{whose}/{of}", state.debate, me)


def _draw_button(label: str, draft: FormDraft, **button: Any) -> bool:
    may = partial(session.may_still_act, draft.debate, draft.me)
    return pressed(label, key=f"{draft.name}:go", may=may, width="stretch", **button)


def _submit(state: State, by: str, act: RoomAct, draft: FormDraft) -> None:
    if not by:
        st.error(_("Enter your name for the record."), icon=":material/error:")
    elif session.give(state.debate, draft.me, partial(Act, act=act), name=by):
        draft.drop()
        st.session_state[OPEN] = False
        # As a toast: a phone may be scrolled far below the new signature.
        session.tell(_("Signed") if isinstance(act, Signed) else _("Recorded"))
        st.rerun()
    else:
        session.show_problem()


def _draw_dissent_form(account: Account, me: Me) -> None:
    state = account.state
    if not session.may(state, me, Dissented):
        return
    kinds = [*DISSENTS]
    draft = _make_draft(state, me, "dissent")
    with st.expander(_("Record a dissent or an objection"), icon=":material/record_voice_over:", key="dissent"):
        began = draft.pill_of("kind", kinds, "dissent")
        kind = st.segmented_control(_("Dissent or objection"), kinds, format_func=DISSENTS.__getitem__, **began)
        text = _ask_text(draft, "text", _("Word for word"))
        named = st.toggle(_("With my name in the decision record"), **draft.tick("named", default=True))
        if not named:
            st.caption(_("The decision record leaves your name out. The record of all events still has it."))
        by = _ask_name(state, draft, _("Your name with the dissent"))
        if _draw_button(_("Record this statement"), draft, disabled=not text.strip()):
            _submit(state, by, Dissented(kind=kind or "dissent", text=text, named=bool(named)), draft)


def _draw_outcome_form(account: Account, me: Me) -> None:
    state = account.state
    if not session.may(state, me, OutcomeRecorded) or missing_to_sign(account):
        return
    results = [*RESULTS]
    right = ("", *state.spec.options)
    draft = _make_draft(state, me, "outcome")
    # The home page links here on the date of the review, and then the form is open.
    with st.expander(_("Later: the outcome"), icon=":material/history:", expanded=is_due(account), key="became"):
        began = draft.pill_of("result", results, "unknown")
        result = st.segmented_control(_("The decision"), results, format_func=result_words, **began)
        option = st.selectbox(
            _("Which option turned out right"),
            right,
            format_func=lambda name: name or _(_UNKNOWN),
            **draft.one_of("option", right, ""),
        )
        reason = _ask_text(draft, "reason", _("How you know (needed)"))
        by = _ask_name(state, draft, _("Your name with the outcome"))
        if _draw_button(_("Record it"), draft, disabled=not reason.strip()):
            act = OutcomeRecorded(result=result or "unknown", option=option or None, reason=reason)
            _submit(state, by, act, draft)


def is_due(account: Account) -> bool:
    """True if the review date has come and no outcome was recorded since the signature."""
    return date_has_come(account.decision.review, datetime.now(UTC).date())
