"""Who sits where: the debaters of a draft, one row each, what their ballots weigh, and who holds the offices.

Knows no rules beyond the draft's own; starts nothing.
"""

from collections.abc import Mapping
from itertools import zip_longest

import streamlit as st

from debate_core.language import Words, _, _n, spoken_list
from debate_core.report.facts.terms import named
from debate_core.report.words.costs import usd_words
from debate_core.seats.economy import USUAL_USD
from debate_core.spec.protocol import with_both_orders
from debate_core.spec.values import Commitment, in_words
from debate_core.text import capitalized
from debate_core.ui.kit.protocol_words import GIVES_WORDS
from debate_core.ui.kit.text import safe_label, safe_line
from debate_core.ui.setup import models
from debate_core.ui.setup.draft import MAX_WEIGHT, OfficeDraft, SeatDraft, SeatOccupant, SetupDraft, suggested_panel
from debate_core.ui.setup.draft_store import change, current
from debate_core.ui.setup.question import cross
from debate_core.ui.setup.seat_fields import as_id, field_key

COMMITMENT_WORDS: Words[Commitment | None] = Words(
    {
        None: "As the rules suggest",
        "locked": "Concedes nothing",
        "concede_points": "May concede points, never its side",
        "open": "May change its mind",
        "adversary": "Attacks what others propose",
    }
)
_FIRMNESS = tuple(COMMITMENT_WORDS)
Kinds = Mapping[str, str]
"""Choice -> words. A choice is `offline`, `human`, or `model:` and the id of a line."""
_OF_A_MODEL = "model:"


def who_sits(draft: SetupDraft) -> SetupDraft:
    """Who debates."""
    models.panel_row(draft)
    kinds = _kinds(draft)
    grid = st.grid(3, min_column_width=170)
    typed = []
    for number, seat in enumerate(draft.panel(), start=1):
        with grid.container():
            typed.append(_who(number, seat, kinds))
    return models.with_named_lines(_with_seats(draft, tuple(typed)))


def sit_words(draft: SetupDraft) -> str:
    """`Seats: Database expert, Cost analyst (Evidence panel); Risk manager (A person).`"""
    kinds = _kinds(draft)
    names: dict[str, list[str]] = {}
    for seat in draft.panel():
        names.setdefault(choice_of(seat.who, seat.model), []).append(capitalized(in_words(seat.id)))
    each = "; ".join(f"{', '.join(held)} ({_choice_words(choice, kinds)})" for choice, held in names.items())
    return safe_line(_("Seats: {each}.", each=each), max_chars=400)


def details(draft: SetupDraft) -> SetupDraft:
    """Names, sides and personas of the seats, who holds which office, and what each ballot weighs."""
    st.markdown(_("**Seats**"))
    st.caption(
        _("The evidence panel is no model: it quotes passages and votes only from the marks that people give to them.")
    )
    typed = tuple(_seat_row(n, seat) for n, seat in enumerate(draft.panel(), start=1))
    draft = _with_seats(draft, typed)
    with st.container(horizontal=True):
        st.button(_("Add a seat"), icon=":material/add:", type="tertiary", on_click=_add_seat, args=(draft,))
        st.button(
            _("Suggest a panel"),
            icon=":material/auto_awesome:",
            type="tertiary",
            help=_("Personas for the words of the question, always with a sceptic or a pragmatist among them."),
            on_click=_suggest,
            args=(draft,),
        )
    if draft.by_key and draft.seats is None:
        st.caption(
            _(
                "A key is set on this server and nobody was chosen yet, so the cheapest model of each family "
                "sits here. The debate may use {usual_usd} unless its limits say otherwise.",
                usual_usd=usd_words(USUAL_USD),
            )
        )
    draft = models.with_named_lines(_offices(draft, _models(draft)))
    models.about(draft)
    return _weights(draft)


def _with_seats(draft: SetupDraft, typed: tuple[SeatDraft, ...]) -> SetupDraft:
    """Seats that nobody has changed stay those that the question suggests."""
    if typed == draft.panel():
        return draft
    return draft.model_copy(update={"seats": typed})


def _kinds(draft: SetupDraft) -> Kinds:
    return {"offline": _("Evidence panel"), "human": _("A person"), **_models(draft)}


def _models(draft: SetupDraft) -> Kinds:
    return {f"{_OF_A_MODEL}{i}": words for i, words in models.choices(draft).items()}


def choice_of(who: SeatOccupant, model: str) -> str:
    """`offline`, `human`, `model:sonnet`."""
    return f"{_OF_A_MODEL}{model}" if who == "model" else who


def _chosen(choice: str) -> tuple[SeatOccupant, str]:
    match choice:
        case "offline" | "human":
            return choice, ""
        case _:
            return "model", choice.removeprefix(_OF_A_MODEL)


def _who(number: int, seat: SeatDraft, kinds: Kinds) -> SeatDraft:
    now = choice_of(seat.who, seat.model)
    offered = list(kinds) if now in kinds else [now, *kinds]
    choice = st.selectbox(
        safe_label(capitalized(in_words(seat.id))) or _("Seat {number}", number=number),
        offered,
        offered.index(now),
        key=field_key(seat, "who"),
        format_func=lambda c: _choice_words(c, kinds),
    )
    who, model = _chosen(choice)
    return seat.model_copy(update={"who": who, "model": model})


def _seat_row(number: int, seat: SeatDraft) -> SeatDraft:
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
            commitment = st.selectbox(
                _("How seat {number} argues", number=number),
                _FIRMNESS,
                _FIRMNESS.index(seat.commitment),
                key=field_key(seat, "commitment"),
                format_func=COMMITMENT_WORDS.__getitem__,
                width=220,
            )
            cross(_("seat {number}", number=number), f"setup_seat_{seat.key}_drop", lambda: _drop_seat(seat.key))
    typed = {"id": as_id(name), "stance": stance, "persona": persona, "commitment": commitment}
    return seat.model_copy(update=typed)


def _choice_words(choice: str, kinds: Kinds) -> str:
    return kinds.get(choice) or _("{model} (cannot be asked)", model=choice.removeprefix(_OF_A_MODEL))


def _drop_seat(key: str) -> None:
    draft = current()
    change(draft, seats=tuple(seat for seat in draft.panel() if seat.key != key))


def _add_seat(draft: SetupDraft) -> None:
    made = draft.made + 1
    change(draft, seats=(*draft.panel(), SeatDraft(key=f"new-{made}", id=f"seat_{made}", who="human")), made=made)


def _sits_now(seat: SeatDraft) -> tuple[SeatOccupant, str]:
    """As it is chosen now, which the draft may not have taken in yet."""
    choice = st.session_state.get(field_key(seat, "who"))
    return _chosen(choice) if choice else (seat.who, seat.model)


def _suggest(draft: SetupDraft) -> None:
    """Other personas and names; who sits where stays as it is."""
    made = draft.made + 1
    before = draft.panel()
    seats = []
    for seat, sits in zip_longest(suggested_panel(draft, len(before) or None), before):
        if seat is not None:
            who, model = _sits_now(sits) if sits else (seat.who, seat.model)
            seats.append(seat.model_copy(update={"who": who, "model": model, "key": f"{seat.key}-{made}"}))
    change(draft, seats=tuple(seats), made=made)


def _offices(draft: SetupDraft, kinds: Kinds) -> SetupDraft:
    """Everybody beside the debaters: a person in the chair if there is something to do there, and every office."""
    if draft.needs_chair():
        draft = draft.model_copy(update={"chair": _chair(draft)})
    offices = draft.all_offices()
    grid = st.grid(2, min_column_width=260)
    for office in offices:
        with grid.container(border=True):
            draft = draft.with_office(_office(draft, office, kinds))
    return draft


def _chair(draft: SetupDraft) -> bool:
    label = _("Someone holds the chair")
    help_text = _("A person who may change what the moderator proposes.")
    if draft.can_be_marked():
        label = _("Someone marks the passages")
        help_text = _("Between rounds a person reads the quoted passages and says which option each one supports.")
    chair = st.checkbox(label, value=draft.chair, key="setup_chair", help=help_text)
    if draft.can_be_marked():
        st.caption(_("The evidence panel votes only from marks; without them it abstains."))
    return chair


_BY_CODE = Words(
    {
        "synthesis": "A draft made by code: links claims, names no option",
        "directive": "Nobody: every debater speaks in every round",
    }
)
"""What becomes of an office that neither a person nor a model holds; any other turn is passed over."""


def _office(draft: SetupDraft, office: OfficeDraft, kinds: Kinds) -> OfficeDraft:
    gives = list(dict.fromkeys(p.gives for p in draft.rules().phases() if p.role == office.role))
    by_code = next((_BY_CODE[g] for g in gives if g in _BY_CODE), _("Nobody: the turn is passed over"))
    offered: dict[str, str] = {"human": _("A person"), "offline": by_code, **kinds}
    now = choice_of(office.who, office.model)
    choices = list(offered) if now in offered else [*offered, now]
    choice = st.selectbox(
        capitalized(named(office.role)),
        choices,
        choices.index(now),
        key=f"setup_office_{draft.protocol}_{office.role}_{draft.made}",
        format_func=lambda c: _choice_words(c, offered),
    )
    st.caption(_("Gives {gives}.", gives=spoken_list([GIVES_WORDS[g] for g in gives])))
    who, model = _chosen(choice)
    return OfficeDraft(role=office.role, who=who, model=model, both_orders=_both_orders(draft, office, who))


def _both_orders(draft: SetupDraft, office: OfficeDraft, who: SeatOccupant) -> bool:
    """Whether a model that gives the last verdict is asked twice; a person is asked once."""
    rules = draft.shipped()
    give_the_last_verdict = {phase.role for phase in rules.after if phase.gives == "verdict"}
    if who != "model" or office.role not in give_the_last_verdict or with_both_orders(rules) == rules:
        return False
    chosen = st.checkbox(_("Ask in both orders"), value=office.both_orders, key=f"setup_orders_{draft.protocol}")
    st.caption(_("Models favour a place: what is named in one order only is named by nobody. One more call."))
    return chosen


def _weights(draft: SetupDraft) -> SetupDraft:
    """One number for each debater; nothing where no ballots are counted."""
    panel = draft.panel()
    if draft.rules().deciding_role or len(panel) < 2:
        return draft
    with st.expander(
        _("What each ballot weighs"),
        icon=":material/balance:",
        expanded=draft.total_weight() > len(panel),
        key="setup-weights",
    ):
        st.caption(
            _("Fixed with the first turn. Results are shown with these weights, and as if every ballot weighed 1.")
        )
        grid = st.grid(3, min_column_width=140)
        seats = []
        for number, seat in enumerate(panel, start=1):
            label = safe_label(_("Weight of {seat}", seat=in_words(seat.id) or number))
            weight = grid.number_input(label, 1, MAX_WEIGHT, seat.weight, key=field_key(seat, "weight"))
            seats.append(seat.model_copy(update={"weight": weight}))
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
    if tuple(seats) == panel:
        return draft
    return draft.model_copy(update={"seats": tuple(seats)})
