"""The claims that carry a decision, offered at its signature: a tick makes one an assumption with a check."""

from datetime import UTC, datetime, timedelta

import streamlit as st

from debate_core.errors import InvalidSpec
from debate_core.language import _
from debate_core.record.acts import Assumption, Signed
from debate_core.report.facts.account import Account
from debate_core.report.facts.carrying_claims import carrying_claims, suggested_check
from debate_core.report.facts.claims import ClaimRow
from debate_core.report.phrases.names import claim_names
from debate_core.spec.tripwires import FORMS, read_check
from debate_core.ui.kit.drafts import FormDraft
from debate_core.ui.kit.session import Me
from debate_core.ui.kit.text import safe_label

MAX_CHECK_CHARS = 2_000
ASK_AFTER = timedelta(days=182)
"""Half a year: the suggested day to ask a person whether a claim is still true."""


def ask_carrying_claims(account: Account, me: Me, draft: FormDraft, before: Signed) -> tuple[Assumption, ...] | None:
    """Offer the claims that carry the decision as assumptions: a tick, and the check to correct.

    None if the approver says that there is no assumption. InvalidSpec for an unusable check.
    """
    kept = {assumption.claim_id for assumption in before.assumptions}
    rows = [row for row in carrying_claims(account) if row.claim_id not in kept]
    if not rows:
        return ()
    st.markdown(f"**{_('It holds as long as …')}**")
    st.caption(_("Tick what has to stay true: when it no longer does, the decision is challenged and comes up again."))
    conditions = st.container()
    nothing = _("No condition: it rests on nothing that can change")
    if st.checkbox(nothing, **draft.tick("assumes_nothing", default=before.assumes_nothing)):
        return None
    names = claim_names(account.state)
    chosen = []
    with conditions:
        for row in rows:
            text = " ".join(row.claim.split())
            label = f"{safe_label(text, max_chars=120)} :gray[({names[row.claim_id]})]"
            if st.checkbox(label, **draft.tick(f"holds.{row.claim_id}")):
                chosen.append(_assumption(text, row.claim_id, _ask_check(account, me, draft, row)))
    return tuple(chosen)


def _ask_check(account: Account, me: Me, draft: FormDraft, row: ClaimRow) -> str:
    person = (me.person.name if me.person else me.name).strip() or _("the approver")
    day = (datetime.now(UTC) + ASK_AFTER).date().isoformat()
    check = st.text_input(
        _("Check"),
        max_chars=MAX_CHECK_CHARS,
        help=_("One of: {forms}. Empty = no check.", forms="; ".join(f"`{form}`" for form in FORMS)),
        **draft.value(f"check.{row.claim_id}", suggested_check(account, row, person=person, day=day)),
    )
    return check or ""


def _assumption(text: str, claim_id: str, check: str) -> Assumption:
    if {"FILE", "COLUMN"} & set(check.split()):
        raise InvalidSpec("write the file and the column of the number into the check, or empty it")
    read = read_check(check) if check.strip() else None
    return Assumption(text=text[:MAX_CHECK_CHARS], claim_id=claim_id, check=read)
