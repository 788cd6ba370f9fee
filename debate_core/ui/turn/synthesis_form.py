"""The fields of a synthesis, and beside each line what code says of it while it is written.

One form for whoever gives the synthesis as a turn and for whoever writes a version of one that was given. What is
wrong with a line is for `synthesis_checks` to say.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial

import streamlit as st

from debate_core.engine.seat_names import BY_ID, SeatNames
from debate_core.engine.seat_view import View, seen_turns, view
from debate_core.errors import BadReply
from debate_core.language import Words, _, _n, message
from debate_core.record.acts import OwnWords, SynthesisRevised
from debate_core.record.state import Request, State
from debate_core.report.facts.synthesis_checks import (
    NOBODY,
    Checked,
    CheckedLine,
    Ground,
    GroundPassage,
    LineRemark,
    Severity,
    answer_lines,
    check,
    check_line,
    ground_of,
    nobody_argued,
)
from debate_core.seats.code_synthesis import draft_synthesis
from debate_core.spec.contents import Strongest, Synthesis
from debate_core.spec.values import MAX_TEXT_CHARS
from debate_core.ui.kit import session
from debate_core.ui.kit.badges import Colour
from debate_core.ui.kit.drafts import FormDraft, Plain
from debate_core.ui.kit.text import safe_label, safe_line
from debate_core.ui.turn import claims_beside, fields
from debate_core.ui.turn.fields import MAX_LINE_CHARS, MAX_ROWS, TRIED, Fields

MAX_REASON_CHARS = 500
_LOOKS: dict[Severity, tuple[str, Colour, str]] = {
    "blocks": (message("Cannot be given"), "red", ":material/block:"),
    "red": (message("Not borne out"), "red", ":material/error:"),
    "amber": (message("Look again"), "orange", ":material/warning:"),
}
_SURE = (
    message("very unsure"),
    message("unsure"),
    message("undecided"),
    message("fairly sure"),
    message("very sure"),
)
_SECTIONS = Words({"established": "Established", "contested": "Still contested"})


@dataclass(frozen=True, slots=True)
class Sheet:
    """One form of a synthesis: its draft, what its lines can rest on, and whether reasons for own words are kept."""

    draft: FormDraft
    options: Sequence[str]
    ground: Ground
    keeps_reasons: bool
    names: SeatNames = BY_ID
    """How seats are called in what is shown and typed here. Links are kept by the ids that the record has."""


def sure_word(percent: int) -> str:
    """How sure somebody is, in a word."""
    return _(_SURE[min(percent // 20, 4)])


def sheet_of(state: State, request: Request, draft: FormDraft) -> Sheet:
    """The form of a synthesis that is asked as a turn: the turns that its seat sees, and struck ones, to say so."""
    struck = [t for t in state.turns if t.status == "struck"]
    ground = ground_of(state, (*seen_turns(state, request), *struck))
    may = session.may(state, session.me(state), SynthesisRevised)
    names = view(state, request).names
    return Sheet(draft, state.spec.options, ground, keeps_reasons=may, names=names)


def synthesis_fields(sheet: Sheet) -> None:
    """Every field, each line with its links and what code says of it; the claims beside them can be pressed."""
    claims = {i: passage for i, passage in sheet.ground.passages.items() if passage.number}
    if not claims:
        _fields(sheet)
        return
    write, read = st.columns([3, 2], gap="medium")
    with write:
        _fields(sheet)
    with read:
        texts = {i: sheet.names.shown(passage.point) for i, passage in claims.items()}
        numbers = {i: passage.number for i, passage in claims.items()}
        claims_beside.show(sheet.draft, texts, numbers, _targets(sheet))


def _targets(sheet: Sheet) -> dict[str, str]:
    """Lines that rest on claims, by the field of their links."""
    draft = sheet.draft
    found = {
        f"strongest{number}.links": _("Strongest for {option}", option=option)
        for number, option in enumerate(sheet.options)
        if not draft.get(f"strongest{number}.none")
    }
    for section, words in _SECTIONS.items():
        found |= {f"{section}{n}.links": f"{words} {n + 1}" for n in range(fields.count(draft, section))}
    return found or {"strongest0.links": _("Strongest for {option}", option=sheet.options[0])}


def _fields(sheet: Sheet) -> None:
    draft = sheet.draft
    options = sheet.options
    answer = fields.area(draft, "answer", _("What the debate showed"), max_chars=MAX_TEXT_CHARS, height=150)
    # In a place of its own: what is found in the answer moves no line below it, in which somebody may be writing.
    with st.container():
        if draft.get(TRIED) and not answer.strip():
            fields.fault({"answer": _("The answer is empty: say what the debate showed.")}, "answer")
        _remarks(sheet, "answer", _("What the debate showed"), answer_lines(sheet.ground, sheet.names.real(answer)))
    st.selectbox(
        _("Option you name"),
        options,
        placeholder=_("none: nothing was established that decides it"),
        **draft.one_of("option", options),
    )
    with st.container():
        fields.confidence(draft)
        sure = draft.get("confidence")
        if isinstance(sure, int):
            st.caption(_("{sure} of 100: {meaning}", sure=sure, meaning=sure_word(sure)))
    st.markdown(_("**Strongest argument for each option**"))
    for number, option in enumerate(options):
        _strongest(sheet, number, option)
    for section, words in _SECTIONS.items():
        with st.container():
            st.markdown(f"**{words}**")
            for number in range(fields.count(draft, section)):
                with st.container(border=True, key=draft.place(f"{section}{number}")):
                    _line(sheet, f"{section}{number}", f"{words} {number + 1}")
            fields.more(draft, section, _("Add to “{section}”", section=words), MAX_ROWS, of=words)


def _strongest(sheet: Sheet, number: int, option: str) -> None:
    draft = sheet.draft
    name = f"strongest{number}"
    with st.container(border=True, key=draft.place(name)):
        if not draft.get(f"{name}.none"):
            _line(sheet, name, safe_label(option))
        st.checkbox(safe_label(nobody_argued(option), max_chars=80), **draft.tick(f"{name}.none"))


def _line(sheet: Sheet, name: str, label: str) -> None:
    draft = sheet.draft
    names = sheet.names
    labels = {i: names.shown(_label(passage)) for i, passage in sheet.ground.passages.items()}
    text = fields.area(draft, name, label, max_chars=MAX_LINE_CHARS, height=70).strip()
    st.multiselect(
        _("{line} rests on these claims or turns", line=label),
        format_func=lambda i: labels.get(i, str(i)),
        placeholder=_("pick, or type a number such as {example}", example=names.shown(next(iter(labels), "A2.3"))),
        accept_new_options=True,
        **draft.typed_of(f"{name}.links", [*labels]) | {"on_change": partial(_read_links, sheet, name)},
    )
    if text:
        links = tuple(draft.choices(f"{name}.links"))
        _remarks(sheet, name, label, [check_line(sheet.ground, CheckedLine("established", names.real(text), links))])


def _label(passage: GroundPassage) -> str:
    name = _("claim {number}", number=passage.number) if passage.number else passage.id
    return f"{name}: {' '.join(passage.point.split())[:160]}"


def _read_links(sheet: Sheet, name: str) -> None:
    """What was typed becomes the id that it means; what means nothing stays, and is said to be nothing."""
    draft = sheet.draft
    draft.save()
    meant = [sheet.ground.named(sheet.names.real(typed)) for typed in draft.choices(f"{name}.links")]
    draft.fill({f"{name}.links": [*dict.fromkeys(meant)]})


def _remarks(sheet: Sheet, name: str, label: str, lines: Sequence[CheckedLine]) -> None:
    """Icon, word and sentence for each thing found; a field for the reason where somebody has to answer for it."""
    for line in lines:
        for remark in line.remarks:
            _show_remark(sheet, line, remark)
    if any(line.has("red") for line in lines):
        _reason_field(sheet, name, label)
    elif _are_borne_out(lines):
        st.caption(_(":green[:material/check_circle: **Borne out:**] what it names stands in what it links."))


def _are_borne_out(lines: Sequence[CheckedLine]) -> bool:
    """True for lines without a remark; of an answer, which links nothing, it cannot be said."""
    has_remarks = any(line.remarks for line in lines)
    is_answer = any(line.section == "answer" for line in lines)
    return bool(lines) and not has_remarks and not is_answer


def _show_remark(sheet: Sheet, line: CheckedLine, remark: LineRemark) -> None:
    known, colour, icon = _LOOKS[remark.level]
    word = _(known)
    sentence = sheet.names.shown(remark.sentence)
    about = ""
    if line.section == "answer":
        about = f"“{safe_line(sheet.names.shown(line.text), max_chars=60)}” "
    st.markdown(f":{colour}[{icon} **{word}:**] {about}{safe_line(sentence)}")


def _reason_field(sheet: Sheet, name: str, label: str) -> None:
    if not sheet.keeps_reasons:
        st.caption(_("It can be given so; reports will say what was found."))
        return
    st.text_input(
        _("{line}: your own judgement? Say why it stands all the same (kept in the record)", line=label),
        max_chars=MAX_REASON_CHARS,
        **sheet.draft.value(f"{name}.why"),
    )


def code_button(draft: FormDraft, seen: View, names: SeatNames) -> None:
    """Fills the lines without a model; judges nothing."""
    st.button(
        _("Draft by code"),
        key=f"{draft.name}:code",
        icon=":material/account_tree:",
        help=_("Sorts the claims that were made and links to them; it judges nothing and names no option."),
        on_click=_fill_by_code,
        args=(draft, seen, names),
    )


def _fill_by_code(draft: FormDraft, seen: View, names: SeatNames) -> None:
    draft.save()
    fields_of_lines = lines_of(seen.names.real(draft_synthesis(seen)), seen.options)
    texts = {name: names.shown(value) for name, value in fields_of_lines.items() if isinstance(value, str)}
    draft.fill(fields_of_lines | texts)


def lines_of(given: Synthesis, options: Sequence[str]) -> dict[str, Plain]:
    """The lines of a synthesis as fields; answer, option and confidence are left to the person."""
    filled: dict[str, Plain] = {}
    strongest = {s.option: s for s in reversed(given.strongest)}
    for number, option in enumerate(options):
        argument = strongest.get(option, Strongest(option=option, text=""))
        nobody = argument.text == NOBODY
        filled[f"strongest{number}.none"] = int(nobody)
        filled |= _line_of(f"strongest{number}", "" if nobody else argument.text, argument.links)
    for section, lines in (("established", given.established), ("contested", given.contested)):
        filled[f"{section}#"] = len(lines[:MAX_ROWS])
        for number, line in enumerate(lines[:MAX_ROWS]):
            filled |= _line_of(f"{section}{number}", line.text, line.links)
    return filled


def _line_of(name: str, text: str, links: Sequence[str]) -> dict[str, Plain]:
    return {name: text[:MAX_LINE_CHARS], f"{name}.links": [*links], f"{name}.why": ""}


def written(sheet: Sheet) -> Checked | None:
    """What stands in the fields now and what code says of it; None before there is an answer."""
    try:
        given = Synthesis.model_validate(sheet.names.real(data(sheet.draft, sheet.options)))
        return check(sheet.ground, given, sheet.options)
    except BadReply:
        return None


def data(draft: FormDraft, options: Sequence[str]) -> Fields:
    """What was typed. BadReply if there is no answer."""
    strongest = []
    for number, option in enumerate(options):
        if draft.get(f"strongest{number}.none"):
            strongest.append({"option": option, "text": NOBODY})
        else:
            strongest += [{"option": option, **line} for line in fields.linked(draft, f"strongest{number}")]
    return {
        "answer": fields.required(draft, "answer", _("the answer is empty: say what the debate showed")),
        "strongest": strongest,
        **{section: fields.linked_lines(draft, section) for section in _SECTIONS},
        "option": draft.get("option"),
        "confidence": draft.get("confidence"),
    }


def answered_for(sheet: Sheet, given: Synthesis) -> tuple[OwnWords, ...]:
    """Lines that are the person's own judgement, with their reasons.

    BadReply while something blocks, or where a line that nothing bears out has no reason.
    """
    checked = check(sheet.ground, given, sheet.options)
    if blocking := checked.blocking():
        more = _(" ({blocking} more)", blocking=len(blocking) - 1) if len(blocking) > 1 else ""
        raise BadReply(sheet.names.shown(f"{blocking[0]}{more}"))
    if not sheet.keeps_reasons:
        return ()
    draft = sheet.draft
    reasons = {text: draft.text(f"{name}.why") for name, text in _typed(sheet)}
    own = []
    for line in checked.red():
        reason = draft.text("answer.why") if line.section == "answer" else reasons.get(line.text, "")
        if not reason:
            fault = next(r.sentence for r in line.remarks if r.level == "red")
            why = _(
                "“{line}”: {fault}. Change the line, link what says it, or say why it stands",
                line=line.text[:80],
                fault=fault,
            )
            raise BadReply(sheet.names.shown(why))
        own.append(OwnWords(line=line.text, reason=reason))
    return tuple(own)


def as_version(given: Synthesis, own: tuple[OwnWords, ...], reason: str = "") -> SynthesisRevised:
    """A version of a person. That nobody argued for an option links nothing: it is theirs to say."""
    if any(s.text == NOBODY for s in given.strongest):
        own = (*own, OwnWords(line=NOBODY, reason="no turn argues for it"))
    return SynthesisRevised(content=given, own_words=own, reason=reason)


def _typed(sheet: Sheet) -> Iterator[tuple[str, str]]:
    names = [f"strongest{n}" for n in range(len(sheet.options))]
    names += [f"{section}{n}" for section in _SECTIONS for n in range(fields.count(sheet.draft, section))]
    yield from ((name, sheet.names.real(sheet.draft.text(name))) for name in names)


def summary(checked: Checked) -> str:
    """`5 lines: 1 not borne out, 2 to look at again`."""
    lines = [line for line in checked.lines if line.section != "answer"]
    blocked = sum(line.has("blocks") for line in checked.lines) + len(checked.one_sided)
    remarks = []
    if blocked:
        remarks.append(_("{lines} that cannot be given so", lines=blocked))
    if red := checked.red():
        remarks.append(_("{lines} not borne out", lines=len(red)))
    if amber := sum(line.has("amber") for line in checked.lines):
        remarks.append(_("{lines} to look at again", lines=amber))
    if not remarks:
        remarks.append(_("all rest on what was said"))
    return _n(len(lines), "{n} line: {remarks}", "{n} lines: {remarks}", remarks=", ".join(remarks))
