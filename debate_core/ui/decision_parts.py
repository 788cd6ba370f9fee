"""The decision of record on screen: the count, who signed what, dissent word for word, what became of it later.

Draws what `report.decision` derived; knows no rules. Called by the decision desk, in the room and on the results page.
"""

import streamlit as st

from debate_core.record.state import State
from debate_core.report.facts.decision import VERDICTS, Decision, Dissent, Later, Signature, missing_to_sign
from debate_core.report.facts.synthesis import flag_rows
from debate_core.ui.parts import Colour, show_line, show_text

_BADGES: dict[str, tuple[str, Colour, str]] = {
    "accept": ("Accepted", "green", ":material/verified:"),
    "accept_with_changes": ("Accepted with changes", "green", ":material/verified:"),
    "reject": ("Rejected", "red", ":material/block:"),
    "escalate": ("Escalated: waits for a word", "orange", ":material/priority_high:"),
}


def badge(found: Decision) -> None:
    """How the decision stands, with colour, icon and word."""
    if found.signed is None:
        words = "Not counted yet" if found.pending else "Proposed: not signed"
        st.badge(words, color="gray" if found.pending else "yellow", icon=":material/draw:")
        return
    words, colour, icon = _BADGES[found.signed.word.verdict]
    st.badge(words, color=colour, icon=icon)


def counted(found: Decision) -> None:
    """The count that decides, as arithmetic."""
    st.markdown(f"**The count** · {show_text(found.arithmetic)}")


def warnings(state: State) -> None:
    """What somebody should know before they sign; it keeps nobody from it."""
    unsettled = [f for f in flag_rows(state) if not f.resolved]
    if unsettled:
        lines = "\n".join(f"- {show_line(f.line, max_chars=200)}" for f in unsettled)
        st.warning(f"Flagged lines of the synthesis that nobody settled:\n\n{lines}", icon=":material/flag:")
    if (why := missing_to_sign(state)) and state.outcome is not None:
        st.info(show_text(why), icon=":material/hourglass_top:")


def signature(signed: Signature) -> None:
    """What was signed, by whom, when; both values where they differ."""
    word = signed.word
    option = f": **{show_line(word.option)}**" if word.option else ""
    with st.container(border=True, key="signature"):
        st.markdown(f":material/draw: **{show_line(signed.by.name)}** {VERDICTS[word.verdict]}{option}")
        st.caption(when_words(signed.at))
        if signed.differs:
            says = show_line(signed.counted or "nothing")
            st.markdown(f"The count says **{says}**. The approver decided otherwise; both values stay in the record.")
        for label, text in _fields(signed):
            st.markdown(f"**{label}**  \n{show_text(text)}")


def _fields(signed: Signature) -> list[tuple[str, str]]:
    word = signed.word
    fields = [
        ("Changes", word.changes),
        ("Reason", word.reason),
        ("Owner", word.owner),
        ("How it will be confirmed", word.confirmation),
        ("To be looked at again", word.revisit),
        ("Informed", ", ".join(word.informed)),
    ]
    return [(label, text) for label, text in fields if text.strip()]


def earlier(found: Decision) -> None:
    """Signatures that were replaced: they stay in the record."""
    if not found.earlier:
        return
    with st.expander(f"Earlier signatures: {len(found.earlier)}"):
        for old in reversed(found.earlier):
            option = f", {show_line(old.word.option)}" if old.word.option else ""
            reason = f": {show_line(old.word.reason)}" if old.word.reason.strip() else ""
            who = show_line(old.by.name)
            st.markdown(f"- {when_words(old.at)} · {who} · {VERDICTS[old.word.verdict]}{option}{reason}")


def dissents(found: tuple[Dissent, ...]) -> None:
    """Word for word."""
    for said in found:
        by = show_line(said.by.name) if said.by else "without a name"
        with st.container(border=True):
            st.caption(f"{said.kind.capitalize()} · {by} · {when_words(said.at)}")
            st.markdown(show_text(said.text))


def outcomes(found: tuple[Later, ...]) -> None:
    """How the decision turned out, as recorded; nothing if nobody has said."""
    for seen in found:
        right = f" · right was **{show_line(seen.option)}**" if seen.option else ""
        st.markdown(f":material/history: **{seen.result.capitalize()}**{right}: {show_text(seen.reason)}")
        st.caption(f"{show_line(seen.by.name)} · {when_words(seen.at)}")


def when_words(at: str) -> str:
    """`2026-03-04 05:06 UTC`."""
    return f"{at[:16].replace('T', ' ')} UTC"
