"""A signature on the screen: its badge and fields, warnings before it, dissents and outcomes after it."""

from collections.abc import Iterator, Mapping
from functools import partial

import streamlit as st

from debate_core.language import _, message
from debate_core.record.acts import (
    OutcomeResult,
    Signed,
)
from debate_core.report.facts.account import Account
from debate_core.report.facts.decision import (
    DISSENTS,
    RESULTS,
    VERDICTS,
    Decision,
    Signature,
    SignatureVerdict,
)
from debate_core.report.facts.terms import named
from debate_core.report.facts.who_decided import who_decided
from debate_core.report.phrases.contradictions import contradiction_sentence
from debate_core.report.phrases.decision import (
    arithmetic,
    assumptions_words,
    challenge_sentence,
    missing_to_sign,
    reversibility_words,
    signed_words,
)
from debate_core.report.phrases.decision_status import STATUS, count_line, decision_status, others_line
from debate_core.report.phrases.evidence import rests_sentence
from debate_core.report.phrases.judging import judged_words
from debate_core.report.phrases.minority import minority_reason
from debate_core.report.phrases.names import in_names
from debate_core.report.phrases.who_decided import count_sentence
from debate_core.text import capitalized
from debate_core.ui.kit.badges import Colour
from debate_core.ui.kit.dates import minute_words, spell_days
from debate_core.ui.kit.session import Me
from debate_core.ui.kit.text import after_colon, safe_line, safe_text

MAX_REASON_WORDS = 40
"""Words of the reason that the card of the decision in a room has."""
_BADGES: Mapping[SignatureVerdict, tuple[str, Colour, str]] = {
    "accept": (message("Decided and signed"), "green", ":material/verified:"),
    "accept_with_changes": (message("Accepted with changes"), "green", ":material/verified:"),
    "reject": (message("Rejected"), "red", ":material/block:"),
    "escalate": (message("Escalated: waits for a decision"), "orange", ":material/priority_high:"),
}


def badge(found: Decision) -> None:
    """Draw the status of the decision with colour, icon and word."""
    if found.signed is None and found.pending:
        st.badge(_("Not counted yet"), color="gray", icon=":material/draw:")
        return
    if found.signed is None:
        words = STATUS["counted" if found.counted is not None else "undecided"]
        st.badge(words, color="gray", icon=":material/draw:")
        return
    if found.changes_asked:
        st.badge(_("Changes first, then a new signature"), color="orange", icon=":material/edit_note:")
        return
    words, colour, icon = _BADGES[found.signed.word.verdict]
    st.badge(_(words), color=colour, icon=icon)


def counted(account: Account) -> None:
    """Draw the deciding count, or the statement of the deciding seat."""
    if others := others_line(account):
        line = account.once(decision_status).line
        st.markdown(f"**{safe_text(line)}**  \n:gray[{safe_line(others)}]")
        return
    words = count_line(account) or arithmetic(account)
    st.markdown(f"**{capitalized(named(account.decision.decider))}** · {safe_text(words)}")


def warnings(account: Account) -> None:
    """Draw warnings for signers; they prevent no signature."""
    if words := rests_sentence(account):
        st.error(safe_text(in_names(account, words)), icon=":material/format_quote:")
    if words := contradiction_sentence(account):
        st.error(safe_text(words), icon=":material/contrast:")
    unsettled = [flag for flag in account.synthesis_flags if not flag.resolved]
    if unsettled:
        lines = "\n".join(f"- {safe_line(flag.line, max_chars=200)}" for flag in unsettled)
        st.warning(_("Lines of the synthesis with open flags:\n\n{lines}", lines=lines), icon=":material/flag:")
    if (why := missing_to_sign(account)) and account.state.outcome is not None:
        st.info(safe_text(why), icon=":material/hourglass_top:")


def draw_doubts(account: Account) -> None:
    """Draw the cautions of the overview, the judges' mean and a reason of the minority, for signers."""
    found = [caution for caution in account.once(decision_status).cautions if caution.level in ("grave", "missing")]
    lines = []
    for caution in found:
        # What is missing says all in its words.
        why = f" {safe_line(caution.reason)}" if caution.level == "grave" else ""
        lines.append(f":material/warning: **{safe_line(caution.words)}.**{why}")
    if judged := judged_words(account):
        lines.append(_("Judges' mean: {judged}", judged=safe_line(judged)))
    if lines:
        st.markdown("  \n".join(lines))
    if reason := account.once(minority_reason):
        label, text = reason
        st.markdown(f"**{safe_line(label)}**: {safe_text(text)}")


def challenges(account: Account) -> None:
    """Draw the assumptions that broke since the signature."""
    for challenge in account.decision.challenges:
        words = in_names(account, challenge_sentence(challenge))
        st.warning(safe_text(words), icon=":material/priority_high:")


def signature(
    account: Account, signed: Signature, *, key: str = "signature", is_told: bool = False, in_card: bool = False
) -> None:
    """Draw the signature with its fields, and the count if it differs.

    `is_told`: signer, time, review and the beginning of the reason and of the assumptions are drawn above. `in_card`:
    these two are drawn in full elsewhere, too.
    """
    told = _list_fields(account, signed.word, is_told=is_told)
    for label in _labels_above(told, is_told=is_told, in_card=in_card):
        told.pop(label, None)
    if is_told and not told and not signed.differs:
        return
    with st.container(border=True, key=key):
        if not is_told:
            option = f"**{safe_line(signed.word.option)}**" if signed.word.option else None
            act = signed_words(f"**{safe_line(signed.by.name)}**", signed.word.verdict, option)
            st.markdown(f":material/draw: {act} :gray[· {minute_words(signed.at)}]")
        if signed.differs:
            st.markdown(_difference_words(account, signed))
        st.markdown(_field_lines(told))


def _labels_above(fields: Mapping[str, str], *, is_told: bool, in_card: bool) -> Iterator[str]:
    """Labels of the fields that are drawn in full above."""
    for label in (_("Reason"), _("Holds as long as")):
        if in_card or (is_told and len(fields.get(label, "").split()) <= MAX_REASON_WORDS):
            yield label


def _field_lines(fields: Mapping[str, str]) -> str:
    lines = [f"**{label}**: {safe_text(text)}" for label, text in fields.items()]
    has_paragraphs = any("\n" in text for text in fields.values())
    return ("\n\n" if has_paragraphs else "  \n").join(lines)


def _difference_words(account: Account, signed: Signature) -> str:
    """Name the counted result, for a signature under another one."""
    if signed.counted is None:
        return safe_text(count_sentence(account.once(who_decided)))
    decider = capitalized(named(account.decision.decider))
    says = _("{decider} says **{counted}**", decider=decider, counted=safe_line(signed.counted))
    return _("{says}. The approver chose another result; both stay in the record.", says=says)


def _list_fields(account: Account, word: Signed, *, is_told: bool) -> dict[str, str]:
    """Label and text of each field that is filled in; `is_told`: without owner and review, which the card above has."""
    fields = {
        _("Changes"): word.changes,
        _("Reason"): word.reason,
        _("Owner"): "" if is_told else word.owner,
        _("How it will be confirmed"): word.confirmation,
        _("Review on"): "" if is_told else spell_days(word.revisit),
        _("Informed"): ", ".join(word.informed),
        _("Affects"): ", ".join(word.affects),
        _("Reversibility"): capitalized(reversibility_words(word)),
        _("Holds as long as"): "\n".join(assumptions_words(word, partial(in_names, account))),
    }
    return {label: text for label, text in fields.items() if text.strip()}


def earlier(found: Decision) -> None:
    """Draw the signatures that were replaced, which stay in the record."""
    if not found.earlier:
        return
    with st.expander(_("Earlier signatures: {earlier}", earlier=len(found.earlier)), key="earlier-signatures"):
        for old in reversed(found.earlier):
            option = f", {safe_line(old.word.option)}" if old.word.option else ""
            who = safe_line(old.by.name)
            verdict = f"{VERDICTS[old.word.verdict]}{option}{after_colon(old.word.reason)}"
            st.markdown(f"- {minute_words(old.at)} · {who} · {verdict}")


def draw_dissents(account: Account, _me: Me) -> None:
    """Draw each dissent with its author and time."""
    for dissent in account.decision.dissents:
        by = safe_line(dissent.by.name) if dissent.by else _("without a name")
        with st.container(border=True):
            st.caption(f"{DISSENTS[dissent.kind]} · {by} · {minute_words(dissent.at)}")
            st.markdown(safe_text(dissent.text))


def result_words(result: OutcomeResult) -> str:
    """`Held`, for a line or a choice."""
    return capitalized(RESULTS[result])


def draw_outcomes(account: Account, _me: Me) -> None:
    """Draw how the decision turned out, as recorded later."""
    for later in account.decision.later:
        right = _(" · right was **{option}**", option=safe_line(later.option)) if later.option else ""
        st.markdown(f":material/history: **{result_words(later.result)}**{right}: {safe_text(later.reason)}")
        st.caption(f"{safe_line(later.by.name)} · {minute_words(later.at)}")
