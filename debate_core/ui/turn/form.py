"""The form of a turn that a person gives for a seat: one form per kind of content; argument and synthesis are here.

The fields are those of the content schema for all seats. Shows only the seat's view. The engine validates the answer.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial

import streamlit as st

from debate_core.engine import ballot_consistency
from debate_core.engine.checkable_claims import has_marker
from debate_core.engine.passages import passages_of
from debate_core.engine.seat_view import View, view
from debate_core.engine.stage import compared_by_all, name_of
from debate_core.engine.validate_content import NO_REASON, mismatch_of, read_content
from debate_core.errors import BadReply
from debate_core.language import _, message, said
from debate_core.record.acts import OwnWords
from debate_core.record.commands import Act, TakeTurn
from debate_core.record.state import Request, State
from debate_core.report.facts.terms import named
from debate_core.spec.contents import Argument, Content, Gives, Synthesis
from debate_core.spec.values import MAX_TEXT_CHARS, in_words
from debate_core.text import capitalized, whole_sentence
from debate_core.ui.kit import session
from debate_core.ui.kit.drafts import FormDraft
from debate_core.ui.kit.session import Me
from debate_core.ui.kit.text import safe_id, safe_line
from debate_core.ui.turn import (
    brief,
    chair,
    claims_beside,
    comparing,
    fields,
    marking,
    offices,
    questions,
    synthesis_form,
)
from debate_core.ui.turn.ballot import ballot_fields, ballot_of, missing_rows
from debate_core.ui.turn.fields import MAX_LINE_CHARS, MAX_ROWS, TRIED, Fields


def turn_form(state: State, request: Request, me: Me, *, n_more: int = 0) -> None:
    """Draw the form of one open request, with its draft; `n_more` requests follow for the same person."""
    draft = FormDraft.of(state, request, me)
    seen = view(state, request)
    # Empty if the turn is given in the name of the seat.
    by = me.actor if me.person or me.stands_in == request.seat else ""
    with st.container():
        if not seen.phase.paired or (by and not compared_by_all(state, seen.seat.id)):
            _draw_head(seen, state, by)
        brief.who_argues(seen)
    if seen.phase.paired:
        comparing.show(state, request, draft, seen, me, n_more)
        return
    form = FORMS[request.gives]
    form.draw(draft, seen, state)
    session.show_problem()
    _draw_question(state, request, draft, seen, me)
    is_marking = request.gives == "review"
    # A suggestion has the one primary button while it waits.
    is_next = not is_marking or marking.find_suggestion(draft, seen, state) is None
    st.button(
        _(form.send),
        key=f"{draft.name}:send",
        type="primary" if is_next else "secondary",
        icon=":material/send:",
        on_click=_submit,
        args=(state, request, draft, seen, me),
    )
    chair.answers(state, request, draft, seen, me)
    st.caption(_("Your marks are saved.") if is_marking else _("Your draft is saved as you leave each field."))


def _draw_head(seen: View, state: State, by: str) -> None:
    seat = safe_id(seen.seat.id)
    stands_in = by and not brief.is_own(state, seen.seat.id, by)
    whose = _("Your turn as {seat}", seat=seat)
    if stands_in:
        whose = _("{person} answers for {seat}", person=safe_line(name_of(state, by)), seat=seat)
    when = _("round {round} of {max_rounds}", round=seen.request.round, max_rounds=seen.max_rounds)
    if seen.phase in state.spec.protocol.before:
        when = _("before the first round")
    elif seen.phase in state.spec.protocol.after:
        when = _("at the end")
    st.markdown(f"**{whose}** · {safe_line(named(seen.phase.name))}, {when}")
    if seen.seat.stance:
        st.caption(_("You defend: {stance}", stance=safe_line(seen.seat.stance)))
    if stands_in:
        st.caption(_("The record shows that you gave this turn. Until you send it, the seat may still answer."))
    elif seen.request.attempt > 1:
        st.caption(_("An earlier attempt at this turn failed; this is another one."))
    brief.false_quotes(seen)
    if state.spec.has_people:
        brief.before_writing(state, seen)


def _draw_question(state: State, request: Request, draft: FormDraft, seen: View, me: Me) -> None:
    """Ask for confirmation if text and ballot differ or nothing is marked; any edit that settles it ends this."""
    asked = st.session_state.get(_question_key(draft))
    if not asked:
        return
    try:
        question = _find_question(state, request, _read(state, request, draft, seen), seen)
    except BadReply:
        return
    if asked != question:
        return
    st.warning(safe_line(asked), icon=":material/contrast:")
    st.button(
        _("Send it anyway"),
        key=f"{draft.name}:anyway",
        on_click=_submit,
        args=(state, request, draft, seen, me),
        kwargs={"despite": asked},
    )


def _find_question(state: State, request: Request, content: Content, seen: View) -> str:
    """`Your text argues for “adopt”, your ballot says “defer”`, or a question about a row without an answer, missing
    marks or a deliverable that does not match its schema; else empty."""
    if why := mismatch_of(state.spec, content):
        return _(
            "{fault}. Change it and give the turn again, or send it anyway: it is then marked as not matching.",
            fault=capitalized(said(why)),
        )
    argued = ballot_consistency.contradicted(state, request, content)
    if argued is None:
        return _missing_in_ballot(state, content, seen) or marking.unmarked(content, seen, state)
    difference = said(ballot_consistency.which_is_held(argued, ballot_consistency.highest_on(state, content), content))
    return _(
        "{difference}. Change one of them and give the turn again, or send it anyway: everyone then "
        "sees that they differ.",
        difference=capitalized(difference),
    )


def _missing_in_ballot(state: State, content: Content, seen: View) -> str:
    given = content.ballot if isinstance(content, Argument) else ()
    return missing_rows(state.spec.protocol.decide, seen.options, seen.drivers, given)


def _read(state: State, request: Request, draft: FormDraft, seen: View) -> Content:
    """The typed content. Raises BadReply if something is missing."""
    data = seen.names.real(FORMS[request.gives].data(draft, seen, state))
    return read_content(state.spec, request.gives, data, asks_ballot=bool(seen.ballot_options))


def _question_key(draft: FormDraft) -> str:
    return f"{draft.name}:which"


def _submit(state: State, request: Request, draft: FormDraft, seen: View, me: Me, *, despite: str = "") -> None:
    """Give the turn; `despite` is the question that this person has confirmed."""
    if request.gives in FAULTS and FAULTS[request.gives](draft, seen, state):
        draft.fill({TRIED: 1})
        return
    if not marking.is_up_to_date(draft, seen):
        return
    own: tuple[OwnWords, ...] = ()
    try:
        content = _read(state, request, draft, seen)
        if isinstance(content, Synthesis):
            own = synthesis_form.answered_for(synthesis_form.sheet_of(state, request, draft), content)
    except BadReply as error:
        session.set_problem(error)
        return
    question = _find_question(state, request, content, seen)
    if question not in ("", despite):
        st.session_state[_question_key(draft)] = question
        return
    if not session.give(state.debate, me, partial(TakeTurn, request=request.id, content=content), seat=request.seat):
        return
    st.session_state.pop(_question_key(draft), None)
    draft.drop()
    if own and isinstance(content, Synthesis):
        version = partial(Act, act=synthesis_form.as_version(content, own))
        session.give(state.debate, me, version, seat=request.seat)


# --- argument, critique, rebuttal


def _argument_fields(draft: FormDraft, seen: View, state: State) -> None:
    """Draw the fields; beside them the claims of others, which a press answers or concedes."""
    others = fields.others_claims(seen)
    if not others:
        _draw_argument(draft, seen, state)
        return
    write, read = st.columns([3, 2], gap="medium")
    with write:
        _draw_argument(draft, seen, state)
    with read:
        texts = {i: claim.text for i, claim in others.items()}
        targets = {"answers": _("Claims you answer"), "concedes": _("Claims you concede")}
        claims_beside.show(draft, texts, seen.numbers, targets)


def _draw_argument(draft: FormDraft, seen: View, state: State) -> None:
    faults = _argument_faults(draft, seen, state) if draft.get(TRIED) else {}
    label = _("Why (optional)") if state.spec.is_decided_alone() else _("Your argument")
    fields.area(draft, "rationale", label, max_chars=state.spec.terms.max_chars, height=170)
    # Containers keep the fields below in place when an error or another field appears.
    with st.container():
        fields.fault(faults, "rationale")
    with st.container():
        if seen.ballot_options:
            ballot_fields(
                draft,
                state,
                state.spec.protocol.decide,
                seen.options,
                seen.drivers,
                label=_("Your vote as {seat}", seat=in_words(seen.seat.id)),
            )
            brief.tick(state, draft, seen)
            fields.fault(faults, "vote")
    fields.confidence(draft)
    if seen.phase.min_strength is not None:
        fields.score(draft, "strength", _("Strength of the critique, 1 to 10 (optional)"))
    others = fields.others_claims(seen)
    if others:
        fields.pick_claims(draft, "answers", _("Claims you answer"), others, seen)
        fields.pick_claims(draft, "concedes", _("Claims you concede"), others, seen)
    count = fields.count(draft, "claims")
    label = _("Numbered claims ({count})", count=count) if count else _("Numbered claims with evidence")
    with st.expander(label, expanded=count > 0, key=draft.place("claims")):
        st.caption(_("Each claim gets a number, so that others can answer it."))
        for number in range(count):
            _draw_claim(draft, seen, number)
        fields.more(draft, "claims", _("Add a claim"), MAX_ROWS)


def _draw_claim(draft: FormDraft, seen: View, number: int) -> None:
    with st.container(border=True, key=draft.place(f"claim{number}")):
        text = fields.area(
            draft, f"claim{number}", _("Claim {number}", number=number + 1), max_chars=MAX_LINE_CHARS, height=70
        )
        if text and has_marker(text):
            st.caption(_("Contains a number or a measure that can be checked."))
        sources = {source.id: source for source in seen.sources}
        if not sources:
            return
        chosen: str | None = st.selectbox(
            _("Source of claim {number}", number=number + 1),
            [*sources],
            format_func=lambda i: f"{i} · {sources[i].title}",
            placeholder=_("none"),
            **draft.one_of(f"source{number}", [*sources]),
        )
        if chosen is not None:
            _draw_quote(draft, number, {p.id: p.text for p in passages_of(sources[chosen])})


def _draw_quote(draft: FormDraft, number: int, passages: Mapping[str, str]) -> None:
    def fill_in_quote() -> None:
        draft.save()
        draft.fill({f"quote{number}": passages.get(str(draft.get(f"passage{number}")), "")})

    st.selectbox(
        _("Passage for claim {number}", number=number + 1),
        [*passages],
        format_func=lambda i: f"{i.split('.')[-1]} · {' '.join(passages.get(i, '').split())}",
        placeholder=_("choose, or type the quote below"),
        **draft.one_of(f"passage{number}", [*passages]) | {"on_change": fill_in_quote},
    )
    fields.area(
        draft, f"quote{number}", _("Quote of claim {number}", number=number + 1), max_chars=MAX_TEXT_CHARS, height=90
    )


def _argument_faults(draft: FormDraft, seen: View, state: State) -> dict[str, str]:
    """Map each incomplete field to its error."""
    faults = {}
    if not draft.text("rationale") and not state.spec.is_decided_alone():
        faults["rationale"] = _("Your argument is empty: say why.")
    if seen.ballot_options:
        try:
            vote = ballot_of(draft, state.spec.protocol.decide, seen.options, seen.drivers)
            brief.stance(state, draft, seen, vote.get("vote"))
        except BadReply as error:
            faults["vote"] = whole_sentence(said(error))
    return faults


def _synthesis_faults(draft: FormDraft, _seen: View, _state: State) -> dict[str, str]:
    if draft.text("answer"):
        return {}
    return {"answer": _("The answer is empty: say what the debate showed.")}


FAULTS: Mapping[Gives, Callable[[FormDraft, View, State], dict[str, str]]] = {
    "argument": _argument_faults,
    "critique": _argument_faults,
    "rebuttal": _argument_faults,
    "synthesis": _synthesis_faults,
}
"""Errors shown beside their fields. Other forms show one error above their button."""


def _argument(draft: FormDraft, seen: View, state: State) -> Fields:
    vote: Fields = {"vote": None}
    if seen.ballot_options:
        vote = ballot_of(draft, state.spec.protocol.decide, seen.options, seen.drivers)
    rationale = draft.text("rationale")
    if not rationale and state.spec.is_decided_alone():
        rationale = NO_REASON
    claims: list[Fields] = []
    for number in range(fields.count(draft, "claims")):
        source = draft.get(f"source{number}")
        quote = draft.text(f"quote{number}") if source else ""
        if text := draft.text(f"claim{number}"):
            claims.append({"text": text, "source_id": source, "quote": quote or None})
    return {
        "stance": brief.stance(state, draft, seen, vote.get("vote")),
        "rationale": rationale,
        "claims": claims,
        "answers": draft.choices("answers"),
        "concedes": draft.choices("concedes"),
        **vote,
        "confidence": draft.get("confidence"),
        "strength": draft.get("strength"),
    }


# --- every form


def _synthesis_fields(draft: FormDraft, seen: View, state: State) -> None:
    synthesis_form.code_button(draft, seen, seen.names)
    synthesis_form.synthesis_fields(synthesis_form.sheet_of(state, seen.request, draft))
    if seen.asks_another_round:
        st.checkbox(
            _("No other round is needed: end the rounds"),
            help=_("Tick it if another round is unlikely to settle an open point."),
            **draft.tick("no_other_round"),
        )


def _synthesis(draft: FormDraft, seen: View, _state: State) -> Fields:
    typed = synthesis_form.data(draft, seen.options)
    if not seen.asks_another_round:
        return typed
    return {**typed, "recommend_another_round": not draft.get("no_other_round")}


@dataclass(frozen=True, slots=True)
class Form:
    """The form of one kind of content: `draw` its fields, `data` in the shape of the content, the label of its button.

    `data` raises BadReply if a required field is empty.
    """

    draw: Callable[[FormDraft, View, State], None]
    data: Callable[[FormDraft, View, State], Fields]
    send: str


FORMS: dict[Gives, Form] = {
    "argument": Form(_argument_fields, _argument, message("Give this turn")),
    "critique": Form(_argument_fields, _argument, message("Give this critique")),
    "rebuttal": Form(_argument_fields, _argument, message("Give this rebuttal")),
    "synthesis": Form(_synthesis_fields, _synthesis, message("Give this synthesis")),
    "review": Form(marking.marking_fields, marking.marking, message("Give these marks")),
    "framing": Form(offices.framing_fields, offices.framing, message("Give this framing")),
    "positions": Form(offices.positions_fields, offices.positions, message("Give these positions")),
    "candidates": Form(offices.candidates_fields, offices.candidates, message("Propose these candidates")),
    "screening": Form(offices.candidates_fields, offices.candidates, message("Give this screening")),
    "directive": Form(offices.directive_fields, offices.directive, message("Give this directive")),
    "evaluation": Form(offices.evaluation_fields, offices.evaluation, message("Give this evaluation")),
    "verdict": Form(offices.verdict_fields, offices.verdict, message("Give this verdict")),
    "decisive_claim": Form(questions.decisive_claim_fields, questions.decisive_claim, message("Send")),
    "suppositions": Form(questions.suppositions_fields, questions.suppositions, message("Send")),
    "premortem": Form(questions.premortem_fields, questions.premortem, message("Send")),
}
