"""The fields of a synthesis, with automatic checks of each line while it is written.

The same form serves the turn and later versions. `report.facts.synthesis_checks` does the checks.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import streamlit as st

from debate_core.engine.seat_names import BY_ID, SeatNames
from debate_core.engine.seat_view import View, output_schema_of, seen_turns, view
from debate_core.errors import BadReply
from debate_core.language import Words, _, _n, message, quoted, said
from debate_core.record.acts import OwnWords, SynthesisRevised
from debate_core.record.state import Request, State
from debate_core.report.facts.synthesis_checks import (
    NOBODY,
    Checked,
    CheckedLine,
    Ground,
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
from debate_core.spec.output_schema import indented, mismatch, unreadable
from debate_core.spec.values import MAX_TEXT_CHARS
from debate_core.text import whole_sentence
from debate_core.ui.kit import session
from debate_core.ui.kit.badges import Colour
from debate_core.ui.kit.drafts import FormDraft, Plain
from debate_core.ui.kit.text import safe_label, safe_line
from debate_core.ui.turn import claims_beside, fields
from debate_core.ui.turn.fields import MAX_LINE_CHARS, MAX_ROWS, TRIED, Fields

MAX_REASON_CHARS = 500
_LOOKS: dict[Severity, tuple[str, Colour, str]] = {
    "blocks": (message("Cannot be given"), "red", ":material/block:"),
    "red": (message("Not supported"), "red", ":material/error:"),
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
    """One form of a synthesis: its draft, the passages that lines can link, and whether it keeps reasons."""

    draft: FormDraft
    options: Sequence[str]
    ground: Ground
    keeps_reasons: bool
    names: SeatNames = BY_ID
    """Names of seats in shown and typed text. Links keep the ids of the record."""
    schema: str = ""
    """JSON Schema of the deliverable; "" = none is asked for."""


def sure_word(percent: int) -> str:
    """The confidence in words."""
    return _(_SURE[min(percent // 20, 4)])


def sheet_of(state: State, request: Request, draft: FormDraft) -> Sheet:
    """The form of a synthesis given as a turn, with the turns that its seat sees and, for warnings, struck ones."""
    struck = [t for t in state.turns if t.status == "struck"]
    ground = ground_of(state, (*seen_turns(state, request), *struck))
    may = session.may(state, session.me(state), SynthesisRevised)
    names = view(state, request).names
    schema = output_schema_of(state.spec, "synthesis")
    return Sheet(draft, state.spec.options, ground, keeps_reasons=may, names=names, schema=schema)


def synthesis_fields(sheet: Sheet) -> None:
    """Draw what is needed and every field, each line with its checks; a press on a claim beside them links it."""
    st.caption(_needed_words(sheet.draft, len(sheet.options)))
    claims = {i: passage for i, passage in sheet.ground.passages.items() if passage.number}
    if not claims:
        _draw_fields(sheet)
        return
    write, read = st.columns([3, 2], gap="medium")
    with write:
        _draw_fields(sheet)
    with read:
        texts = {i: sheet.names.shown(passage.point) for i, passage in claims.items()}
        numbers = {i: passage.number for i, passage in claims.items()}
        claims_beside.show(sheet.draft, texts, numbers, _list_link_fields(sheet))


def _needed_words(draft: FormDraft, options: int) -> str:
    """Name the parts without which no synthesis is given, and how many are written."""
    argued = sum(bool(draft.get(f"strongest{n}.none") or draft.text(f"strongest{n}")) for n in range(options))
    return _(
        "Needed: what the debate showed, and for each option the strongest argument or that no one argued for it. "
        "{written} of {of} written.",
        written=argued + bool(draft.text("answer")),
        of=options + 1,
    )


def _list_link_fields(sheet: Sheet) -> dict[str, str]:
    """Map the field of the links of each line to the label of the line."""
    draft = sheet.draft
    found = {
        f"strongest{number}.links": _("Strongest for {option}", option=option)
        for number, option in enumerate(sheet.options)
        if not draft.get(f"strongest{number}.none")
    }
    for section, words in _SECTIONS.items():
        found |= {f"{section}{n}.links": f"{words} {n + 1}" for n in range(fields.count(draft, section))}
    return found or {"strongest0.links": _("Strongest for {option}", option=sheet.options[0])}


def _draw_fields(sheet: Sheet) -> None:
    draft = sheet.draft
    options = sheet.options
    label = _("What the debate showed")
    answer = fields.area(draft, "answer", label, max_chars=MAX_TEXT_CHARS, height=150)
    # A container keeps the lines below in place when a remark appears.
    with st.container():
        if draft.get(TRIED) and not answer.strip():
            fields.fault({"answer": _("The answer is empty: say what the debate showed.")}, "answer")
        _draw_remarks(sheet, "answer", label, answer_lines(sheet.ground, sheet.names.real(answer)))
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
        _draw_strongest(sheet, number, option)
    for section, words in _SECTIONS.items():
        with st.container():
            st.markdown(f"**{words}**")
            for number in range(fields.count(draft, section)):
                with st.container(border=True, key=draft.place(f"{section}{number}")):
                    _draw_line(sheet, f"{section}{number}", f"{words} {number + 1}")
            fields.more(draft, section, _("Add to “{section}”", section=words), MAX_ROWS, of=words)
    with st.container():
        if sheet.schema:
            _draw_deliverable(sheet)


def _draw_deliverable(sheet: Sheet) -> None:
    """Draw the field of the deliverable as JSON text, its schema, and where the two do not match."""
    label = _("Deliverable, as JSON")
    text = fields.area(sheet.draft, "deliverable", label, max_chars=MAX_TEXT_CHARS, height=200)
    with st.expander(_("The schema that it must match"), key=sheet.draft.place("schema")):
        st.code(indented(sheet.schema), language="json")
    if not text.strip():
        return
    if fault := _fault_in_deliverable(sheet):
        st.markdown(f":red[:material/error:] {safe_line(whole_sentence(said(fault)))}")
    else:
        st.markdown(_(":green[:material/check_circle:] It matches the schema."))


def _fault_in_deliverable(sheet: Sheet) -> str | None:
    """The reason why the typed deliverable is no JSON or does not match its schema; None = it matches."""
    text = sheet.draft.text("deliverable")
    return unreadable(text) or mismatch(sheet.schema, text)


def _draw_strongest(sheet: Sheet, number: int, option: str) -> None:
    draft = sheet.draft
    name = f"strongest{number}"
    with st.container(border=True, key=draft.place(name)):
        if not draft.get(f"{name}.none"):
            _draw_line(sheet, name, safe_label(option))
        st.checkbox(safe_label(nobody_argued(option), max_chars=80), **draft.tick(f"{name}.none"))


def _draw_line(sheet: Sheet, name: str, label: str) -> None:
    def resolve_links() -> None:
        """Replace typed names of claims and turns by their ids; unknown names stay and get a remark."""
        draft.save()
        ids = [sheet.ground.named(names.real(typed)) for typed in draft.choices(f"{name}.links")]
        draft.fill({f"{name}.links": [*dict.fromkeys(ids)]})

    draft = sheet.draft
    names = sheet.names
    labels = {}
    for passage_id, passage in sheet.ground.passages.items():
        called = _("claim {number}", number=passage.number) if passage.number else passage.id
        labels[passage_id] = names.shown(f"{called}: {' '.join(passage.point.split())[:160]}")
    text = fields.area(draft, name, label, max_chars=MAX_LINE_CHARS, height=70).strip()
    st.multiselect(
        _("{line} rests on these claims or turns", line=label),
        format_func=lambda i: labels.get(i, str(i)),
        placeholder=_("pick, or type a number such as {example}", example=names.shown(next(iter(labels), "A2.3"))),
        accept_new_options=True,
        **draft.typed_of(f"{name}.links", [*labels]) | {"on_change": resolve_links},
    )
    if text:
        links = tuple(draft.choices(f"{name}.links"))
        _draw_remarks(
            sheet, name, label, [check_line(sheet.ground, CheckedLine("established", names.real(text), links))]
        )


def _draw_remarks(sheet: Sheet, name: str, label: str, lines: Sequence[CheckedLine]) -> None:
    """Draw icon, word and sentence of each remark; ask for a reason if a line is not supported."""
    for line in lines:
        for remark in line.remarks:
            _draw_remark(sheet, line, remark)
    # An answer has no links, so that it cannot be called supported.
    is_answer = any(line.section == "answer" for line in lines)
    if any(line.has("red") for line in lines):
        _draw_reason_field(sheet, name, label)
    elif lines and not is_answer and not any(line.remarks for line in lines):
        st.markdown(_(":green[:material/check_circle: **Supported:**] everything it names is in its links."))


def _draw_remark(sheet: Sheet, line: CheckedLine, remark: LineRemark) -> None:
    word, colour, icon = _LOOKS[remark.level]
    sentence = sheet.names.shown(remark.sentence)
    about = ""
    if line.section == "answer":
        about = f"{quoted(safe_line(sheet.names.shown(line.text), max_chars=60))} "
    st.markdown(f":{colour}[{icon} **{_(word)}:**] {about}{safe_line(sentence)}")


def _draw_reason_field(sheet: Sheet, name: str, label: str) -> None:
    if not sheet.keeps_reasons:
        st.caption(_("You can submit it anyway; reports will show this finding."))
        return
    st.text_input(
        _("{line}: your own judgement? Give your reason (kept in the record)", line=label),
        max_chars=MAX_REASON_CHARS,
        **sheet.draft.value(f"{name}.why"),
    )


def code_button(draft: FormDraft, seen: View, names: SeatNames) -> None:
    """Draw a button that fills the lines from the claims, without a model."""

    def fill_in_draft() -> None:
        draft.save()
        drafted = lines_of(seen.names.real(draft_synthesis(seen)), seen.options)
        texts = {name: names.shown(value) for name, value in drafted.items() if isinstance(value, str)}
        draft.fill(drafted | texts)

    st.button(
        _("Automatic draft"),
        key=f"{draft.name}:code",
        icon=":material/account_tree:",
        help=_("Sorts the claims and links to them. It judges nothing and names no option."),
        on_click=fill_in_draft,
    )


def lines_of(given: Synthesis, options: Sequence[str]) -> dict[str, Plain]:
    """The lines of a synthesis as fields of a draft, without answer, option and confidence."""
    filled: dict[str, Plain] = {}
    strongest = {s.option: s for s in reversed(given.strongest)}
    for number, option in enumerate(options):
        argument = strongest.get(option, Strongest(option=option, text=""))
        is_unargued = argument.text == NOBODY
        filled[f"strongest{number}.none"] = int(is_unargued)
        filled |= _fill_in_line(f"strongest{number}", "" if is_unargued else argument.text, argument.links)
    if given.deliverable is not None:
        filled["deliverable"] = indented(given.deliverable)[:MAX_TEXT_CHARS]
    for section, lines in (("established", given.established), ("contested", given.contested)):
        filled[f"{section}#"] = len(lines[:MAX_ROWS])
        for number, line in enumerate(lines[:MAX_ROWS]):
            filled |= _fill_in_line(f"{section}{number}", line.text, line.links)
    return filled


def _fill_in_line(name: str, text: str, links: Sequence[str]) -> dict[str, Plain]:
    return {name: text[:MAX_LINE_CHARS], f"{name}.links": [*links], f"{name}.why": ""}


def written(sheet: Sheet) -> Checked | None:
    """The checked content of the fields; None without an answer."""
    try:
        given = Synthesis.model_validate(sheet.names.real(data(sheet.draft, sheet.options)))
        return check(sheet.ground, given, sheet.options)
    except BadReply:
        return None


def data(draft: FormDraft, options: Sequence[str]) -> Fields:
    """The typed content. Raises BadReply without an answer."""
    strongest = []
    for number, option in enumerate(options):
        if draft.get(f"strongest{number}.none"):
            strongest.append({"option": option, "text": NOBODY})
        else:
            strongest += [{"option": option, **line} for line in fields.linked(draft, f"strongest{number}")]
    deliverable = {"deliverable": draft.text("deliverable")} if draft.text("deliverable") else {}
    return {
        "answer": fields.required(draft, "answer", _("the answer is empty: say what the debate showed")),
        "strongest": strongest,
        **{section: fields.linked_lines(draft, section) for section in _SECTIONS},
        "option": draft.get("option"),
        "confidence": draft.get("confidence"),
        **deliverable,
    }


def answered_for(sheet: Sheet, given: Synthesis) -> tuple[OwnWords, ...]:
    """The unsupported lines that are the person's own judgement, with their reasons.

    Raises BadReply for a blocking error, for an unsupported line without a reason, and for a deliverable that is no
    JSON; one that only does not match its schema is kept and flagged.
    """
    typed = sheet.draft.text("deliverable")
    if typed and (no_json := unreadable(typed)):
        raise BadReply(no_json)
    checked = check(sheet.ground, given, sheet.options)
    _refuse_blocking(sheet, checked.blocking())
    if not sheet.keeps_reasons:
        return ()
    reasons = _typed_reasons(sheet)
    own = []
    for line in checked.red():
        reason = sheet.draft.text("answer.why") if line.section == "answer" else reasons.get(line.text, "")
        if not reason:
            fault = next(r.sentence for r in line.remarks if r.level == "red")
            why = _(
                "“{line}”: {fault}. Change the line, link a claim that supports it, or give your reason",
                line=line.text[:80],
                fault=fault,
            )
            raise BadReply(sheet.names.shown(why))
        own.append(OwnWords(line=line.text, reason=reason))
    return tuple(own)


def _refuse_blocking(sheet: Sheet, blocking: Sequence[str]) -> None:
    if blocking:
        more = _(" ({blocking} more)", blocking=len(blocking) - 1) if len(blocking) > 1 else ""
        raise BadReply(sheet.names.shown(f"{blocking[0]}{more}"))


def _typed_reasons(sheet: Sheet) -> dict[str, str]:
    """Map the text of each line, with the names of the record, to the reason typed for it."""
    draft = sheet.draft
    names = [f"strongest{n}" for n in range(len(sheet.options))]
    names += [f"{section}{n}" for section in _SECTIONS for n in range(fields.count(draft, section))]
    return {sheet.names.real(draft.text(name)): draft.text(f"{name}.why") for name in names}


def as_version(given: Synthesis, own: tuple[OwnWords, ...], reason: str = "") -> SynthesisRevised:
    """A version given by a person."""
    if any(s.text == NOBODY for s in given.strongest):
        # No claim can support that an option has no argument, so it counts as the person's own judgement.
        own = (*own, OwnWords(line=NOBODY, reason="no turn argues for it"))
    return SynthesisRevised(content=given, own_words=own, reason=reason)


def summary(checked: Checked) -> str:
    """`5 lines: 1 not supported, 2 to look at again`."""
    lines = [line for line in checked.lines if line.section != "answer"]
    remarks = []
    if missing := len(checked.one_sided):
        words = _n(missing, "{n} option has no strongest argument", "{n} options have no strongest argument")
        remarks.append(words)
    if blocked := sum(line.has("blocks") for line in checked.lines):
        remarks.append(_("{lines} that cannot be submitted", lines=blocked))
    if red := checked.red():
        remarks.append(_("{lines} not supported", lines=len(red)))
    if amber := sum(line.has("amber") for line in checked.lines):
        remarks.append(_("{lines} to look at again", lines=amber))
    if not remarks:
        remarks.append(_("all supported by the debate"))
    return _n(len(lines), "{n} line: {remarks}", "{n} lines: {remarks}", remarks=", ".join(remarks))
