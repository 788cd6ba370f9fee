"""Forms for the questions beside a vote: a premortem, the decisive claim, and votes if claims were false."""

import streamlit as st

from debate_core.engine.seat_view import View
from debate_core.language import _
from debate_core.record.state import State
from debate_core.spec.contents import MAX_REASONS
from debate_core.spec.values import ABSTAIN
from debate_core.ui.kit.drafts import FormDraft
from debate_core.ui.kit.text import safe_label, safe_line
from debate_core.ui.turn import fields
from debate_core.ui.turn.fields import Fields


def premortem_fields(draft: FormDraft, seen: View, _state: State) -> None:
    """Draw one field, a line for each reason."""
    st.markdown(_("**A year later the decision was reversed: why?**"))
    if seen.beside_vote.leading:
        st.caption(_("Now {option} leads.", option=safe_line(seen.beside_vote.leading)))
    label = _("Reasons, one line each (at most {n})", n=MAX_REASONS)
    fields.area(draft, "reasons", label, max_chars=MAX_REASONS * 300, height=140)


def premortem(draft: FormDraft, _seen: View, _state: State) -> Fields:
    """The typed content. Raises BadReply if there is no reason."""
    fields.required(draft, "reasons", _("there is no reason: write one, or skip the turn"))
    return {"reasons": fields.lines_of(draft, "reasons")}


def decisive_claim_fields(draft: FormDraft, seen: View, _state: State) -> None:
    """Draw the choice of the claim that decided the vote."""
    claims = fields.all_claims(seen)
    st.selectbox(
        _("Which claim decided it?"),
        [*claims],
        format_func=lambda i: f"{fields.claim_name(seen, i)}: {claims[i].text}" if i in claims else i,
        placeholder=_("no claim"),
        **draft.one_of("decided_by", [*claims]),
    )
    st.caption(_("Advice, not counted. Sealed until all have answered."))


def decisive_claim(draft: FormDraft, _seen: View, _state: State) -> Fields:
    """The chosen claim, if any."""
    return {"decided_by": draft.get("decided_by")}


def suppositions_fields(draft: FormDraft, seen: View, state: State) -> None:
    """Draw the vote for each of the most named claims, if it were false."""
    st.markdown(_("**And if this were false?**"))
    numbers = state.claim_numbers()
    choices = (*seen.options, ABSTAIN)
    for place, claim in enumerate(seen.beside_vote.claims):
        number = numbers.get(seen.names.real(claim.id), place + 1)
        st.radio(
            safe_label(f"{number}: {claim.text}"),
            choices,
            format_func=lambda option: _("abstain") if option == ABSTAIN else safe_line(option),
            horizontal=True,
            **draft.one_of(f"claim{place}", choices),
        )
    st.caption(_("Advice, not counted. Sealed until all have answered."))


def suppositions(draft: FormDraft, seen: View, _state: State) -> Fields:
    """The answers that were chosen."""
    given = {claim.id: draft.get(f"claim{place}") for place, claim in enumerate(seen.beside_vote.claims)}
    return {
        "supposed": [
            {"claim_id": claim_id, "option": None if option == ABSTAIN else option}
            for claim_id, option in given.items()
            if option
        ]
    }
