"""Parts of the Protocols page: the list, one protocol as a diagram, its parameters and calls, files of protocols.

Draws everything from the protocol's data. Starts nothing; the chosen protocol goes to the set-up page.
"""

from collections.abc import Mapping

import streamlit as st

from debate_core.errors import InvalidSpec
from debate_core.host.uploads import utf8
from debate_core.language import _, _n, said
from debate_core.report.phrases.rules import rule_sentence
from debate_core.seats.forecast import ASSUMPTIONS, forecast
from debate_core.spec.models import ModelLine
from debate_core.spec.presets import PROTOCOLS, panel_size
from debate_core.spec.protocol import Protocol, Spec
from debate_core.spec.protocol_files import protocol_from_toml, protocol_to_toml
from debate_core.text import capitalized
from debate_core.ui.kit.click_guard import pressed
from debate_core.ui.kit.protocol_words import (
    GROUP_NAMES,
    SECTIONS,
    PhaseWords,
    group_of,
    parameters_of,
    phases_of,
    rounds_words,
    stop_words,
    title_of,
)
from debate_core.ui.kit.tables import draw_table
from debate_core.ui.kit.text import safe_line, safe_text
from debate_core.ui.setup import draft_store, rules
from debate_core.ui.setup.draft import OfficeDraft, example
from debate_core.ui.setup.mapping import spec_from
from debate_core.ui.setup.summary import least_and_most_calls

OPTIONS = ("adopt", "reject", "defer")
"""Options that the figures of this page assume, for protocols with one seat for each option."""
_OWN = "own_protocol"
_PAPER = ModelLine(id="any", model="any model", provider="none", dialect="chat")


def known() -> dict[str, Protocol]:
    """The shipped protocols, and the one that was uploaded as a file."""
    brought: Protocol | None = st.session_state.get(_OWN)
    return PROTOCOLS | ({brought.name: brought} if brought else {})


def overview(protocols: Mapping[str, Protocol]) -> None:
    """Draw every protocol with its purpose and source; choosing a row shows it."""
    rows = [
        {
            _("Protocol"): title_of(name),
            _("Decided by"): GROUP_NAMES[group_of(p)],
            _("What it is for"): _(p.purpose),
            _("Rounds"): _("{default} (at most {hard_max})", default=p.rounds.default, hard_max=p.rounds.hard_max),
            _("Source"): p.source,
        }
        for name, p in protocols.items()
    ]
    draw_table(
        rows,
        key="protocol_table",
        on_select=_choose_row,
        selection_mode="single-row",
        height=280,
        column_config={_("What it is for"): st.column_config.TextColumn(width="large")},
        alt=_("Protocols with their purpose and source"),
    )


def _choose_row() -> None:
    rows = st.session_state["protocol_table"]["selection"]["rows"]
    names = [*known()]
    if rows and rows[0] < len(names):
        st.session_state["protocol_chosen"] = names[rows[0]]


def choose(protocols: Mapping[str, Protocol]) -> Protocol:
    """Let the user choose a protocol, which the address keeps."""
    names = [*protocols]
    # An uploaded protocol is shown next. Streamlit allows no change to a field after it is drawn.
    wanted = (
        st.session_state.pop("protocol_wanted", None)
        or st.session_state.get("protocol_chosen")
        or st.query_params.get("protocol")
    )
    st.session_state["protocol_chosen"] = wanted if wanted in names else names[0]
    name = st.selectbox(_("Look at"), names, key="protocol_chosen", format_func=title_of)
    st.query_params["protocol"] = name
    return protocols[name]


def about(protocol: Protocol) -> None:
    """Draw name, purpose and source."""
    st.header(safe_line(title_of(protocol.name)), anchor=False)
    st.markdown(safe_text(_(protocol.purpose) if protocol.purpose else _("No purpose is given.")))
    if protocol.source:
        st.caption(_("Source: {source}", source=safe_line(protocol.source)))


def draw_buttons(protocol: Protocol) -> None:
    """Draw the buttons that set up a debate with this protocol or download it."""
    with st.container(horizontal=True):
        if pressed(_("Use this protocol"), type="primary", icon=":material/play_arrow:", key="protocol_use"):
            draft_store.keep(rules.with_rules(draft_store.load(), protocol))
            st.switch_page("setup.py")
        st.download_button(
            _("Download as TOML"),
            lambda: protocol_to_toml(protocol),
            f"{protocol.name}.toml",
            "application/toml",
            icon=":material/download:",
            on_click="ignore",
            key="protocol_download",
        )


# --- the diagram


def diagram(protocol: Protocol, *, columns: int = 3) -> None:
    """Draw the phases as cards in their order, then the stop rules and the decision rule."""
    phases = phases_of(protocol)
    for section in SECTIONS:
        inside = [p for p in phases if p.section == section]
        if not inside:
            continue
        repeats = f" :material/repeat: {rounds_words(protocol)}" if section == SECTIONS[1] else ""
        with st.container(border=True):
            st.markdown(f"**{section}**{repeats}")
            grid = st.grid(columns, min_column_width=230)
            for number, phase in enumerate(inside, start=1):
                with grid.container(border=True, height="stretch"):
                    _draw_card(number, phase)
    with st.container(border=True):
        ends = _("; or ").join(stop_words(rule) for rule in protocol.stop)
        st.markdown(_(":material/flag: **Ends** {ends}.", ends=safe_text(ends)))
        checked = "" if protocol.check_after == "phase" or protocol.deciding_role else _(" Counted each round.")
        rule = rule_sentence(protocol, panel_size(protocol, OPTIONS))
        st.markdown(_(":material/gavel: **Decides** {sentence}{checked}", sentence=safe_text(rule), checked=checked))


def _draw_card(number: int, phase: PhaseWords) -> None:
    st.markdown(f"**{number} · {safe_line(capitalized(phase.name))}**")
    lines = [
        f":material/record_voice_over: {safe_line(phase.speaks)}, {phase.order}",
        _(":material/visibility: sees {sees}", sees=safe_line(phase.sees)),
        _(":material/edit_note: gives {gives}", gives=phase.gives),
    ]
    st.markdown("  \n".join(lines))
    if phase.counted:
        st.badge(_("votes are counted"), color="blue", icon=":material/how_to_vote:")
    if phase.notes:
        st.caption("  \n".join(safe_line(capitalized(note)) for note in phase.notes))


def as_table(protocol: Protocol) -> None:
    """Draw the diagram as a table."""
    rows = [
        {
            _("When"): p.section,
            _("Phase"): p.name,
            _("Who speaks"): p.speaks,
            _("How"): p.order,
            _("Sees"): p.sees,
            _("Gives"): p.gives,
            _("Votes counted"): _("yes") if p.counted else _("no"),
            _("Also"): "; ".join(p.notes),
        }
        for p in phases_of(protocol)
    ]
    draw_table(rows, alt=_("Phases of {protocol}", protocol=title_of(protocol.name)))


def parameters(protocol: Protocol) -> None:
    """Draw the parameters and their bounds."""
    rows = parameters_of(protocol, panel_size(protocol, OPTIONS))
    draw_table(rows, height="content", alt=_("Parameters and their bounds"))


def calls(protocol: Protocol, *, key: str = "calls") -> None:
    """Draw the number of model calls for the default seats, with a model in every seat."""
    spec = _example_spec(protocol)
    expected = forecast(spec)
    offices = [f"1 {seat.role}" for seat in spec.seats if seat.role != "debater"]
    seats = ", ".join([_n(len(spec.debaters()), "{n} debater", "{n} debaters"), *offices])
    tokens = expected.total.input_tokens + expected.total.output_tokens
    st.markdown(
        _(
            "About **{calls}** and {tokens:,} tokens in {rounds}, if a model sits in every seat: {seats}.",
            calls=_n(expected.total.calls, "{n} call", "{n} calls"),
            # In thousands: a forecast is not that precise.
            tokens=round(tokens, -3),
            rounds=_n(spec.max_rounds, "{n} round", "{n} rounds"),
            seats=seats,
        )
    )
    st.caption("  \n".join(safe_line(text) for text in least_and_most_calls(expected)))
    by_phase = [{_("Phase"): name, _("Calls"): used.calls} for name, used in expected.by_phase().items()]
    with st.expander(_("Calls by phase"), key=f"{key}-by-phase"):
        draw_table(by_phase, alt=_("Calls of each phase"))
        st.caption(
            safe_line(
                _("Assumed: no sources, three options, a short question; {assumptions}.", assumptions=ASSUMPTIONS)
            )
        )


def _example_spec(protocol: Protocol) -> Spec:
    """The spec of an example debate with a model in every seat and the default number of rounds."""
    draft = rules.with_rules(example(_("What do we do?"), OPTIONS), protocol)
    debaters = tuple(s.model_copy(update={"who": "model", "model": _PAPER.id}) for s in draft.panel())
    offices = tuple(OfficeDraft(role=o.role, who="model", model=_PAPER.id) for o in draft.all_offices())
    update = {"seats": debaters, "offices": offices, "chair": False, "lines": (_PAPER,)}
    return spec_from(draft.model_copy(update=update))


# --- side by side, and files


def compare(protocols: Mapping[str, Protocol], left: Protocol) -> None:
    """Let the user choose a second protocol and draw both side by side."""
    others = [name for name in protocols if name != left.name]
    name = st.selectbox(
        _("Compare with"),
        others,
        index=None,
        key="protocol_other",
        format_func=title_of,
        placeholder=_("another protocol"),
    )
    if name is None:
        return
    columns = st.columns(2, gap="medium")
    for place, column, protocol in zip(("left", "right"), columns, (left, protocols[name]), strict=True):
        with column:
            about(protocol)
            diagram(protocol, columns=1)
            calls(protocol, key=place)


def bring() -> None:
    """Draw the upload of a protocol, which joins the list for this session or is refused with a reason."""
    file = st.file_uploader(
        _("A protocol (.toml)"),
        type=["toml"],
        key="protocol_file",
        help=_("Download a similar protocol, edit it, and give it another name."),
    )
    if file is None:
        return
    try:
        brought = protocol_from_toml(utf8(file.name, file.getvalue()), where=file.name)
        shipped = PROTOCOLS.get(brought.name, brought)
        # An older file may describe the same rules in other words.
        if brought.model_copy(update={"purpose": shipped.purpose, "source": shipped.source}) != shipped:
            raise InvalidSpec(
                _(
                    "{file}: name {name!r} is taken by a shipped protocol: give it another one",
                    file=file.name,
                    name=brought.name,
                )
            )
        brought = shipped
        _example_spec(brought)
    except InvalidSpec as error:
        st.error(safe_text(said(error)), icon=":material/error:")
        return
    if known().get(brought.name) != brought:
        st.session_state[_OWN] = brought
        st.session_state["protocol_wanted"] = brought.name
        st.rerun()
    st.success(_("{protocol} is ready to use.", protocol=safe_line(title_of(brought.name))))
