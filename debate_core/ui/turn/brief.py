"""The briefing above a person's turn, and the confirmation of a vote against the assigned side.

Knows no rules; shows only the seat's view.
"""

import streamlit as st

from debate_core.engine.evidence import own_unverified
from debate_core.engine.option_names import named_option
from debate_core.engine.schedule import stance_of
from debate_core.engine.seat_view import View
from debate_core.engine.stage import by_people, speaks_for
from debate_core.errors import BadReply
from debate_core.language import Words, _
from debate_core.record.acts import Poked
from debate_core.record.people import Done
from debate_core.record.state import State
from debate_core.report.facts.terms import named
from debate_core.report.phrases.rules import drivers_sentence
from debate_core.spec.contents import Argument, Claim
from debate_core.text import capitalized
from debate_core.ui.kit.drafts import FormDraft
from debate_core.ui.kit.text import safe_id, safe_label, safe_line, safe_text
from debate_core.ui.turn import fields

KINDS = Words({"briefing": "Briefing", "question": "Question to all", "burden": "What has to be shown"})


def is_own(state: State, seat: str, by: str) -> bool:
    """True if only people, this person among them, give the turns of the seat; no model answers for it."""
    return by_people(state, seat) and by in speaks_for(state, seat)


def before_writing(state: State, seen: View) -> None:
    """Draw the reminder, messages to all seats, the brief, the arguments of others and unanswered claims."""
    _draw_reminder(state, seen.seat.id)
    for words in seen.interventions:
        st.info(f"**{KINDS[words.kind]}:** {safe_text(words.text)}", icon=":material/campaign:")
    parts = [part for part in (drivers_sentence(seen.drivers), seen.context) if part.strip()]
    if parts:
        with st.expander(_("The brief"), icon=":material/description:", key="told-brief", type="compact"):
            st.markdown("\n\n".join(safe_text(part) for part in parts))
    _draw_others(seen)
    # Marks and a synthesis answer no claims.
    if seen.request.gives in ("argument", "critique", "rebuttal"):
        _draw_unanswered(seen)


def who_argues(seen: View) -> None:
    """Draw every debater with its side and focus, for moderators."""
    if not seen.directory:
        return
    lines = []
    for seat in seen.directory:
        side = _("has no side of its own")
        if seat.stance.strip():
            side = _("defends {stance}", stance=safe_line(seat.stance))
        lens = ""
        if seat.persona.strip():
            lens = _(" · looks at {persona}", persona=safe_line(seat.persona))
        lines.append(f"- **{safe_id(seat.id)}** {side}{lens}")
    with st.expander(_("Who argues what"), icon=":material/groups:", key="who-argues", type="compact"):
        st.markdown("\n".join(lines))


def false_quotes(seen: View) -> None:
    """Warn of the seat's claims that support nothing because their quotes are not in their sources."""
    if false := own_unverified(seen):
        named = ", ".join(safe_line(fields.claim_name(seen, claim.id)) for claim in false)
        st.warning(
            _("Your quotes were not found in their sources: {named}. These claims support nothing.", named=named)
        )


def reminders(state: State, seat: str) -> list[Done[Poked]]:
    """The reminders for the open turn of this seat, the latest last."""
    since = state.open.since if state.open else ""
    return [poked for poked in state.room.of(Poked) if poked.fact.seat == seat and poked.at >= since]


def _draw_reminder(state: State, seat: str) -> None:
    if all_reminders := reminders(state, seat):
        person = state.room.people.get(all_reminders[-1].by)
        name = safe_line(person.name) if person else _("Someone")
        st.warning(_("{name} reminds you: the room waits for this turn.", name=name))


def _draw_others(seen: View) -> None:
    arguments = [
        _(
            "**{speaker}** · {phase}, round {round}",
            speaker=safe_line(turn.speaker),
            phase=safe_line(named(turn.phase)),
            round=turn.round,
        )
        + f"\n\n{safe_text(turn.content.rationale)}"
        for turn in seen.turns
        if not turn.own and isinstance(turn.content, Argument)
    ]
    if arguments:
        title = _("What the others said ({arguments})", arguments=len(arguments))
        with st.expander(title, icon=":material/forum:", key="told-others", type="compact"):
            st.markdown("\n\n".join(arguments))


def _draw_unanswered(seen: View) -> None:
    claims = unanswered(seen)
    if not claims:
        return
    # The form lists these claims too, where a press answers them.
    title = _("Not yet answered by you ({claims})", claims=len(claims))
    lines = []
    for claim_id, claim in claims.items():
        name = capitalized(safe_line(fields.claim_name(seen, claim_id)))
        lines.append(f"- **{name}**: {safe_line(claim.text)}")
    with st.expander(title, icon=":material/reply:", key="told-waiting", type="compact"):
        st.markdown("\n".join(lines))


def unanswered(seen: View) -> dict[str, Claim]:
    """Claims of other seats that no turn of this seat answers or concedes yet."""
    answers: set[str] = set()
    for turn in seen.turns:
        if turn.own and isinstance(turn.content, Argument):
            answers.update(turn.content.answers, turn.content.concedes)
            for claim in turn.content.claims:
                answers.update(claim.answers, claim.concedes)
    return {i: claim for i, claim in fields.others_claims(seen).items() if i not in answers}


def side_left(state: State, seen: View, vote: object) -> str | None:
    """The assigned side of the seat if this vote contradicts it, else None."""
    if not state.spec.has_people or vote not in seen.options or seen.seat.commitment == "open":
        return None
    side = named_option(stance_of(state, seen.seat.id), seen.options)
    return side if side != vote else None


def tick(state: State, draft: FormDraft, seen: View) -> None:
    """Ask for confirmation of a vote against the assigned side."""
    vote = draft.get("vote")
    if side := side_left(state, seen, vote):
        label = safe_label(_("I now hold {vote}, and no longer {side}", vote=vote, side=side))
        st.checkbox(label, **draft.tick(f"holds {vote}"))


def stance(state: State, draft: FormDraft, seen: View, vote: object) -> str:
    """The stance for the record, in English, if the vote contradicts the assigned side; else empty.

    Raises BadReply without the confirmation of `tick`.
    """
    if not side_left(state, seen, vote):
        return ""
    if not draft.get(f"holds {vote}"):
        raise BadReply(
            _("your vote contradicts your assigned side: confirm that you now hold {vote}, or change it", vote=vote)
        )
    return f"I now hold {vote}"
