"""The seats on the set-up page: debaters with their occupants and weights, ready panels of models, support roles.

Knows no rules beyond the draft's own; starts nothing.
"""

from collections.abc import Mapping
from itertools import zip_longest

import streamlit as st

from debate_core.language import Words, _, _n, spoken_list
from debate_core.report.facts.terms import named
from debate_core.report.phrases.costs import usd_words
from debate_core.seats.economy import USUAL_USD
from debate_core.spec.panels import Panel
from debate_core.spec.protocol_changes import with_both_orders, with_synthesis_each_round
from debate_core.spec.values import MAX_INSTRUCTION_CHARS, Commitment, in_words
from debate_core.text import capitalized
from debate_core.ui.kit import session
from debate_core.ui.kit.protocol_words import GIVES_WORDS
from debate_core.ui.kit.text import safe_label, safe_line
from debate_core.ui.setup import models
from debate_core.ui.setup.draft import (
    MAX_WEIGHT,
    OfficeDraft,
    SeatDraft,
    SeatOccupant,
    SetupDraft,
    suggested_panel,
    unless_usual,
    with_panel,
    with_rules_for,
)
from debate_core.ui.setup.draft_store import change, current, keep
from debate_core.ui.setup.fields import as_id, as_typed, draw_cross, field_key, select_word

COMMITMENT_WORDS: Words[Commitment | None] = Words(
    {
        None: "As the rules suggest",
        "locked": "Concedes nothing",
        "concede_points": "May concede points, never its side",
        "open": "May change its mind",
        "adversary": "Attacks what others propose",
    }
)
_BY_CODE = Words(
    {
        "synthesis": "Automatic draft: links claims, names no option",
        "directive": "No one: every debater speaks in every round",
    }
)
"""The effect of a support role without an occupant, by content; every other turn is skipped."""
Kinds = Mapping[str, str]
"""Label by choice: `offline`, `human`, or `model:` and the id of a line."""
_OF_A_MODEL = "model:"


def edit_occupants(draft: SetupDraft) -> SetupDraft:
    """Ask who debates."""
    _draw_panels(draft)
    kinds = _all_kinds(draft)
    grid = st.grid(3, min_column_width=170)
    typed = []
    for number, seat in enumerate(draft.panel(), start=1):
        with grid.container():
            label = safe_label(capitalized(in_words(seat.id))) or _("Seat {number}", number=number)
            who, model = _pick_occupant(label, choice_of(seat.who, seat.model), kinds, field_key(seat, "who"))
            typed.append(seat.replace(who=who, model=model))
    return models.with_named_lines(_with_seats(draft, tuple(typed)))


def _draw_panels(draft: SetupDraft) -> None:
    """Offer ready panels of models for all seats, if any of them is available."""
    lines = {line.id for line in models.usable(draft)}
    panels = {p.name: p for p in session.host().access.panels.panels if lines.issuperset(p.line_ids())}
    if not panels:
        return
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        st.selectbox(
            _("Seat a panel of models"), list(panels), key="setup_panel", format_func=lambda n: panels[n].title or n
        )
        st.button(_("Seat this panel"), icon=":material/groups:", on_click=_seat_panel, args=(panels,))


def _seat_panel(panels: Mapping[str, Panel]) -> None:
    """Put the chosen panel into the seats, with their text at the press of the button."""
    draft = current()
    panel = panels[st.session_state["setup_panel"]]
    file = session.host().access.panels.model_copy(update={"lines": models.usable(draft)})
    typed = tuple(map(as_typed, draft.panel()))
    if typed == draft.panel():
        draft = with_rules_for(draft, panel, file)
        typed = draft.panel()
    seated = with_panel(draft.replace(seats=typed), panel, file)
    made = draft.made + 1
    # New keys: existing fields would keep their old values.
    seats = tuple(seat.replace(key=f"{seat.key}-{made}") for seat in seated.panel())
    keep(seated.replace(seats=seats, made=made))


def seats_sentence(draft: SetupDraft) -> str:
    """Return `Seats: Database expert, Cost analyst (Evidence panel); Risk manager (A person).`"""
    kinds = _all_kinds(draft)
    names: dict[str, list[str]] = {}
    for seat in draft.panel():
        names.setdefault(choice_of(seat.who, seat.model), []).append(capitalized(in_words(seat.id)))
    each = "; ".join(f"{', '.join(held)} ({_choice_words(choice, kinds)})" for choice, held in names.items())
    return safe_line(_("Seats: {each}.", each=each), max_chars=400)


def edit_details(draft: SetupDraft) -> SetupDraft:
    """Ask for names, sides, personas and weights of the debaters, and for the support roles."""
    st.markdown(_("**Seats**"))
    st.caption(
        _("The evidence panel is no model: it quotes passages and votes only from the marks that people give to them.")
    )
    typed = tuple(_edit_seat(n, seat) for n, seat in enumerate(draft.panel(), start=1))
    draft = _with_seats(draft, typed)
    with st.container(horizontal=True):
        st.button(_("Add a seat"), icon=":material/add:", type="tertiary", on_click=_add_seat, args=(draft,))
        st.button(
            _("Suggest a panel"),
            icon=":material/auto_awesome:",
            type="tertiary",
            help=_("Personas for the words of the question, always with a sceptic or a pragmatist among them."),
            on_click=_suggest_panel,
            args=(draft,),
        )
    if draft.by_key and draft.seats is None:
        st.caption(
            _(
                "A key is set on this server, so the cheapest model of each family debates by default. The debate "
                "may use {usual_usd} unless its limits say otherwise.",
                usual_usd=usd_words(USUAL_USD),
            )
        )
    draft = models.with_named_lines(_edit_roles(draft, _model_kinds(draft)))
    _draw_missing_models(draft)
    return _edit_weights(_edit_rotation(draft))


def _edit_rotation(draft: SetupDraft) -> SetupDraft:
    """Ask whether the models rotate, if different models debate in several rounds."""
    if not draft.can_rotate():
        return draft
    usual = bool(draft.shipped().rotate_models)
    chosen = st.checkbox(
        _("Rotate the models of the debaters"),
        value=bool(draft.rules().rotate_models),
        key=f"setup_rotates_{draft.protocol}",
        help=_("After every round each seat gets the model of the next debater, so no model argues one side alone."),
    )
    return draft.replace(rotates=unless_usual(chosen, usual))


def _draw_missing_models(draft: SetupDraft) -> None:
    """Say that there is no model, and list the models whose key is missing."""
    if not models.usable(draft):
        st.caption(
            _("No model is set up on this server, and none is needed: people and the evidence panel can debate.")
        )
    panels = session.host().access.panels
    waiting = [line for line in panels.lines if models.needs_key(line)]
    if not waiting:
        return
    with st.expander(_("Models that need a key"), icon=":material/key:", key="models-without-key"):
        st.caption(
            _(
                "Set the variable in the environment of this server or in .streamlit/secrets.toml, and start the "
                "server again. People and the evidence panel need no key."
            )
        )
        if panels.as_of:
            st.caption(_("These names of models are as of {as_of}.", as_of=safe_line(panels.as_of)))
        for variable in dict.fromkeys(line.key_env for line in waiting):
            labels = ", ".join(safe_line(models.label(line)) for line in waiting if line.key_env == variable)
            st.markdown(f"`{variable}`: {labels}")


def _with_seats(draft: SetupDraft, typed: tuple[SeatDraft, ...]) -> SetupDraft:
    """Return the draft with these seats. Unchanged seats stay suggestions, which follow the question."""
    return draft if typed == draft.panel() else draft.replace(seats=typed)


def _all_kinds(draft: SetupDraft) -> Kinds:
    return {"offline": _("Evidence panel"), "human": _("A person"), **_model_kinds(draft)}


def _model_kinds(draft: SetupDraft) -> Kinds:
    return {f"{_OF_A_MODEL}{i}": words for i, words in models.choices(draft).items()}


def choice_of(who: SeatOccupant, model: str) -> str:
    """Return `offline`, `human` or `model:sonnet`."""
    return f"{_OF_A_MODEL}{model}" if who == "model" else who


def _occupant_of(choice: str) -> tuple[SeatOccupant, str]:
    match choice:
        case "offline" | "human":
            return choice, ""
        case _:
            return "model", choice.removeprefix(_OF_A_MODEL)


def _choice_words(choice: str, kinds: Kinds) -> str:
    return kinds.get(choice) or _("{model} (cannot be asked)", model=choice.removeprefix(_OF_A_MODEL))


def _pick_occupant(label: str, now: str, kinds: Kinds, key: str) -> tuple[SeatOccupant, str]:
    """Draw the choices, with the present one even if it is not available any longer."""
    choices = list(kinds) if now in kinds else [now, *kinds]
    choice = st.selectbox(
        label, choices, choices.index(now), key=key, format_func=lambda choice: _choice_words(choice, kinds)
    )
    return _occupant_of(choice)


def _edit_seat(number: int, seat: SeatDraft) -> SeatDraft:
    with st.container(border=True, key=f"setup_seat_{seat.key}_row"):
        left, right = st.columns(2)
        name = left.text_input(_("Seat {number}", number=number), seat.id, key=field_key(seat, "id"), max_chars=40)
        free = _("none: free to judge")
        stance = right.text_input(
            _("Stance of seat {number}", number=number), seat.stance, key=field_key(seat, "stance"), placeholder=free
        )
        with st.container(horizontal=True, vertical_alignment="bottom", gap="xsmall"):
            persona = st.text_input(
                _("Persona of seat {number}", number=number),
                seat.persona,
                key=field_key(seat, "persona"),
                max_chars=2_000,
            )
            commitment = select_word(
                _("How seat {number} argues", number=number),
                COMMITMENT_WORDS,
                seat.commitment,
                key=field_key(seat, "commitment"),
                width=220,
            )
            draw_cross(_("seat {number}", number=number), f"setup_seat_{seat.key}_drop", lambda: _drop_seat(seat.key))
        instructions = _edit_instructions(number, seat) if seat.who == "model" else seat.instructions
    return seat.replace(
        id=as_id(name), stance=stance, persona=persona, commitment=commitment, instructions=instructions
    )


def _edit_instructions(number: int, seat: SeatDraft) -> str:
    return st.text_area(
        _("Instructions for seat {number}", number=number),
        seat.instructions,
        key=field_key(seat, "instructions"),
        max_chars=MAX_INSTRUCTION_CHARS,
        height=68,
        placeholder=_("none"),
        help=_("Added to every prompt of this model, and part of the record. They change no rule of the debate."),
    )


def _drop_seat(key: str) -> None:
    draft = current()
    change(draft, seats=tuple(seat for seat in draft.panel() if seat.key != key))


def _add_seat(draft: SetupDraft) -> None:
    made = draft.made + 1
    change(draft, seats=(*draft.panel(), SeatDraft(key=f"new-{made}", id=f"seat_{made}", who="human")), made=made)


def _suggest_panel(draft: SetupDraft) -> None:
    """Replace personas and names; the occupants stay, as chosen in the fields when the button is pressed."""
    made = draft.made + 1
    before = draft.panel()
    seats = []
    for seat, replaced in zip_longest(suggested_panel(draft, len(before) or None), before):
        if seat is None:
            continue
        who, model = seat.who, seat.model
        if replaced:
            choice = st.session_state.get(field_key(replaced, "who"))
            who, model = _occupant_of(choice) if choice else (replaced.who, replaced.model)
        seats.append(seat.replace(who=who, model=model, key=f"{seat.key}-{made}"))
    change(draft, seats=tuple(seats), made=made)


def _edit_roles(draft: SetupDraft, kinds: Kinds) -> SetupDraft:
    """Ask for the chair, if the rules have a task for it, and for every support role."""
    if draft.needs_chair():
        draft = draft.replace(chair=_edit_chair(draft))
    grid = st.grid(2, min_column_width=260)
    for office in draft.all_offices():
        with grid.container(border=True):
            draft = draft.with_office(_edit_role(draft, office, kinds))
    return draft


def _edit_chair(draft: SetupDraft) -> bool:
    label = _("Someone holds the chair")
    help_text = _("A person who may change the moderator's proposals.")
    if draft.can_be_marked():
        label = _("Someone marks the passages")
        help_text = _("Between rounds a person reads the quoted passages and says which option each one supports.")
    chair = st.checkbox(label, value=draft.chair, key="setup_chair", help=help_text)
    if draft.can_be_marked():
        st.caption(_("The evidence panel votes only from marks; without them it abstains."))
    return chair


def _edit_role(draft: SetupDraft, office: OfficeDraft, kinds: Kinds) -> OfficeDraft:
    gives = list(dict.fromkeys(p.gives for p in draft.rules().phases() if p.role == office.role))
    by_code = next((_BY_CODE[g] for g in gives if g in _BY_CODE), _("No one: the turn is skipped"))
    who, model = _pick_occupant(
        capitalized(named(office.role)),
        choice_of(office.who, office.model),
        {"human": _("A person"), "offline": by_code, **kinds},
        f"setup_office_{draft.protocol}_{office.role}_{draft.made}",
    )
    st.caption(_("Gives {gives}.", gives=spoken_list([GIVES_WORDS[g] for g in gives])))
    return OfficeDraft(
        role=office.role,
        who=who,
        model=model,
        both_orders=_ask_both_orders(draft, office, who),
        ends_from=_ask_early_end(draft, office),
    )


def _ask_early_end(draft: SetupDraft, office: OfficeDraft) -> int:
    """Ask after which round the synthesiser may end the rounds; 0 = none."""
    rules = draft.shipped()
    rounds = range(1, draft.max_rounds())
    if office.role != "synthesiser" or not rounds or with_synthesis_each_round(rules, 1) == rules:
        return 0
    choices = [0, *rounds]
    chosen: int = st.selectbox(
        _("The synthesiser may end the rounds"),
        choices,
        index=choices.index(office.ends_from) if office.ends_from in choices else 0,
        format_func=lambda number: _("after round {number} at the earliest", number=number) if number else _("no"),
        key=f"setup_ends_from_{draft.protocol}_{len(rounds)}",
        help=_("Adds a synthesis to every round. If it recommends no other round, the closing phases follow."),
    )
    return chosen


def _ask_both_orders(draft: SetupDraft, office: OfficeDraft, who: SeatOccupant) -> bool:
    """Ask whether a model gives the last verdict twice, in both orders."""
    rules = draft.shipped()
    give_the_last_verdict = {phase.role for phase in rules.after if phase.gives == "verdict"}
    if who != "model" or office.role not in give_the_last_verdict or with_both_orders(rules) == rules:
        return False
    chosen = st.checkbox(_("Ask in both orders"), value=office.both_orders, key=f"setup_orders_{draft.protocol}")
    st.caption(_("Models favour some positions: an option must win in both orders. One more call."))
    return chosen


def _edit_weights(draft: SetupDraft) -> SetupDraft:
    """Ask for the weight of each debater's ballot, if ballots are counted."""
    panel = draft.panel()
    if draft.rules().deciding_role or len(panel) < 2:
        return draft
    with st.expander(
        _("Ballot weights"), icon=":material/balance:", expanded=draft.total_weight() > len(panel), key="setup-weights"
    ):
        st.caption(
            _("Fixed with the first turn. Results are shown with these weights, and as if every ballot weighed 1.")
        )
        grid = st.grid(3, min_column_width=140)
        seats = []
        for number, seat in enumerate(panel, start=1):
            label = safe_label(_("Weight of {seat}", seat=in_words(seat.id) or number))
            weight = grid.number_input(label, 1, MAX_WEIGHT, seat.weight, key=field_key(seat, "weight"))
            seats.append(seat.replace(weight=weight))
        together = sum(seat.weight for seat in seats)
        if together > len(panel):
            st.caption(
                _n(
                    len(panel),
                    "{n} ballot weighs {together}.",
                    "{n} ballots weigh {together} together.",
                    together=together,
                )
            )
    return _with_seats(draft, tuple(seats))
