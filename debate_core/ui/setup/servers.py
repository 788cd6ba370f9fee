"""Servers that somebody names on the set-up page: ask for their models, try one, add it to the draft.

Which addresses may be reached, and with which keys, is for the host to say.
"""

from functools import partial

import streamlit as st

from debate_core.errors import DebateError, InvalidSpec
from debate_core.language import Words, _, _n, format_number, said
from debate_core.seats.probe_advice import Probe, advice
from debate_core.seats.wires.wire import Offer
from debate_core.spec.dialects import DIALECTS, dialect_facts
from debate_core.spec.models import Dialect, ModelLine, Structure
from debate_core.spec.panels import adhoc_line, family_of, url_warning
from debate_core.text import whole_sentence
from debate_core.ui.kit import session
from debate_core.ui.kit.presses import done, pressed, pressed_until_done, while_others_are_heard
from debate_core.ui.kit.text import safe_line, safe_text
from debate_core.ui.kit.words import price_words
from debate_core.ui.setup import models
from debate_core.ui.setup.draft import SetupDraft, with_lines
from debate_core.ui.setup.draft_store import change, current

_OFFERED = "setup_offered"
_TRIED = "setup_tried"
_OTHER = ""
MAX_CONTEXT_TOKENS = 100_000_000
MAX_REPLY_TOKENS = 128_000
MAX_DEADLINE_S = 86_400
_ERROR = ":material/error:"
_STRUCTURE_WORDS: Words[Structure] = Words(
    {
        "schema": "in one form that the server enforces",
        "json": "in one form, as JSON",
        "prompt": "in one form, described in words",
        "two_step": "in two steps: prose first, then the ballot alone",
    }
)


def servers(draft: SetupDraft) -> None:
    """Two drawers: a server of one's own, and a trial of any model that can be chosen; none where none may be asked."""
    access = session.host().access
    if access.panels.lines or access.base_urls:
        with st.expander(_("Local or compatible server"), icon=":material/dns:", key="own-server"):
            _server()
    if models.usable(draft):
        with st.expander(_("Try a model before the start"), icon=":material/network_check:", key="try-model"):
            _trial()


@st.fragment
def _server() -> None:
    """A fragment: the rest of the page stays as it is while a server takes its time."""
    st.caption(
        _("Ollama, llama.cpp, vLLM, or any server that speaks one of these dialects. It is asked from this server.")
    )
    line = _address()
    if line is None:
        return
    if pressed_until_done(_("Ask for its models"), key="setup_ask_server", icon=":material/list:"):
        _ask(line)
        done("setup_ask_server")
    by_server: dict[ModelLine, tuple[Offer, ...]] = st.session_state.get(_OFFERED, {})
    offers = {offer.id: offer for offer in by_server.get(line, ())}
    offered = tuple(offers)
    if offered:
        st.caption(_n(len(offered), "It offers {n} model.", "It offers {n} models."))
    model = st.selectbox(
        _("Model"),
        offered,
        index=0 if len(offered) == 1 else None,
        key=f"setup_server_model_{line.base_url}_{line.dialect}_{len(offered)}",
        placeholder=_("ask for its models, or type a name"),
        accept_new_options=True,
    )
    if not model:
        return
    named = _how_it_is_asked(_as_found(_with_model(line, model), offers.get(model)))
    with st.container(horizontal=True):
        tried = st.button(_("Try it"), key="setup_try_server", icon=":material/network_check:")
        if pressed(_("Use for a seat"), key="setup_use_server", icon=":material/add:"):
            _use(named)
    if tried and _try(named):
        # The fields above take over what was found.
        st.rerun()
    _show_trial(named)


def _address() -> ModelLine | None:
    """The server as a line without a model; None, and a sentence, if it cannot be asked."""
    lines = session.host().access.panels.lines
    servers = {line.id: line for line in lines if not line.model and not models.needs_key(line)}
    allowed = _allowed_urls()
    words = {line_id: f"{line_id} · {line.base_url}" for line_id, line in servers.items()}
    words |= {url: url for url in allowed}
    words[_OTHER] = _("Another address")
    chosen = st.selectbox(_("Server"), [*words], key="setup_server", format_func=lambda i: words.get(i, i))
    if chosen in servers:
        return servers[chosen]
    return _other_server(chosen, is_typed=chosen not in allowed)


def _allowed_urls() -> list[str]:
    """Addresses that may be asked and that no line names."""
    access = session.host().access
    of_lines = {line.base_url for line in access.panels.lines}
    return [url for url in access.base_urls if url not in of_lines]


def _other_server(address: str, *, is_typed: bool) -> ModelLine | None:
    """A server that no line names, with the dialect that it speaks."""
    where, how = st.columns(2)
    if is_typed:
        address = where.text_input(_("Address"), key="setup_server_url", placeholder="http://127.0.0.1:8080/v1") or ""
    dialect = how.selectbox(_("Dialect"), DIALECTS, key="setup_server_dialect", format_func=dialect_title)
    if not address.strip():
        return None
    return _other(address.strip(), dialect)


def dialect_title(dialect: Dialect) -> str:
    """Its name and its address."""
    return said(dialect_facts(dialect).title)


def _other(address: str, dialect: Dialect) -> ModelLine | None:
    access = session.host().access
    try:
        line = adhoc_line("model", access.panels, base_url=address, dialect=dialect, key_env="")
        line = line.model_copy(update={"model": "", "id": "models"})
        access.refuse_address(line)
    except InvalidSpec as error:
        st.error(safe_text(whole_sentence(session.told(error))), icon=_ERROR)
        return None
    if doubt := url_warning(line):
        st.caption(f":orange[:material/warning: {safe_line(said(doubt))}]")
    return line


def _with_model(line: ModelLine, model: str) -> ModelLine:
    """The line of this model: an id of its own, unless the panel file leaves the model of this line open."""
    panels = session.host().access.panels
    if line.id in {f.id for f in panels.lines}:
        return line.model_copy(update={"model": model, "family": line.family or family_of(model, panels)})
    return adhoc_line(model, panels, base_url=line.base_url, dialect=line.dialect, key_env="")


def _as_found(line: ModelLine, offer: Offer | None) -> ModelLine:
    """The line as its server's list and its trial say, if there were any; what was typed before the trial stays."""
    told_tokens = (offer.context_tokens if offer else None) or 0
    tried, probe = _trial_of(line)
    if probe is None:
        return line.model_copy(update={"context_tokens": line.context_tokens or told_tokens})
    found = {
        "structured": probe.structured or tried.structured,
        "context_tokens": tried.context_tokens or probe.context_tokens or 0,
    }
    return tried.model_copy(update=found)


def _how_it_is_asked(line: ModelLine) -> ModelLine:
    """The line with what fits into a call, how long a reply may be, how long one may take, and how a turn is asked for.

    What its server or a trial says is what the fields begin with: then they are others.
    """
    key = f"setup_server_{line.base_url}_{line.model}_{line.context_tokens}_{line.structured}"
    grid = st.grid(3, min_column_width=150)
    context_tokens = grid.number_input(
        _("Context in tokens"),
        0,
        MAX_CONTEXT_TOKENS,
        line.context_tokens,
        key=f"{key}_context",
        help=_("What fits into one call, as the server is set. 0 means unknown."),
    )
    max_tokens = grid.number_input(
        _("Longest reply in tokens"), 64, MAX_REPLY_TOKENS, line.max_tokens, key=f"{key}_reply"
    )
    usual_s = int(session.host().access.turn_deadline_s)
    deadline_s = grid.number_input(
        _("Time for a turn in seconds"), 1, MAX_DEADLINE_S, line.deadline_s or usual_s, key=f"{key}_deadline"
    )
    structured = st.selectbox(
        _("A turn is asked for"),
        tuple(_STRUCTURE_WORDS),
        tuple(_STRUCTURE_WORDS).index(line.structured),
        key=f"{key}_structured",
        format_func=_STRUCTURE_WORDS.__getitem__,
        help=_(
            "Small models, and servers that enforce no form, lose fewer ballots when the ballot is asked for alone."
        ),
    )
    asked = {"context_tokens": context_tokens, "max_tokens": max_tokens, "structured": structured}
    return line.model_copy(update={**asked, "deadline_s": None if deadline_s == usual_s else deadline_s})


def _ask(line: ModelLine) -> None:
    try:
        with st.spinner(_("Asking the server for its models …")):
            ask = partial(session.host().access.server_models, line)
            offers = session.as_host(partial(while_others_are_heard, ask))
    except DebateError as error:
        st.error(safe_text(whole_sentence(session.told(error))), icon=_ERROR)
        return
    st.session_state[_OFFERED] = {line: offers}
    if not offers:
        st.warning(_("The server names no models: type the name of one."), icon=":material/warning:")


def _use(line: ModelLine) -> None:
    """Another model on a line that is taken gets an id of its own."""
    draft = current()
    taken = {other.id for other in models.known(draft) if _what_is_asked(other) != _what_is_asked(line)}
    free_id = line.id
    number = 2
    while free_id in taken:
        free_id = f"{line.id[:36]}-{number}"
        number += 1
    change(draft, lines=with_lines(draft.lines, [line.model_copy(update={"id": free_id})]))
    st.toast(_("{model} can be chosen for every seat now.", model=safe_line(line.model)))
    st.rerun()


def _trial_of(line: ModelLine) -> tuple[ModelLine, Probe | None]:
    """The line as it was tried, and what came of it; None if this model was not tried."""
    tried: tuple[ModelLine, Probe] | None = st.session_state.get(_TRIED)
    if tried and _what_is_asked(tried[0]) == _what_is_asked(line):
        return tried
    return line, None


def _what_is_asked(line: ModelLine) -> tuple[str, str, str]:
    return line.model, line.base_url, line.dialect


@st.fragment
def _trial() -> None:
    lines = {line.id: line for line in models.usable(current())}
    words = models.choices(current())
    with st.container(horizontal=True, vertical_alignment="bottom"):
        chosen = st.selectbox(_("Model to try"), list(lines), key="setup_trial", format_func=lambda i: words.get(i, i))
        tried = st.button(_("Try this model"), key="setup_try_line", icon=":material/network_check:")
    st.caption(_("One short reply to a prompt as long as a first turn's; a provider may charge for it."))
    if chosen in lines:
        if tried:
            _try(lines[chosen])
        _show_trial(lines[chosen])


def _try(line: ModelLine) -> bool:
    """True if something was found out."""
    try:
        most_s = line.deadline_s or session.host().access.turn_deadline_s
        with st.spinner(
            _(
                "Asking {model} for one short reply; each call may take {most_s:g} s …",
                model=safe_line(line.model),
                most_s=most_s,
            )
        ):
            probe = partial(session.host().probe, line, client=session.client(), owner=session.owner())
            tried = session.as_host(partial(while_others_are_heard, probe))
            st.session_state[_TRIED] = (line, tried)
    except DebateError as error:
        st.error(safe_text(whole_sentence(session.told(error))), icon=_ERROR)
        return False
    return True


def _show_trial(line: ModelLine) -> None:
    """What a trial of this model found, and what is still to be chosen for this line."""
    tried, probe = _trial_of(line)
    if probe is None:
        return
    if probe.answered:
        st.markdown(_(":green[:material/check_circle: **It gave a turn that would count.**]"))
    else:
        st.markdown(_(":red[:material/block: **No usable turn:**] {message}", message=safe_text(said(probe.message))))
    st.markdown(safe_text(_time_words(line, probe)))
    if line.structured == probe.structured != tried.structured:
        st.markdown(
            _(
                ":blue[:material/lightbulb:] By this trial, a turn is asked for {form}.",
                form=_STRUCTURE_WORDS[line.structured],
            )
        )
    for sentence in advice(line, probe):
        st.markdown(f":blue[:material/lightbulb:] {safe_text(whole_sentence(said(sentence)))}")
    for warning in probe.warnings:
        # As the server writes the name of its model: no capital.
        st.markdown(f":orange[:material/warning:] {safe_text(said(warning))}.")
    rows = "\n".join(f"| {name} | {safe_line(value)} |" for name, value in trial_rows(probe))
    st.markdown(f"| | |\n|---|---|\n{rows}")


def _time_words(line: ModelLine, probe: Probe) -> str:
    """`About 40 s a turn here; your deadline is 120 s.`"""
    deadline_s = line.deadline_s or session.host().access.turn_deadline_s
    if probe.turn_s is None:
        return _("How long a turn takes here is not known; your deadline is {deadline_s:g} s.", deadline_s=deadline_s)
    return _(
        "About {turn_s} s a turn here; your deadline is {deadline_s:g} s.", turn_s=probe.turn_s, deadline_s=deadline_s
    )


def trial_rows(probe: Probe) -> list[tuple[str, str]]:
    """What was found out, in words; what was not tried or not said is so."""
    n_models = _("not said") if probe.n_models is None else str(probe.n_models)
    first_token = _("not known") if probe.first_token_s is None else f"{format_number(probe.first_token_s, '.2f')} s"
    speed = _("not known") if probe.tokens_per_s is None else f"{probe.tokens_per_s:.0f}"
    context = _("not said")
    if probe.context_tokens is not None:
        context = _("{context_tokens:,} tokens", context_tokens=probe.context_tokens)
    return [
        (_("Reachable"), _YES[probe.reachable]),
        (_("Models it offers"), n_models),
        (_("Keeps to the schema"), _YES[probe.schema_honoured]),
        (_("Time to the first token"), first_token),
        (_("Tokens a second"), speed),
        (_("A turn in two steps"), _YES[probe.two_step]),
        (_("Context"), context),
        (_("Says what it used"), _YES[probe.usage_reported]),
        (_("Cost of the trial"), price_words(probe.usage.cost_usd if probe.usage else None)),
    ]


_YES = Words({True: "yes", False: "no", None: "not known"})
