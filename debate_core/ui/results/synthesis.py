"""The synthesis on screens: the current version with findings and flags on each line, and the changes.

Knows no rules and no roles: draws rows of the reports.
"""

import streamlit as st

from debate_core.language import _, message, said
from debate_core.record.state import State
from debate_core.report.facts.account import Account
from debate_core.report.facts.synthesis import (
    DiffMark,
    FlagRow,
    SynthesisRow,
    SynthesisVersion,
    differences,
    draft_kept,
    sections,
    version_sentence,
)
from debate_core.report.phrases.content_lines import REMARKS, section_title
from debate_core.report.phrases.lost_claims import lost_claims_sentence
from debate_core.report.phrases.outcome import unheard_words
from debate_core.spec.contents import Synthesis
from debate_core.spec.output_schema import indented, mismatch
from debate_core.text import whole_sentence
from debate_core.ui.kit.badges import Colour
from debate_core.ui.kit.places import in_places
from debate_core.ui.kit.text import after_colon, safe_line, safe_text
from debate_core.ui.results.sections import claim_words

_FLAGS: dict[str, tuple[Colour, str]] = {
    "unlinked": ("red", ":material/block:"),
    "unknown_claim": ("red", ":material/block:"),
    "not_said": ("red", ":material/error:"),
    "not_in_links": ("red", ":material/error:"),
    "struck": ("red", ":material/error:"),
    "unverified": ("red", ":material/error:"),
    "thin": ("orange", ":material/warning:"),
    "polarity": ("orange", ":material/warning:"),
    "own_words": ("violet", ":material/edit_note:"),
    "flagged": ("orange", ":material/flag:"),
    "flag_settled": ("gray", ":material/flag_check:"),
}
_MARKS: dict[DiffMark, tuple[str, Colour, str]] = {
    "kept": (message("kept"), "gray", ":material/check:"),
    "out": (message("taken out"), "red", ":material/remove:"),
    "in": (message("put in"), "green", ":material/add:"),
}


def show(account: Account) -> None:
    """Draw the current version with its flags, and earlier versions side by side."""
    if not account.synthesis:
        st.caption(_("No synthesis has been given."))
        return
    in_places((_draw_current, beside), account)


def _draw_current(account: Account) -> None:
    rows = account.synthesis
    versions = account.versions
    st.caption(safe_line(version_sentence(versions)))
    if words := lost_claims_sentence(account):
        st.markdown(words)
    if words := unheard_words(account.state.outcome):
        st.markdown(safe_text(words))
    st.markdown("\n".join(_format_lines(account, rows)))
    draw_deliverable(account.state, versions[-1].content.deliverable)
    if rows[0].accepted_by:
        st.caption(_("Accepted by {accepted_by}.", accepted_by=safe_line(", ".join(rows[0].accepted_by))))
    for word in versions[-1].own_words:
        icon = _(":violet[:material/edit_note: **Own judgement:**]")
        st.markdown(
            _("{icon} “{line}” Reason: {reason}", icon=icon, line=safe_line(word.line), reason=safe_line(word.reason))
        )
    for flag in account.synthesis_flags:
        st.markdown(flag_words(flag))


def draw_deliverable(state: State, text: str | None) -> None:
    """Draw a deliverable, and where it does not match the output schema; nothing without a schema."""
    if state.spec.protocol.output_schema is None:
        return
    st.markdown(f"**{_('Deliverable')}**")
    if why := mismatch(state.spec.protocol.output_schema, text):
        st.warning(safe_line(whole_sentence(said(why))), icon=":material/rule:")
    if text:
        st.code(indented(text), language="json")


def _format_title(section: str) -> str:
    return f"\n**{section_title(section)}**\n"


def _format_lines(account: Account, rows: tuple[SynthesisRow, ...]) -> list[str]:
    lines = list[str]()
    section = ""
    for row in rows:
        if row.section != section:
            section = row.section
            lines.append(_format_title(section))
        links = ", ".join(claim_words(account, i) for i in row.links)
        basis = _(" — rests on {links}", links=links) if links else ""
        flags = " ".join(badge(flag) for flag in row.flags)
        lines.append(f"- {safe_line(row.text)}{basis} {flags}")
    return lines


def badge(flag: str) -> str:
    """The badge of a finding on a line: icon, word and colour."""
    colour, icon = _FLAGS[flag]
    return f":{colour}-badge[{icon} {REMARKS[flag]}]"


def flag_words(flag: FlagRow) -> str:
    """A flag in one line: text, author, reason and resolution."""
    icon = _(":orange[:material/flag: **Flagged:**]")
    end = ""
    if flag.resolved:
        icon = _(":gray[:material/flag_check: **Settled:**]")
        end = f" → {safe_line(flag.resolved_by)}: {safe_line(flag.resolved)}"
    return _(
        "{icon} “{line}” by {by}{why}{end}",
        icon=icon,
        line=safe_line(flag.line),
        by=safe_line(flag.by),
        why=after_colon(flag.reason),
        end=end,
    )


def beside(account: Account) -> None:
    """Draw an earlier version, the current one, and the changes; nothing with one version."""
    versions = account.versions
    if len(versions) < 2:
        return
    kept = draft_kept(account.state)
    if kept:
        st.caption(_("{kept} of {of} lines of the draft are unchanged.", kept=kept.kept, of=kept.of))
    with st.expander(_("{held} versions, side by side", held=len(versions)), key="versions"):
        numbers = range(1, len(versions))
        chosen = numbers[0]
        if len(versions) > 2:
            chosen = st.selectbox(_("Compare with version"), numbers, key="synthesis_version") or chosen
        before = versions[chosen - 1]
        now = versions[-1]
        left, right = st.columns(2, gap="medium")
        with left:
            _draw_version(before, chosen)
        with right:
            _draw_version(now, len(versions))
        st.markdown(_("**What changed**"))
        changes(before.content, now.content)


def _draw_version(version: SynthesisVersion, number: int) -> None:
    st.markdown(_("**Version {number}** · {words}", number=number, words=safe_line(version.words)))
    lines = [_("Reason: {reason}", reason=safe_line(version.reason))] if version.reason else []
    for name, texts in sections(version.content).items():
        if texts:
            lines += [_format_title(name), *(f"- {safe_line(text)}" for text in texts)]
    st.markdown("\n".join(lines))


def changes(before: Synthesis, now: Synthesis) -> None:
    """Draw the kept, removed and added lines by section, with icon and word."""
    drawn = []
    for name, lines in differences(before, now).items():
        if lines:
            drawn.append(_format_title(name))
        for mark, text in lines:
            word, colour, icon = _MARKS[mark]
            drawn.append(f"- :{colour}[{icon} {_(word)}:] {safe_text(text)}")
    st.markdown("\n".join(drawn))
