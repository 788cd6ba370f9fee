"""What a person in a room is told before they write their turn, and the tick of whoever leaves their side.

Knows no rules; shows the seat's view and no more.
"""

import streamlit as st

from debate_core.engine.evidence import own_unverified
from debate_core.engine.option_names import named_option
from debate_core.engine.schedule import stance_of
from debate_core.engine.seat_view import SeenTurn, View
from debate_core.engine.stage import by_people, speaks_for
from debate_core.errors import BadReply
from debate_core.language import Words, _
from debate_core.record.acts import Poked
from debate_core.record.people import Done
from debate_core.record.state import State
from debate_core.report.facts.terms import named
from debate_core.report.words.rules import drivers_sentence
from debate_core.spec.contents import Argument, Claim
from debate_core.text import capitalized
from debate_core.ui.kit import clock
from debate_core.ui.kit.drafts import FormDraft
from debate_core.ui.kit.text import safe_id, safe_label, safe_line, safe_text
from debate_core.ui.turn import fields

KINDS = Words({"briefing": "Briefing", "question": "Question to all", "burden": "What has to be shown"})


def is_own(state: State, seat: str, by: str) -> bool:
    """True if this person alone gives the turns of the seat; otherwise it may still answer by itself."""
    return by_people(state, seat) and by in speaks_for(state, seat)


def before_writing(state: State, seen: View) -> None:
    """Clock, reminders, the brief, words to all seats, what the others said and what waits for an answer."""
    clock.show(state, "turn")
    _reminder(state, seen.seat.id)
    for words in seen.interventions:
        st.info(f"**{KINDS[words.kind]}:** {safe_text(words.text)}", icon=":material/campaign:")
    _agreed_brief(seen)
    _others(seen)
    # Marks and a synthesis answer nobody.
    if seen.request.gives in ("argument", "critique", "rebuttal"):
        _unanswered(seen)


def who_argues(seen: View) -> None:
    """Every debater with its side and what it looks at, for whoever moderates."""
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
    with st.expander(_("Who argues what"), icon=":material/groups:", key="who-argues"):
        st.markdown("\n".join(lines))


def false_quotes(seen: View) -> None:
    """Which claims of this seat support nothing because of their quotes, so that whoever gives its turns mends them."""
    if false := own_unverified(seen):
        named = ", ".join(safe_line(fields.claim_name(seen, claim.id)) for claim in false)
        st.warning(
            _("Code did not find what you quoted in its source: {named}. These claims support nothing.", named=named)
        )


def _reminder(state: State, seat: str) -> None:
    all_reminders = reminders(state, seat)
    if all_reminders:
        person = state.room.people.get(all_reminders[-1].by)
        name = safe_line(person.name) if person else _("Somebody")
        st.warning(_("{name} reminds you: the room waits for this turn.", name=name))


def reminders(state: State, seat: str) -> list[Done[Poked]]:
    """Those of the turn that this seat is asked for now, the latest last."""
    since = state.open.since if state.open else ""
    return [poked for poked in state.room.of(Poked) if poked.fact.seat == seat and poked.at >= since]


def _agreed_brief(seen: View) -> None:
    parts = [part for part in (drivers_sentence(seen.drivers), seen.context) if part.strip()]
    if parts:
        with st.expander(_("The brief"), icon=":material/description:", key="told-brief"):
            st.markdown("\n\n".join(safe_text(part) for part in parts))


def _others(seen: View) -> None:
    arguments = [_argument_words(t, t.content) for t in seen.turns if not t.own and isinstance(t.content, Argument)]
    if arguments:
        with st.expander(
            _("What the others said ({arguments})", arguments=len(arguments)),
            icon=":material/forum:",
            key="told-others",
        ):
            st.markdown("\n\n".join(arguments))


def _argument_words(turn: SeenTurn, argument: Argument) -> str:
    head = _(
        "**{speaker}** · {phase}, round {round}",
        speaker=safe_line(turn.speaker),
        phase=safe_line(named(turn.phase)),
        round=turn.round,
    )
    return f"{head}\n\n{safe_text(argument.rationale)}"


def _unanswered(seen: View) -> None:
    if claims := unanswered(seen):
        label = _("Not yet answered by you ({claims})", claims=len(claims))
        # They stand beside the form too, where a press answers them.
        with st.expander(label, icon=":material/reply:", key="told-waiting"):
            st.markdown("\n".join(f"- {_numbered(seen, i, claim)}" for i, claim in claims.items()))


def _numbered(seen: View, claim_id: str, claim: Claim) -> str:
    return f"**{capitalized(safe_line(fields.claim_name(seen, claim_id)))}**: {safe_line(claim.text)}"


def unanswered(seen: View) -> dict[str, Claim]:
    """Claims of the others that no own turn answers or concedes yet."""
    answers: set[str] = set()
    for turn in seen.turns:
        if turn.own and isinstance(turn.content, Argument):
            answers.update(turn.content.answers, turn.content.concedes)
            for claim in turn.content.claims:
                answers.update(claim.answers, claim.concedes)
    return {i: claim for i, claim in fields.others_claims(seen).items() if i not in answers}


def side_left(state: State, seen: View, vote: object) -> str | None:
    """The side that this vote would leave, if the seat was given one to hold."""
    if not state.spec.has_people or vote not in seen.options or seen.seat.commitment == "open":
        return None
    side = named_option(stance_of(state, seen.seat.id), seen.options)
    return side if side != vote else None


def tick(state: State, draft: FormDraft, seen: View) -> None:
    """Who leaves the side that they were given says so."""
    vote = draft.get("vote")
    if side := side_left(state, seen, vote):
        label = safe_label(_("I now hold {vote}, and no longer {side}", vote=vote, side=side))
        st.checkbox(label, **draft.tick(f"holds {vote}"))


def stance(state: State, draft: FormDraft, seen: View, vote: object) -> str:
    """What the record keeps of that, in English as all records; empty for whoever stays on their side. BadReply if it
    was not said."""
    if not side_left(state, seen, vote):
        return ""
    if not draft.get(f"holds {vote}"):
        raise BadReply(
            _("your vote leaves the side that you were given: say that you now hold {vote}, or vote for it", vote=vote)
        )
    return f"I now hold {vote}"
