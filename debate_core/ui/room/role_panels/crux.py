"""The crux on a phone: one tap for the decisive claim, and one screen for "if that were not so?".

Claims are cut to a few words, so that both fit on a screen and are read in seconds.
"""

import streamlit as st

from debate_core.engine.crux import answers, answers_of, asked_claims
from debate_core.engine.judge_view import option_order
from debate_core.language import _, _n
from debate_core.record.acts import Supposed
from debate_core.record.state import State
from debate_core.report.facts.crux import claims_to_name
from debate_core.spec.people import Person
from debate_core.spec.values import ABSTAIN
from debate_core.text import first_words
from debate_core.ui.kit import accounts, session
from debate_core.ui.kit.drafts import FormDraft
from debate_core.ui.kit.failures import UNSAVED
from debate_core.ui.kit.session import Me
from debate_core.ui.kit.text import safe_label, safe_line

MAX_OFFERED = 3
"""Limit on the claims beside the ballot; a list has all others."""
CLAIM_WORDS = 8
"""Claims were read during the debate; here they only have to be recognised."""
_ANOTHER = "another"
# Two options a row, so that the answers for three claims fit on one screen of a phone.
_TWO_A_ROW = """<style>
.st-key-ballot .st-key-suppositions [data-testid="stRadioGroup"] { flex-direction: row; flex-wrap: wrap; }
.st-key-ballot .st-key-suppositions [data-testid="stRadioGroup"] > div { width: calc(50% - 4px); }
.st-key-ballot .st-key-suppositions [data-testid="stRadioOption"] { height: 100%; min-height: 44px; }
</style>"""


def claim_line(state: State, claim_id: str) -> str:
    """`4: replays are idempotent after ...`."""
    words = first_words(state.claims[claim_id].text, CLAIM_WORDS)
    return f"{state.claim_numbers()[claim_id]}: {safe_line(words)}"


def draw_decisive_claim(state: State, draft: FormDraft) -> None:
    """Draw the choice of the claim that decided the vote: the strongest ones about the chosen option, or any other."""
    every = claims_to_name(accounts.mine(state), draft.text("vote"))
    if not every:
        return
    others = every[MAX_OFFERED:]
    offered = (*every[:MAX_OFFERED], *([_ANOTHER] if others else ()))
    st.radio(
        _("Which claim decided it?"),
        offered,
        format_func=lambda claim: _("another") if claim == _ANOTHER else claim_line(state, claim),
        width="stretch",
        **draft.one_of("crux", offered),
    )
    if draft.text("crux") == _ANOTHER:
        st.selectbox(
            _("Another claim"),
            others,
            format_func=lambda claim: claim_line(state, claim),
            placeholder=_("no claim"),
            **draft.one_of("crux-other", others),
        )


def chosen_claim(draft: FormDraft) -> str | None:
    """The claim that was chosen; None if none was."""
    claim = draft.text("crux")
    return (draft.text("crux-other") if claim == _ANOTHER else claim) or None


def draw_suppositions(state: State, me: Me, person: Person) -> None:
    """Draw the sealed second ballot: the vote of this person if each of the most named claims were false."""
    claims = asked_claims(state)
    draft = FormDraft(f"{state.debate}/{person.id}/crux", state.debate, me, UNSAVED)
    mine = answers_of(state, person.id)
    choices = (*option_order(state, person.id), ABSTAIN)
    st.markdown(_("**And if this were false?**"))
    with st.container(key="suppositions"):
        st.html(_TWO_A_ROW)
        for place, claim_id in enumerate(claims):
            st.radio(
                safe_label(claim_line(state, claim_id)),
                choices,
                format_func=lambda option: _("abstain") if option == ABSTAIN else safe_line(option),
                horizontal=True,
                width="stretch",
                **draft.one_of(f"claim{place}", choices, mine.get(claim_id)),
            )
    st.button(
        _("Send") if not mine else _("Send again"),
        key=f"{draft.name}:send",
        type="primary",
        width="stretch",
        on_click=_send,
        args=(state, me, draft, claims),
    )
    given = len(set().union(*answers(state).values()))
    words = _n(given, "{n} person has answered.", "{n} people have answered.")
    st.caption(_("Advice, not counted. Sealed until the reveal. {words}", words=words))
    session.show_problem()


def _send(state: State, me: Me, draft: FormDraft, claims: tuple[str, ...]) -> None:
    given = {claim_id: draft.text(f"claim{place}") for place, claim_id in enumerate(claims)}
    if not any(given.values()):
        session.set_problem(_("choose an answer for a claim first"))
        return
    for claim_id, choice in given.items():
        if choice and not session.act(state, me, Supposed(claim_id=claim_id, choice=choice)):
            return
    session.tell(_("Your answers are in"))
