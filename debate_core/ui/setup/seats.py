"""The seats on the set-up page: debaters with their occupants and stances, models for all of them, support roles.

Knows no rules beyond the draft's own; starts nothing.
"""

from collections.abc import Mapping, Sequence
from functools import partial
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
from debate_core.ui.kit.text import safe_label
from debate_core.ui.setup import models
from debate_core.ui.setup.draft import (
    MAX_WEIGHT,
    OfficeDraft,
    SeatDraft,
    SeatOccupant,
    SetupDraft,
    named_by_kind,
    suggested_panel,
    with_panel,
    with_rules_for,
)
from debate_core.ui.setup.draft_store import change, current, keep
from debate_core.ui.setup.fields import as_id, as_typed, field_key, name_of, select_word

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
        "synthesis": "Automatic draft: lists the claims, recommends nothing",
        "directive": "No one: every debater speaks in every round",
    }
)
"""The effect of a support role without an occupant, by content; every other turn is skipped."""
_ROLE_QUESTIONS: Words[str] = Words(
    {
        "assigner": "Who assigns the sides?",
        "evaluator": "Who scores the arguments?",
        "framer": "Who says what the debate is about?",
        "generator": "Who proposes options?",
        "judge": "Who judges?",
        "moderator": "Who moderates?",
        "referee": "Who looks for faults?",
        "synthesiser": "Who sums up?",
    }
)
Kinds = Mapping[str, str]
"""Label by choice: `offline`, `human`, or `model:` and the id of a line."""
_OF_A_MODEL = "model:"
_CHOSEN = "setup_seat"
"""Key of the seat whose details are open."""
_TABLE = """<style>
[class*="st-key-seat-row-"] { flex-wrap: nowrap }
[class*="st-key-seat-row-"] > * { flex: 1 1 0; min-width: 0 }
[class*="st-key-seat-row-"]:not(.st-key-seat-row-heads) { padding: 0.25rem 0;
  border-top: 1px solid color-mix(in srgb, currentColor 18%, transparent) }
[class*="st-key-seat-row-"] .stButton button { padding-inline: 0.25rem }
[class*="st-key-seat-row-"] .stButton button :has([data-testid=stMarkdownContainer]) {
  width: 100%; justify-content: start }
[class*="st-key-seat-row-"] [data-testid=stSelectbox] [role=group]:not(:hover, :focus-within) {
  border-color: transparent; background: none }
.st-key-seat-row-heads [data-testid=stCaptionContainer] { padding-inline: 0.65rem }
.st-key-seat-row-heads > :first-child [data-testid=stCaptionContainer] { padding-inline: 0.25rem }
[class*="st-key-seat-fields-"] { padding: 0.5rem 0.25rem 1rem }
@media (max-width: 640px) {
  .st-key-seat-row-heads { display: none }
  [class*="st-key-seat-row-"] { flex-wrap: wrap; gap: 0 0.5rem }
  [class*="st-key-seat-row-"] > :first-child { flex: 1 0 100% }
  [class*="st-key-seat-row-"] > :nth-child(2) { flex-grow: 1.4 }
}
</style>"""
"""Cells of a table: a line above each row, and a border around a choice only while it is used."""


def edit_seats(draft: SetupDraft) -> SetupDraft:
    """Ask who sits in each seat and what it argues for, and for the details of one."""
    st.caption(_explain_seats(draft))
    _draw_panels(draft)
    kinds = _all_kinds(draft)
    stances = draft.named_options()
    with st.container(gap=None, key="seat-table"):
        st.html(_TABLE)
        draft = _edit_table(draft, kinds, stances)
    draft = models.with_named_lines(draft)
    with st.container(horizontal=True, gap="small"):
        st.button(_("Add a seat"), icon=":material/add:", type="tertiary", on_click=_add_seat, args=(draft,))
        st.button(
            _("Suggest other experts"),
            icon=":material/group_add:",
            type="tertiary",
            help=_("For all seats, by the words of the question, always with a sceptic or a pragmatist among them."),
            on_click=_suggest_seats,
            args=(draft,),
        )
    _draw_default_models(draft)
    if draft.answers_instead():
        st.caption(
            _(
                "The keys on this server lead to models of one family, which share errors: a debate between them costs "
                "more and is weak evidence. So the question is asked three times, and one critic looks for faults. "
                "Choose another protocol above for a debate."
            )
        )
    return draft


def _edit_table(draft: SetupDraft, kinds: Kinds, stances: Sequence[str]) -> SetupDraft:
    """Draw a row for each seat, with the details of the chosen one inside its row."""
    with st.container(horizontal=True, gap="small", key="seat-row-heads"):
        for title in (_("Seat"), _("Held by"), _("Side")):
            st.caption(title)
    typed, places = [], {}
    chosen: str = st.session_state.get(_CHOSEN, "")
    for number, seat in enumerate(draft.panel(), start=1):
        typed.append(_edit_seat(number, seat, kinds, stances, is_open=seat.key == chosen))
        places[seat.key] = st.container()
    draft = _with_seats(draft, tuple(typed))
    if chosen in places:
        with places[chosen], st.container(key=f"seat-fields-{chosen}"):
            draft = _edit_chosen(draft, chosen)
    return draft


def _explain_seats(draft: SetupDraft) -> str:
    """Explain a seat, and what it does if no model is available."""
    if draft.has_evidence_panel() and not models.usable(draft):
        return _("Without a model, a seat quotes your documents and votes by the marks that you set on these quotes.")
    return _("A seat is a debater: a person, a model, or a program that quotes your documents.")


def edit_judge(draft: SetupDraft) -> SetupDraft:
    """Ask who the judge is, if one decides."""
    if draft.decider() != "judge":
        return draft
    deciding = draft.shipped().deciding_role
    office = next((office for office in draft.all_offices() if office.role == deciding), None)
    return draft.with_office(_edit_role(draft, office, _model_kinds(draft))) if office else draft


def seat_words(number: int, seat: SeatDraft) -> str:
    """Return the name of a seat, else its number."""
    return safe_label(capitalized(in_words(seat.id))) or _("Seat {number}", number=number)


def _edit_seat(number: int, seat: SeatDraft, kinds: Kinds, options: Sequence[str], *, is_open: bool) -> SeatDraft:
    """Draw the row of a seat: its name, which opens its details, its holder, and its side."""
    name = seat_words(number, seat)
    stances = list(dict.fromkeys(filter(None, (*options, seat.stance))))
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key=f"seat-row-{seat.key}"):
        st.button(
            f"**{name}**" if seat.weight == 1 else f"**{name}** × {seat.weight}",
            icon=":material/expand_less:" if is_open else ":material/expand_more:",
            icon_position="right",
            type="tertiary",
            width="stretch",
            key=field_key(seat, "edit"),
            on_click=choose_seat,
            args=(seat.key,),
        )
        held = choice_of(seat.who, seat.model)
        who, model = _pick_occupant(name, held, kinds, field_key(seat, "who"), in_table=True)
        stance = st.selectbox(
            _("{seat} argues for", seat=name),
            stances,
            stances.index(seat.stance) if seat.stance else None,
            key=field_key(seat, "stance"),
            placeholder=_("no side"),
            accept_new_options=True,
            label_visibility="collapsed",
        )
    edited = named_by_kind(seat.replace(who=who, model=model, stance=stance or ""))
    if edited.id != seat.id and field_key(seat, "id") in st.session_state:
        st.session_state[field_key(seat, "id")] = name_of(edited.id)
    return edited


def _draw_panels(draft: SetupDraft) -> None:
    """Offer ready line-ups of models for all seats, if any of them is available."""
    lines = {line.id for line in models.usable(draft)}
    panels = {p.name: p for p in session.host().access.panels.panels if lines.issuperset(p.line_ids())}
    if not panels:
        return
    st.selectbox(
        _("Models for all seats"),
        list(panels),
        None,
        key="setup_panel",
        format_func=lambda n: panels[n].title or n,
        placeholder=_("choose to seat them"),
        on_change=_seat_panel,
        args=(panels,),
    )


def _seat_panel(panels: Mapping[str, Panel]) -> None:
    """Put the chosen models into the seats, with their text at that moment, and free the list for another choice."""
    name, st.session_state["setup_panel"] = st.session_state["setup_panel"], None
    if name is None:
        return
    draft, panel = current(), panels[name]
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


def _draw_default_models(draft: SetupDraft) -> None:
    """Say which models sit in the suggested seats because of a key."""
    if draft.by_key and draft.seats is None:
        st.caption(
            _(
                "A key is set on this server, so the cheapest model of each family debates by default. The debate "
                "may use {usual_usd} unless its limits say otherwise.",
                usual_usd=usd_words(USUAL_USD),
            )
        )


def choose_seat(key: str) -> None:
    """Open the details of a seat, or close them, in a callback."""
    st.session_state[_CHOSEN] = "" if st.session_state.get(_CHOSEN) == key else key


def _edit_chosen(draft: SetupDraft, chosen: str) -> SetupDraft:
    seats = draft.panel()
    seat = next(seat for seat in seats if seat.key == chosen)
    detailed = _edit_seat_details(seat, counts=not draft.rules().deciding_role and len(seats) > 1)
    draft = _with_seats(draft, tuple(detailed if other is seat else other for other in seats))
    st.button(_("Remove this seat"), icon=":material/delete:", type="tertiary", on_click=_drop_seat, args=(seat.key,))
    if draft.total_weight() > len(seats):
        st.caption(
            _n(
                len(seats),
                "{n} ballot weighs {together}.",
                "{n} ballots weigh {together} together.",
                together=draft.total_weight(),
            )
        )
    return draft


def edit_rotation(draft: SetupDraft) -> SetupDraft:
    """Ask whether the models rotate, if different models debate in several rounds."""
    if not draft.can_rotate():
        return draft
    rules = draft.shipped()
    chosen = st.checkbox(
        _("Rotate the models of the debaters"),
        value=bool(rules.rotate_models),
        key=f"setup_rotates_{draft.protocol}",
        help=_("After every round each seat gets the model of the next debater, so no model argues one side alone."),
    )
    return draft.with_own(rules.model_copy(update={"rotate_models": chosen or None}))


def _with_seats(draft: SetupDraft, typed: tuple[SeatDraft, ...]) -> SetupDraft:
    """Return the draft with these seats. Unchanged seats stay suggestions, which follow the question."""
    return draft if typed == draft.panel() else draft.replace(seats=typed)


def _all_kinds(draft: SetupDraft) -> Kinds:
    return {"offline": _("Quoting program"), "human": _("A person"), **_model_kinds(draft)}


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


def _pick_occupant(
    label: str, now: str, kinds: Kinds, key: str, explained: str = "", *, in_table: bool = False
) -> tuple[SeatOccupant, str]:
    """Draw the choices, with the present one even if it is not available any longer.

    `in_table`: the label is for screen readers alone.
    """
    choices = list(kinds) if now in kinds else [now, *kinds]
    choice = st.selectbox(
        label,
        choices,
        choices.index(now),
        key=key,
        format_func=lambda choice: _choice_words(choice, kinds),
        help=explained or None,
        label_visibility="collapsed" if in_table else "visible",
    )
    return _occupant_of(choice)


def _edit_seat_details(seat: SeatDraft, *, counts: bool) -> SeatDraft:
    left, right = st.columns(2)
    name = left.text_input(_("Name of the seat"), name_of(seat.id), key=field_key(seat, "id"), max_chars=40)
    with right:
        commitment = select_word(
            _("How it argues"), COMMITMENT_WORDS, seat.commitment, key=field_key(seat, "commitment")
        )
    persona = st.text_input(
        _("Expertise or point of view"), seat.persona, key=field_key(seat, "persona"), max_chars=2_000
    )
    weight = seat.weight
    if counts:
        weight = st.columns(2)[0].number_input(
            _("Weight of its ballot"),
            1,
            MAX_WEIGHT,
            seat.weight,
            key=field_key(seat, "weight"),
            help=_(
                "Fixed with the first turn. Results are shown with these weights, and as if every ballot weighed 1."
            ),
        )
    instructions = _edit_instructions(seat) if seat.who == "model" else seat.instructions
    named = as_id(name, seat.id)
    return seat.replace(
        id=named,
        is_named=seat.is_named or named != seat.id,
        persona=persona,
        commitment=commitment,
        weight=weight,
        instructions=instructions,
    )


def _edit_instructions(seat: SeatDraft) -> str:
    return st.text_area(
        _("Instructions for its model"),
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


def _suggest_seats(draft: SetupDraft) -> None:
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


def _other_roles(draft: SetupDraft) -> list[OfficeDraft]:
    deciding = draft.shipped().deciding_role if draft.decider() == "judge" else None
    return [office for office in draft.all_offices() if office.role != deciding]


def has_roles(draft: SetupDraft) -> bool:
    """Return whether the rules have a support role beside the judge who decides."""
    return bool(_other_roles(draft))


def edit_roles(draft: SetupDraft) -> SetupDraft:
    """Ask for every support role except the judge who decides."""
    kinds = _model_kinds(draft)
    for office in _other_roles(draft):
        draft = draft.with_office(_edit_role(draft, office, kinds))
    return models.with_named_lines(draft)


def edit_chair(draft: SetupDraft) -> SetupDraft:
    """Ask for the chair, if the rules have a task for it."""
    if not draft.needs_chair():
        return draft
    label = _("Someone holds the chair")
    help_text = _("A person who may change the moderator's proposals.")
    if draft.can_be_marked():
        label = _("Between rounds a person marks which option each quoted passage supports")
        help_text = _("Seats without a model vote only from these marks; without them they abstain.")
    return draft.replace(chair=st.checkbox(label, value=draft.chair, key="setup_chair", help=help_text))


def _edit_role(draft: SetupDraft, office: OfficeDraft, kinds: Kinds) -> OfficeDraft:
    gives = list(dict.fromkeys(p.gives for p in draft.rules().phases() if p.role == office.role))
    who, model = _pick_occupant(
        _ask_who(office.role),
        choice_of(office.who, office.model),
        _kinds_of_role(gives, kinds),
        f"setup_office_{draft.protocol}_{office.role}_{draft.made}",
        _("Gives {gives}.", gives=spoken_list([GIVES_WORDS[g] for g in gives])),
    )
    return office.replace(who=who, model=model, both_orders=_ask_both_orders(draft, office, who))


def _kinds_of_role(gives: Sequence[str], kinds: Kinds) -> Kinds:
    by_code = next((_BY_CODE[g] for g in gives if g in _BY_CODE), _("No one: the turn is skipped"))
    return {"human": _("A person"), "offline": by_code, **kinds}


def roles_in_words(draft: SetupDraft) -> str:
    """Return who has each support role but that of the deciding judge: `Who sums up? Automatic draft`."""
    words = []
    for office in _other_roles(draft):
        kinds = _kinds_of_role([p.gives for p in draft.rules().phases() if p.role == office.role], _model_kinds(draft))
        who = _choice_words(choice_of(office.who, office.model), kinds).partition(":")[0]
        words.append(f"{_ask_who(office.role)} {who}")
    return " · ".join(words)


def _ask_who(role: str) -> str:
    return _ROLE_QUESTIONS.get(role) or capitalized(named(role))


def edit_early_end(draft: SetupDraft) -> SetupDraft:
    """Ask after which round the synthesiser may end the rounds, where one closes the debate."""
    office = next(filter(partial(_may_end_rounds, draft), draft.all_offices()), None)
    if office is None:
        return draft
    choices = [*range(draft.max_rounds())]
    chosen: int = st.selectbox(
        _("The seat that sums up may end the rounds"),
        choices,
        index=choices.index(office.ends_from) if office.ends_from in choices else 0,
        format_func=_early_end_words,
        key=f"setup_ends_from_{draft.protocol}_{len(choices) - 1}",
        help=_("Adds a summary to every round. If it recommends no other round, the closing phases follow."),
    )
    return draft.with_office(office.replace(ends_from=chosen))


def _early_end_words(number: int) -> str:
    return _("After round {number} at the earliest", number=number) if number else _("No")


def _may_end_rounds(draft: SetupDraft, office: OfficeDraft) -> bool:
    """True if the rules have a place for its summaries; code reads none, but a choice made earlier stays in sight."""
    rules = draft.shipped()
    is_read = office.role == "synthesiser" and (office.who != "offline" or office.ends_from > 0)
    return is_read and draft.max_rounds() > 1 and with_synthesis_each_round(rules, 1) != rules


def _ask_both_orders(draft: SetupDraft, office: OfficeDraft, who: SeatOccupant) -> bool:
    """Ask whether a model gives the last verdict twice, in both orders."""
    rules = draft.shipped()
    give_the_last_verdict = {phase.role for phase in rules.after if phase.gives == "verdict"}
    if who != "model" or office.role not in give_the_last_verdict or with_both_orders(rules) == rules:
        return False
    chosen = st.checkbox(_("Ask in both orders"), value=office.both_orders, key=f"setup_orders_{draft.protocol}")
    st.caption(_("Models favour some positions: an option must win in both orders. One more call."))
    return chosen
