"""How a synthesis is shown: the version that stands with what code and the room say of each line, and what changed.

Knows no rules and no roles: draws rows of the reports.
"""

import streamlit as st

from debate_core.language import Words, _, message
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
from debate_core.report.words.outcome import unheard_words
from debate_core.spec.contents import Synthesis
from debate_core.text import capitalized
from debate_core.ui.kit.badges import Colour
from debate_core.ui.kit.places import in_places
from debate_core.ui.kit.text import after_colon, safe_line, safe_text
from debate_core.ui.results.sections import claim_words

_FLAGS: dict[str, tuple[str, Colour, str]] = {
    "unlinked": (message("rests on nothing"), "red", ":material/block:"),
    "unknown_claim": (message("links what is not there"), "red", ":material/block:"),
    "not_said": (message("names what nobody said"), "red", ":material/error:"),
    "not_in_links": (message("names what its links do not say"), "red", ":material/error:"),
    "struck": (message("links a struck turn"), "red", ":material/error:"),
    "unverified": (message("rests on unverified quotes"), "red", ":material/error:"),
    "thin": (message("few of its words were said"), "orange", ":material/warning:"),
    "polarity": (message("the other way round?"), "orange", ":material/warning:"),
    "own_words": (message("the synthesiser's own judgement"), "violet", ":material/edit_note:"),
    "flagged": (message("flagged by the room"), "orange", ":material/flag:"),
    "flag_settled": (message("flag settled"), "gray", ":material/flag_check:"),
}
_MARKS: dict[DiffMark, tuple[str, Colour, str]] = {
    "kept": (message("kept"), "gray", ":material/check:"),
    "out": (message("taken out"), "red", ":material/remove:"),
    "in": (message("put in"), "green", ":material/add:"),
}
_TITLES = Words({"option": "Option named", "confidence": "How sure", "flag": "Flags on words that stand there no more"})


def show(account: Account) -> None:
    """The version that stands, its flags, and the versions before it side by side."""
    if not account.synthesis:
        st.caption(_("No synthesis has been given."))
        return
    in_places((_standing, beside), account)


def _standing(account: Account) -> None:
    state = account.state
    rows = account.synthesis
    held = account.versions
    st.caption(safe_line(version_sentence(held)))
    if words := unheard_words(state.outcome):
        st.markdown(safe_text(words))
    st.markdown("\n".join(_lines(account, rows)))
    if rows[0].accepted_by:
        st.caption(_("Stands in the name of {accepted_by}.", accepted_by=safe_line(", ".join(rows[0].accepted_by))))
    for word in held[-1].own_words:
        icon = _(":violet[:material/edit_note: **Own judgement:**]")
        st.markdown(
            _("{icon} “{line}” Reason: {reason}", icon=icon, line=safe_line(word.line), reason=safe_line(word.reason))
        )
    for flag in account.synthesis_flags:
        st.markdown(flag_words(flag))


def _lines(account: Account, rows: tuple[SynthesisRow, ...]) -> list[str]:
    told = list[str]()
    section = ""
    for row in rows:
        if row.section != section:
            section = row.section
            told.append(f"\n**{_TITLES.get(section, capitalized(section))}**\n")
        links = ", ".join(claim_words(account, i) for i in row.links)
        flags = " ".join(badge(f) for f in row.flags)
        told.append(f"- {safe_line(row.text)}{_(' — rests on {links}', links=links) if links else ''} {flags}")
    return told


def badge(flag: str) -> str:
    """What was found on a line: icon, word and colour."""
    known, colour, icon = _FLAGS[flag]
    word = _(known)
    return f":{colour}-badge[{icon} {word}]"


def flag_words(flag: FlagRow) -> str:
    """A flag in one line: who, on what, why, and what became of it."""
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
    """The first version and the one that stands, and line by line what became of it; nothing while there is one."""
    held = account.versions
    if len(held) < 2:
        return
    kept = draft_kept(account.state)
    if kept:
        st.caption(_("{kept} of {of} lines of the draft stand as they were.", kept=kept.kept, of=kept.of))
    with st.expander(_("{held} versions, side by side", held=len(held)), key="versions"):
        numbers = range(1, len(held))
        chosen = numbers[0]
        if len(held) > 2:
            chosen = st.selectbox(_("Compare with version"), numbers, key="synthesis_version") or chosen
        before = held[chosen - 1]
        now = held[-1]
        left, right = st.columns(2, gap="medium")
        with left:
            _whole(before, chosen)
        with right:
            _whole(now, len(held))
        st.markdown(_("**What changed**"))
        changes(before.content, now.content)


def _whole(version: SynthesisVersion, number: int) -> None:
    st.markdown(_("**Version {number}** · {words}", number=number, words=safe_line(version.words)))
    told = [_("Reason: {reason}", reason=safe_line(version.reason))] if version.reason else []
    for name, texts in sections(version.content).items():
        if texts:
            told.append(f"\n**{_TITLES.get(name, capitalized(name))}**\n")
            told += [f"- {safe_line(text)}" for text in texts]
    st.markdown("\n".join(told))


def changes(before: Synthesis, now: Synthesis) -> None:
    """Section by section what was kept, taken out and put in, with icon and word."""
    told = []
    for name, lines in differences(before, now).items():
        if lines:
            told.append(f"\n**{_TITLES.get(name, capitalized(name))}**\n")
        for mark, text in lines:
            known, colour, icon = _MARKS[mark]
            word = _(known)
            told.append(f"- :{colour}[{icon} {word}:] {safe_text(text)}")
    st.markdown("\n".join(told))
