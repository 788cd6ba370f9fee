"""Parts of the Protocols page: all protocols by goal, one with its course and phases, two side by side, files.

Draws everything from the protocol's data. Can rehearse a protocol; for a debate it goes to the set-up page.
"""

from collections.abc import Callable, Iterator, Mapping
from functools import partial

import streamlit as st

from debate_core.errors import InvalidSpec
from debate_core.host.uploads import utf8
from debate_core.language import Words, _, _n, said
from debate_core.report.phrases.ending import stops_words
from debate_core.report.phrases.protocol_titles import title_of
from debate_core.report.phrases.rules import rule_sentence
from debate_core.seats.forecast import ASSUMPTIONS, forecast
from debate_core.seats.scripted import spec_of
from debate_core.spec.models import ModelLine
from debate_core.spec.presets import EXPERT_PANEL, PROTOCOLS, panel_size
from debate_core.spec.presets.goals import GOALS, Goal, goal_of, place_of
from debate_core.spec.protocol import Protocol, Spec
from debate_core.spec.protocol_files import protocol_from_toml, protocol_to_toml
from debate_core.text import capitalized
from debate_core.ui.kit import session
from debate_core.ui.kit.click_guard import pressed
from debate_core.ui.kit.components import parts
from debate_core.ui.kit.course import OPTIONS, course_of
from debate_core.ui.kit.protocol_words import (
    SECTIONS,
    PhaseWords,
    parameters_of,
    phase_boxes,
    phases_of,
    rounds_words,
    short_purpose,
    who_decides,
)
from debate_core.ui.kit.tables import draw_table, draw_wrapping
from debate_core.ui.kit.text import safe_line, safe_text
from debate_core.ui.kit.trial import trial_script
from debate_core.ui.pages import rehearsals
from debate_core.ui.setup import draft_store, rules
from debate_core.ui.setup.draft import OfficeDraft, example
from debate_core.ui.setup.mapping import spec_from
from debate_core.ui.setup.people import WORKSHOPS, of_workshop
from debate_core.ui.setup.summary import least_and_most_calls

_OWN = "own_protocol"
_CHOSEN = "protocol_chosen"
_WANTED = "protocol_wanted"
_USED, _TRIED = "protocol_used", "protocol_tried"
GOAL_WORDS: Words[Goal] = Words(
    {
        "decide": "Decide between options by a vote",
        "weigh": "Hear the sides, and let one seat weigh them",
        "test": "Test one proposal and find its weak points",
        "answer": "Work out one answer together",
        "rank": "Rank many options",
        "compare": "Compare finished answers",
        "reference": "Answer without a debate, to compare with one",
        "study": "Study how a message changes on its way",
    }
)
GOOD_WHEN: Words[Goal] = Words(
    {
        "decide": "Good when the options are clear and support should decide.",
        "weigh": "Good when each side needs a fair hearing first.",
        "test": "Good when there is one proposal and you ask what could break it.",
        "answer": "Good when there are no options yet, but one text is wanted.",
        "rank": "Good when there are too many options for one vote.",
        "compare": "Good when finished answers exist and the best one is wanted.",
        "reference": "Good when you measure whether a debate is worth its cost.",
        "study": "Good when you study the debaters, not the question.",
    }
)
RESEARCH: tuple[Goal, ...] = ("reference", "study")
_PLAY = ":material/play_arrow:"
_TRIAL_CPS = 120
"""Characters per second of a rehearsal whose sentences repeat."""
_PAPER = ModelLine(id="any", model="any model", provider="none", dialect="chat")


def known() -> dict[str, Protocol]:
    """The shipped protocols, and the one that was uploaded as a file."""
    brought: Protocol | None = st.session_state.get(_OWN)
    return PROTOCOLS | ({brought.name: brought} if brought else {})


def recommendation() -> None:
    """Draw what to take without a reason for something else, and the button that begins it."""
    with st.container(border=True, key="protocol-recommended"):
        text, action = st.columns([4, 1], vertical_alignment="center")
        text.markdown(
            _(
                "**Not sure?** Take **{title}**: seats argue in rounds, then vote. With people in the room, the people "
                "vote before and after, and the seats advise.",
                title=safe_line(title_of(EXPERT_PANEL.name)),
            )
        )
        with action.container(horizontal=True, horizontal_alignment="right"):
            is_taken = pressed(
                _("Set up a workshop with it"), type="primary", icon=":material/groups:", key="protocol_workshop"
            )
        if is_taken:
            draft_store.begin(of_workshop(WORKSHOPS[0]))
            st.switch_page("setup.py")


def overview(protocols: Mapping[str, Protocol]) -> None:
    """Draw every protocol under its goal, with its steps; a click opens it, buttons begin set-up or a rehearsal.

    Of each goal the first one is in sight, and the others are folded. Goals of research follow under their own heading.
    """
    groups = list[dict[str, object]]()
    for goal in GOALS:
        found = sorted((p for p in protocols.values() if goal_of(p) == goal), key=place_of)
        if found:
            cards = [*map(_card, found)]
            more = _n(len(cards) - 1, "{n} more for this goal", "{n} more for this goal")
            part = _("For research") if goal == RESEARCH[0] else ""
            groups.append(
                {"part": part, "title": GOAL_WORDS[goal], "when": GOOD_WHEN[goal], "cards": cards, "more": more}
            )
    words = {"use": _("Use this"), "try": _("Try it")}
    on: dict[str, Callable[[str], None]] = {
        "open": _open,
        "use": partial(_press, _USED),
        "try": partial(_press, _TRIED),
    }
    parts.draw({"part": "protocols", "groups": groups, **words}, key="protocol_cards", on=on)
    if used := protocols.get(st.session_state.pop(_USED, "")):
        _use(used)
    if tried := protocols.get(st.session_state.pop(_TRIED, "")):
        _rehearse(tried)


def _press(button: str, name: str) -> None:
    st.session_state[button] = name


def _use(protocol: Protocol) -> None:
    """Open set-up with this protocol."""
    draft_store.keep(rules.with_rules(draft_store.load(), protocol))
    st.switch_page("setup.py")


def _rehearse(protocol: Protocol) -> None:
    """Play this protocol with scripted seats and an example question."""
    script = trial_script(protocol)
    create = partial(session.host().create, spec_of(script), script_text=script.model_dump_json())
    rehearsals.enter(partial(create, pace_cps=_TRIAL_CPS))


def _card(protocol: Protocol) -> Mapping[str, object]:
    number = protocol.rounds.default
    rounds = _n(number, "{n} round", "{n} rounds")
    if protocol.paired:
        rounds = _("up to {n} rounds of comparisons", n=number)
    usual = panel_size(protocol, OPTIONS)
    # More options than seats in the usual panel: only a seat for each option makes it grow.
    grows = panel_size(protocol, [*OPTIONS, *map(str, range(usual))]) > usual
    seats = _("a seat per option") if grows else _n(usual, "{n} seat", "{n} seats")
    return {
        "name": protocol.name,
        "title": title_of(protocol.name),
        "chip": _("recommended") if protocol.name == EXPERT_PANEL.name else "",
        "purpose": short_purpose(protocol),
        "flow": [*phase_boxes(protocol, protocol.rounds.default), (_("Decides"), who_decides(protocol))],
        "size": f"{seats}, {rounds}",
    }


def _legend() -> list[str]:
    return [
        _("a debater speaks"),
        _("a seat that does not debate"),
        _("votes are given"),
        _("a count decides"),
        _("a seat decides"),
        _("does not speak in this step"),
        _("repeated in each round"),
    ]


def _open(name: str) -> None:
    st.session_state[_WANTED] = name


def choose(protocols: Mapping[str, Protocol]) -> Protocol | None:
    """Let the user choose a protocol, which the address keeps; None shows all of them."""
    names = [*protocols]
    # A clicked or uploaded protocol is shown next. Streamlit allows no change to a field after it is drawn.
    wanted = st.session_state.pop(_WANTED, None) or st.session_state.get(_CHOSEN) or st.query_params.get("protocol")
    st.session_state[_CHOSEN] = wanted if wanted in names else None
    with st.container(horizontal=True, vertical_alignment="center"):
        st.title(_("Protocols"), anchor=False, width="content")
        name: str | None = st.selectbox(
            _("Look at"),
            names,
            key=_CHOSEN,
            format_func=title_of,
            placeholder=_("all protocols"),
            label_visibility="collapsed",
            width=320,
        )
        if name is not None:
            st.button(_("All protocols"), key="protocol_all", icon=":material/apps:", on_click=_show_all)
    if name is None:
        st.query_params.pop("protocol", None)
        return None
    st.query_params["protocol"] = name
    return protocols[name]


def _show_all() -> None:
    st.session_state[_CHOSEN] = None
    st.query_params.pop("protocol", None)


def about(protocol: Protocol) -> None:
    """Draw name, purpose and source."""
    st.header(safe_line(title_of(protocol.name)), anchor=False)
    st.markdown(safe_text(_(protocol.purpose) if protocol.purpose else _("No purpose is given.")))
    if protocol.source:
        st.caption(_("Source: {source}", source=safe_line(protocol.source)))


def draw_buttons(protocol: Protocol) -> None:
    """Draw the buttons that set up a debate with this protocol or download it."""
    with st.container(horizontal=True):
        if pressed(_("Use this protocol"), type="primary", icon=_PLAY, key="protocol_use"):
            _use(protocol)
        if pressed(
            _("Try it"),
            icon=":material/theater_comedy:",
            key="protocol_try",
            help=_("A rehearsal with scripted seats and an example question. It decides nothing."),
        ):
            _rehearse(protocol)
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


def course(protocol: Protocol, *, key: str, has_legend: bool = True) -> None:
    """Draw the course of a protocol with the names of its steps."""
    parts.draw({"part": "course", "legend": _legend() if has_legend else [], "course": course_of(protocol)}, key=key)


def diagram(protocol: Protocol) -> None:
    """Draw the phases as cards in their order, then the stop rules and the decision rule."""
    phases = phases_of(protocol)
    for section in SECTIONS:
        inside = [p for p in phases if p.section == section]
        if not inside:
            continue
        repeats = f" :material/repeat: {rounds_words(protocol)}" if section == SECTIONS[1] else ""
        with st.container(border=True):
            st.markdown(f"**{_(section)}**{repeats}")
            grid = st.grid(3, min_column_width=230)
            for number, phase in enumerate(inside, start=1):
                with grid.container(border=True, height="stretch"):
                    _draw_card(number, phase)
    with st.container(border=True):
        ends = stops_words(protocol)
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
            _("When"): _(p.section),
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


def calls(protocol: Protocol) -> None:
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
    with st.expander(_("Calls by phase"), key="calls-by-phase"):
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


def choose_other(protocols: Mapping[str, Protocol], left: Protocol) -> Protocol | None:
    """Let the user choose a second protocol to compare with; None without one."""
    others = [name for name in protocols if name != left.name]
    name = st.selectbox(
        _("Compare with"),
        others,
        index=None,
        key="protocol_other",
        format_func=title_of,
        placeholder=_("another protocol"),
        width=320,
    )
    return protocols[name] if name else None


def compare(left: Protocol, right: Protocol) -> None:
    """Draw both courses, a table of the differences, and the equal properties in a fold."""
    parts.draw({"part": "course", "legend": _legend()}, key="legend")
    for place, column, protocol in zip(("left", "right"), st.columns(2, gap="medium"), (left, right), strict=True):
        with column.container(border=True, height="stretch"):
            about(protocol)
            course(protocol, key=f"course_{place}", has_legend=False)
            label = _("Use {protocol}", protocol=safe_line(title_of(protocol.name)))
            if pressed(label, icon=_PLAY, key=f"protocol_use_{place}"):
                _use(protocol)
    titles = title_of(left.name), title_of(right.name)
    # The headings of a table differ.
    if len({_("Property"), *titles}) < 3:
        titles = left.name, right.name
    differ = list[Mapping[str, str]]()
    same = list[Mapping[str, str]]()
    for name, one, other in _pairs(left, right):
        row = {_("Property"): name, titles[0]: safe_line(one), titles[1]: safe_line(other)}
        (same if one == other else differ).append(row)
    both = _("{left} and {right} side by side", left=titles[0], right=titles[1])
    if differ:
        st.subheader(_n(len(differ), "{n} difference", "{n} differences"), anchor=False)
        draw_wrapping(differ, alt=both, key="differences")
    if same:
        label = _n(len(same), "{n} property is the same", "{n} properties are the same")
        with st.expander(label, icon=":material/table:", key="same-properties", type="compact"):
            draw_wrapping(same, alt=label, key="same-rows")


def _pairs(left: Protocol, right: Protocol) -> Iterator[tuple[str, str, str]]:
    """Yield each property with its values in both protocols."""
    mine, others = _properties(left), _properties(right)
    for name in dict.fromkeys((*mine, *others)):
        yield name, mine.get(name, "–"), others.get(name, "–")


def _properties(protocol: Protocol) -> Mapping[str, str]:
    """The purpose, steps and parameters of a protocol, each under its name."""
    found = {_("For"): GOAL_WORDS[goal_of(protocol)]}
    numbers = dict.fromkeys(SECTIONS, 0)
    for phase in phases_of(protocol):
        numbers[phase.section] += 1
        name = _("{section}, step {number}", section=_(phase.section), number=numbers[phase.section])
        found[name] = (
            f"{capitalized(phase.name)}: {phase.speaks}, {phase.order}; {_('gives {gives}', gives=phase.gives)}"
        )
        found[_("{step}: reads", step=name)] = phase.sees
    for row in parameters_of(protocol, panel_size(protocol, OPTIONS)):
        name, value, _bounds = row.values()
        found[name] = f"{found[name]}; {value}" if name in found else value
    expected = forecast(_example_spec(protocol)).total
    return found | {_("Calls"): _n(expected.calls, "{n} call", "{n} calls")}


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
        st.session_state[_WANTED] = brought.name
        st.rerun()
    st.success(_("{protocol} is ready to use.", protocol=safe_line(title_of(brought.name))))
