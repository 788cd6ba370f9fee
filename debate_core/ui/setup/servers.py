"""Model servers on the set-up page: list the models of a server, try one, add it to the draft.

The host decides which addresses may be called, and with which keys.
"""

from functools import partial
from itertools import chain, count

import streamlit as st

from debate_core.errors import DebateError, InvalidSpec
from debate_core.language import Words, _, _n, format_number, said
from debate_core.seats.probe_advice import Probe, advice
from debate_core.seats.providers.wire import Offer
from debate_core.spec.dialects import DIALECTS, dialect_facts
from debate_core.spec.models import Dialect, ModelLine, Structure
from debate_core.spec.panels import PanelFile, adhoc_line, family_of, url_warning
from debate_core.text import whole_sentence
from debate_core.ui.kit import session
from debate_core.ui.kit.click_guard import done, pressed, pressed_until_done, while_others_are_heard
from debate_core.ui.kit.text import safe_line, safe_text
from debate_core.ui.kit.words import price_words
from debate_core.ui.setup import models
from debate_core.ui.setup.draft import SetupDraft, with_lines
from debate_core.ui.setup.draft_store import change, current
from debate_core.ui.setup.fields import select_word

_OFFERED = "setup_offered"
_TRIED = "setup_tried"
_OTHER = ""
MAX_CONTEXT_TOKENS = 100_000_000
MAX_REPLY_TOKENS = 128_000
MAX_DEADLINE_S = 86_400
_ERROR = ":material/error:"
_STRUCTURE_WORDS: Words[Structure] = Words(
    {
        "schema": "one form, enforced by the server",
        "json": "one form, as JSON",
        "prompt": "one form, described in the prompt",
        "two_step": "two steps: prose first, then only the ballot",
    }
)
_YES = Words({True: "yes", False: "no", None: "not known"})


def draw_servers(draft: SetupDraft) -> None:
    """Draw a fold for the ways to connect a model, and one for trials of the available models."""
    access = session.host().access
    if access.panels.lines or access.base_urls:
        with st.expander(_("Connect a model"), icon=":material/dns:", key="own-server"):
            _draw_missing_keys(access.panels)
            _draw_server()
    if models.usable(draft):
        with st.expander(_("Try a model before the start"), icon=":material/network_check:", key="try-model"):
            _draw_trial()


def _draw_missing_keys(panels: PanelFile) -> None:
    """Name the variable of each key that is missing, with the models that it opens."""
    waiting = [line for line in panels.lines if models.needs_key(line)]
    if not waiting:
        return
    steps = [_("**By a key:** set its variable on the server, or in `.streamlit/secrets.toml`, and start it again.")]
    for variable in dict.fromkeys(line.key_env for line in waiting):
        labels = ", ".join(safe_line(models.label(line)) for line in waiting if line.key_env == variable)
        steps.append(f"- `{variable}`: {labels}")
    st.markdown("\n".join(steps))
    if panels.as_of:
        st.caption(_("These names of models are as of {as_of}.", as_of=safe_line(panels.as_of)))
    st.markdown(_("**On your own server:**"))


@st.fragment
def _draw_server() -> None:
    """Draw the fields of a server, in a fragment because its answer can take long."""
    st.caption(
        _("Ollama, llama.cpp, vLLM, or any server that speaks one of these dialects. It is called from this server.")
    )
    line = _pick_address()
    if line is None:
        return
    if pressed_until_done(_("Ask for its models"), key="setup_ask_server", icon=":material/list:"):
        _list_models(line)
        done("setup_ask_server")
    by_server: dict[ModelLine, tuple[Offer, ...]] = st.session_state.get(_OFFERED, {})
    offers = {offer.id: offer for offer in by_server.get(line, ())}
    if offers:
        st.caption(_n(len(offers), "It offers {n} model.", "It offers {n} models."))
    model = st.selectbox(
        _("Model"),
        tuple(offers),
        index=0 if len(offers) == 1 else None,
        key=f"setup_server_model_{line.base_url}_{line.dialect}_{len(offers)}",
        placeholder=_("ask for its models, or type a name"),
        accept_new_options=True,
    )
    if not model:
        return
    edited = _edit_parameters(_with_findings(_with_model(line, model), offers.get(model)))
    with st.container(horizontal=True):
        tried = st.button(_("Try it"), key="setup_try_server", icon=":material/network_check:")
        if pressed(_("Use for a seat"), key="setup_use_server", icon=":material/add:"):
            _use(edited)
    if tried and _try(edited):
        # The fields above show the findings.
        st.rerun()
    _draw_findings(edited)


def _pick_address() -> ModelLine | None:
    """Return the chosen server as a line without a model; draw an error and return None if it may not be called."""
    access = session.host().access
    lines = access.panels.lines
    servers = {line.id: line for line in lines if not line.model and not models.needs_key(line)}
    of_lines = {line.base_url for line in lines}
    words = {line_id: f"{line_id} · {line.base_url}" for line_id, line in servers.items()}
    words |= {url: url for url in access.base_urls if url not in of_lines}
    words[_OTHER] = _("Another address")
    chosen = st.selectbox(_("Server"), [*words], key="setup_server", format_func=lambda i: words.get(i, i))
    return servers[chosen] if chosen in servers else _ask_dialect(chosen)


def _ask_dialect(address: str) -> ModelLine | None:
    """Ask for the dialect of a server without a line, and for its address if that is empty."""
    where, how = st.columns(2)
    if address == _OTHER:
        address = where.text_input(_("Address"), key="setup_server_url", placeholder="http://127.0.0.1:8080/v1") or ""
    dialect = how.selectbox(_("Dialect"), DIALECTS, key="setup_server_dialect", format_func=dialect_title)
    return _check_address(address.strip(), dialect) if address.strip() else None


def dialect_title(dialect: Dialect) -> str:
    """Return the name and the address of a dialect."""
    return said(dialect_facts(dialect).title)


def _check_address(address: str, dialect: Dialect) -> ModelLine | None:
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
    """Return the line with this model, and with a new id unless the panel file leaves the model of the line open."""
    panels = session.host().access.panels
    if line.id in {known.id for known in panels.lines}:
        return line.model_copy(update={"model": model, "family": line.family or family_of(model, panels)})
    return adhoc_line(model, panels, base_url=line.base_url, dialect=line.dialect, key_env="")


def _with_findings(line: ModelLine, offer: Offer | None) -> ModelLine:
    """Return the line with the findings of the server's list and of a trial; typed values take precedence."""
    listed_tokens = (offer.context_tokens if offer else None) or 0
    tried, probe = _trial_of(line)
    if probe is None:
        return line.model_copy(update={"context_tokens": line.context_tokens or listed_tokens})
    context_tokens = tried.context_tokens or probe.context_tokens or 0
    return tried.model_copy(
        update={"structured": probe.structured or tried.structured, "context_tokens": context_tokens}
    )


def _edit_parameters(line: ModelLine) -> ModelLine:
    """Ask for context size, reply length, timeout and answer format."""
    # New findings get new fields, because existing ones would keep their old values.
    key = f"setup_server_{line.base_url}_{line.model}_{line.context_tokens}_{line.structured}"
    grid = st.grid(3, min_column_width=150)
    context_tokens = grid.number_input(
        _("Context in tokens"),
        0,
        MAX_CONTEXT_TOKENS,
        line.context_tokens,
        key=f"{key}_context",
        help=_("Tokens that fit into one call, as configured on the server. 0 = unknown."),
    )
    max_tokens = grid.number_input(
        _("Maximum reply in tokens"), 64, MAX_REPLY_TOKENS, line.max_tokens, key=f"{key}_reply"
    )
    usual_s = int(session.host().access.turn_deadline_s)
    deadline_s = grid.number_input(
        _("Timeout of a turn in seconds"), 1, MAX_DEADLINE_S, line.deadline_s or usual_s, key=f"{key}_deadline"
    )
    structured = select_word(
        _("Answer format"),
        _STRUCTURE_WORDS,
        line.structured,
        key=f"{key}_structured",
        help=_("Small models, and servers that enforce no form, lose fewer ballots with two steps."),
    )
    asked = {"context_tokens": context_tokens, "max_tokens": max_tokens, "structured": structured}
    return line.model_copy(update={**asked, "deadline_s": None if deadline_s == usual_s else deadline_s})


def _list_models(line: ModelLine) -> None:
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
    """Add the line to the draft, with a new id if another model has its id."""
    draft = current()
    used = {other.id for other in models.known(draft) if _endpoint(other) != _endpoint(line)}
    numbered = (f"{line.id[:36]}-{number}" for number in count(2))
    free_id = next(line_id for line_id in chain([line.id], numbered) if line_id not in used)
    change(draft, lines=with_lines(draft.lines, [line.model_copy(update={"id": free_id})]))
    st.toast(_("{model} is now available for every seat.", model=safe_line(line.model)))
    st.rerun()


def _trial_of(line: ModelLine) -> tuple[ModelLine, Probe | None]:
    """Return the line as tried, and the result; None if this model was not tried."""
    tried: tuple[ModelLine, Probe] | None = st.session_state.get(_TRIED)
    if tried and _endpoint(tried[0]) == _endpoint(line):
        return tried
    return line, None


def _endpoint(line: ModelLine) -> tuple[str, str, str]:
    return line.model, line.base_url, line.dialect


@st.fragment
def _draw_trial() -> None:
    lines = {line.id: line for line in models.usable(current())}
    words = models.choices(current())
    with st.container(horizontal=True, vertical_alignment="bottom"):
        chosen = st.selectbox(_("Model to try"), list(lines), key="setup_trial", format_func=lambda i: words.get(i, i))
        tried = st.button(_("Try this model"), key="setup_try_line", icon=":material/network_check:")
    st.caption(_("One short reply to a prompt as long as a first turn's; a provider may charge for it."))
    if chosen in lines:
        if tried:
            _try(lines[chosen])
        _draw_findings(lines[chosen])


def _try(line: ModelLine) -> bool:
    """Try a model, and return whether there is a result."""
    try:
        most_s = line.deadline_s or session.host().access.turn_deadline_s
        with st.spinner(
            _(
                "Asking {model} for one short reply; each call may take up to {most_s:g} s …",
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


def _draw_findings(line: ModelLine) -> None:
    """Draw the result of the last trial of this model, with advice for its line."""
    tried, probe = _trial_of(line)
    if probe is None:
        return
    if probe.answered:
        st.markdown(_(":green[:material/check_circle: **It gave a valid turn.**]"))
    else:
        st.markdown(_(":red[:material/block: **No usable turn:**] {message}", message=safe_text(said(probe.message))))
    st.markdown(safe_text(_time_words(line, probe)))
    if line.structured == probe.structured != tried.structured:
        st.markdown(
            _(
                ":blue[:material/lightbulb:] Recommended format after this trial: {form}.",
                form=_STRUCTURE_WORDS[line.structured],
            )
        )
    for sentence in advice(line, probe):
        st.markdown(f":blue[:material/lightbulb:] {safe_text(whole_sentence(said(sentence)))}")
    for warning in probe.warnings:
        # No capital: a warning can begin with the name of a model.
        st.markdown(f":orange[:material/warning:] {safe_text(said(warning))}.")
    rows = "\n".join(f"| {name} | {safe_line(value)} |" for name, value in trial_rows(probe))
    st.markdown(f"| | |\n|---|---|\n{rows}")


def _time_words(line: ModelLine, probe: Probe) -> str:
    """Return `About 40 s a turn here; your deadline is 120 s.`"""
    deadline_s = line.deadline_s or session.host().access.turn_deadline_s
    if probe.turn_s is None:
        return _("Time per turn not known; your deadline is {deadline_s:g} s.", deadline_s=deadline_s)
    return _(
        "About {turn_s} s a turn here; your deadline is {deadline_s:g} s.", turn_s=probe.turn_s, deadline_s=deadline_s
    )


def trial_rows(probe: Probe) -> list[tuple[str, str]]:
    """Return the findings of a trial as rows of a table."""
    n_models = _("not reported") if probe.n_models is None else str(probe.n_models)
    first_token = _("not known") if probe.first_token_s is None else f"{format_number(probe.first_token_s, '.2f')} s"
    speed = _("not known") if probe.tokens_per_s is None else f"{probe.tokens_per_s:.0f}"
    context = _("not reported")
    if probe.context_tokens is not None:
        context = _("{context_tokens:,} tokens", context_tokens=probe.context_tokens)
    return [
        (_("Reachable"), _YES[probe.reachable]),
        (_("Models it offers"), n_models),
        (_("Follows the schema"), _YES[probe.schema_honoured]),
        (_("Time to the first token"), first_token),
        (_("Tokens per second"), speed),
        (_("A turn in two steps"), _YES[probe.two_step]),
        (_("Context"), context),
        (_("Reports token usage"), _YES[probe.usage_reported]),
        (_("Cost of the trial"), price_words(probe.usage.cost_usd if probe.usage else None)),
    ]
