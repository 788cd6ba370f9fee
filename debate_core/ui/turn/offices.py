"""Forms for people who frame, moderate, evaluate or judge: the fields and their content.

Shows only the seat's view. The engine validates the answer.
"""

from collections import Counter
from difflib import SequenceMatcher
from typing import TypeVar

import streamlit as st

from debate_core.engine.seat_view import View
from debate_core.language import _
from debate_core.record.state import State
from debate_core.spec.contents import Candidates, Directive, Framing, Position, Positions
from debate_core.spec.values import MAX_TEXT_CHARS, in_words
from debate_core.text import capitalized
from debate_core.ui.kit.drafts import FormDraft
from debate_core.ui.kit.text import safe_id, safe_label, safe_line
from debate_core.ui.kit.words import CONFIDENCE_WORDS
from debate_core.ui.turn import fields
from debate_core.ui.turn.fields import MAX_LINE_CHARS, Fields

LEVELS = ("HIGH", "MODERATE", "LOW")
Proposed = TypeVar("Proposed", Framing, Positions)


def proposed(seen: View, kind: type[Proposed]) -> Proposed | None:
    """The last content of this kind, which the chair may replace; None for other seats."""
    if seen.seat.role != "chair":
        return None
    contents = [turn.content for turn in seen.turns if isinstance(turn.content, kind)]
    return contents[-1] if contents else None


# --- framing


def framing_fields(draft: FormDraft, seen: View, _state: State) -> None:
    """Draw the fields of a framing; for the chair they start with the proposed framing."""
    proposal = proposed(seen, Framing)
    filled = proposal or Framing(thesis="-")
    thesis = filled.thesis if proposal else ""
    many = MAX_TEXT_CHARS
    fields.area(draft, "thesis", _("What is to be decided, as one thesis"), max_chars=many, height=110, default=thesis)
    fields.area(draft, "scope", _("What is in scope, and what is not"), max_chars=many, height=80, default=filled.scope)
    criteria = "\n".join(filled.criteria)
    label = _("What a good answer must meet, one line each")
    fields.area(draft, "criteria", label, max_chars=many, height=110, default=criteria)
    if seen.sources:
        titles = {s.id: s.title for s in seen.sources}
        st.multiselect(
            _("Sources that matter most"),
            [*titles],
            format_func=lambda i: f"{i} · {titles.get(i, '')}",
            **draft.some_of("key_sources", [*titles], filled.key_sources),
        )


def framing(draft: FormDraft, _seen: View, _state: State) -> Fields:
    """The typed content. Raises BadReply if a required field is empty."""
    return {
        "thesis": fields.required(draft, "thesis", _("the thesis is empty: say what is to be decided")),
        "scope": draft.text("scope"),
        "criteria": fields.lines_of(draft, "criteria"),
        "key_sources": draft.choices("key_sources"),
    }


# --- positions


def positions_fields(draft: FormDraft, seen: View, _state: State) -> None:
    """Draw a position for each debater without one; for the chair they start with the proposed positions."""
    proposal = proposed(seen, Positions)
    fields.area(draft, "reason", _("Why these positions, for the record"), max_chars=MAX_TEXT_CHARS, height=80)
    for number, seat in enumerate(seen.speakers):
        filled = proposal.positions[number] if proposal else Position(name="", claim="", because="")
        with st.container(border=True, key=draft.place(f"position{number}")):
            place = number + 1
            st.caption(_("Position {number}, for {seat}", number=place, seat=safe_id(seat)))
            for part, label, longest in (
                ("name", _("Name of position {number}", number=place), 120),
                ("claim", _("Claim of position {number}", number=place), MAX_LINE_CHARS),
                ("because", _("Reason of position {number}", number=place), MAX_LINE_CHARS),
            ):
                given = getattr(filled, part)
                fields.area(draft, f"{part}{number}", label, max_chars=longest, height=70, default=given)


def positions(draft: FormDraft, seen: View, _state: State) -> Fields:
    """The typed content. Raises BadReply if a required field is empty."""
    parts = ("name", "claim", "because")
    return {
        "reason": fields.required(draft, "reason", _("the reason is empty: say why these positions")),
        "positions": [{part: draft.text(f"{part}{n}") for part in parts} for n in range(len(seen.speakers))],
    }


# --- candidates


def candidates_fields(draft: FormDraft, seen: View, _state: State) -> None:
    """Draw a field for new candidates; a screening also excludes candidates."""
    fields.area(draft, "reason", _("Why these, for the record"), max_chars=MAX_TEXT_CHARS, height=80)
    if seen.request.gives == "screening":
        given = (turn.content for turn in seen.turns if isinstance(turn.content, Candidates))
        names = [*dict.fromkeys(candidate.name for content in given for candidate in content.candidates)]
        struck = [name for name in _struck_so_far(seen) if name in names]
        st.multiselect(_("Left out: these are not compared"), names, **draft.some_of("struck", names, struck))
    fields.area(
        draft,
        "candidates",
        _("New candidates, one per line: name, or name: description"),
        max_chars=MAX_TEXT_CHARS,
        height=160,
    )


def _struck_so_far(seen: View) -> dict[str, str]:
    """Map the candidates that the last screening excluded to its reasons."""
    given = [turn.content for turn in seen.turns if isinstance(turn.content, Candidates)]
    for content in reversed(given):
        if content.kind == "screening":
            return {struck.name: struck.because for struck in content.struck}
    return {}


def candidates(draft: FormDraft, seen: View, _state: State) -> Fields:
    """The typed content. Raises BadReply if a required field is empty."""
    reasons = _struck_so_far(seen)
    reason = fields.required(draft, "reason", _("the reason is empty: say why these"))
    return {
        "reason": reason,
        "candidates": [typed_candidate(line) for line in fields.lines_of(draft, "candidates")],
        "struck": [{"name": name, "because": reasons.get(name, reason)} for name in draft.choices("struck")],
    }


def typed_candidate(line: str) -> Fields:
    """Split a line such as `Outbox: one table and a poller` into name and description."""
    name, _colon, text = line.partition(": ")
    return {"name": name.strip(), "text": text.strip()}


# --- directive


def directive_fields(draft: FormDraft, seen: View, _state: State) -> None:
    """Draw speakers, briefing and new angle; they start with the moderator's directive of this round, if any."""
    proposal = seen.directive
    if proposal is not None:
        st.caption(_("The moderator proposes the directive below. Your directive replaces it; give your reason."))
    filled = proposal or Directive(reason="-")
    st.multiselect(
        _("Who speaks, in the order in which you choose them"),
        seen.speakers,
        format_func=in_words,
        placeholder=_("the debaters of this round"),
        **draft.some_of("next_speakers", seen.speakers, tuple(dict.fromkeys(filled.next_speakers))),
    )
    if seen.turns_of_one > 1:
        again = [seat for seat, times in Counter(filled.next_speakers).items() if times > 1]
        st.multiselect(
            _("Who speaks a second time, after them (optional)"),
            seen.speakers,
            format_func=in_words,
            placeholder=_("no one"),
            **draft.some_of("again", seen.speakers, tuple(again)),
        )
    fields.area(
        draft, "briefing", _("What all should know"), max_chars=MAX_TEXT_CHARS, height=80, default=filled.briefing
    )
    fields.area(
        draft, "new_angle", _("A new angle to look at"), max_chars=MAX_TEXT_CHARS, height=80, default=filled.new_angle
    )
    if proposal is not None:
        st.caption(_("Why, in the moderator's words: {reason}", reason=safe_line(proposal.reason)))
    fields.area(draft, "reason", _("Why, for the record"), max_chars=MAX_TEXT_CHARS, height=80)
    st.checkbox(
        _("This round is the last one"),
        help=_("The round is still held; no other follows if the rules let the moderator end the debate."),
        **draft.tick("done", default=filled.done),
    )
    if proposal is not None:
        _draw_difference(proposal, draft)
        icon = ":material/ink_eraser:"
        empty = {"next_speakers": [], "again": [], "briefing": "", "new_angle": "", "done": 0}
        st.button(
            _("Replace it: empty fields"), key=f"{draft.name}:empty", icon=icon, on_click=draft.fill, args=(empty,)
        )


def directive(draft: FormDraft, _seen: View, _state: State) -> Fields:
    """The typed content. Raises BadReply if a required field is empty."""
    return {
        "reason": fields.required(draft, "reason", _("the reason is empty: say why these seats speak now")),
        "next_speakers": _named_speakers(draft),
        "briefing": draft.text("briefing"),
        "new_angle": draft.text("new_angle"),
        "done": bool(draft.get("done")),
    }


def _named_speakers(draft: FormDraft) -> list[str]:
    return [*draft.choices("next_speakers"), *draft.choices("again")]


# --- evaluation


def evaluation_fields(draft: FormDraft, seen: View, _state: State) -> None:
    """Draw a score for each seat and the settled and open points; no winner."""
    st.caption(_("Rate how well each seat argued, regardless of its side. This names no winner."))
    fields.area(draft, "synthesis", _("What this round showed"), max_chars=MAX_TEXT_CHARS, height=130)
    grid = st.grid(2, min_column_width=150)
    # The same names as in the turns: a blind evaluator must not learn the real ones here.
    tags = seen.speaker_tags or tuple(in_words(name) for name in seen.speakers)
    for name, tag in zip(seen.speakers, tags, strict=True):
        with grid.container():
            fields.score(draft, f"quality {name}", _("{tag}, 1 to 10", tag=safe_label(tag, max_chars=80)))
    fields.linked_section(draft, "resolved", _("Resolved"), seen)
    fields.linked_section(draft, "unresolved", _("Unresolved"), seen)
    fields.area(draft, "uncertainties", _("What stays uncertain, one line each"), max_chars=MAX_TEXT_CHARS, height=80)
    st.radio(
        _("How sure the room can be"),
        LEVELS,
        format_func=lambda level: capitalized(CONFIDENCE_WORDS[level]),
        horizontal=True,
        **draft.one_of("confidence_level", LEVELS),
    )
    st.checkbox(_("I recommend another round"), **draft.tick("another"))


def evaluation(draft: FormDraft, seen: View, _state: State) -> Fields:
    """The typed content. Raises BadReply if a required field is empty."""
    rated = [(name, draft.get(f"quality {name}")) for name in seen.speakers]
    return {
        "synthesis": fields.required(draft, "synthesis", _("the evaluation is empty: say what this round showed")),
        "quality": [{"seat": seat, "score": score} for seat, score in rated if score is not None],
        "resolved": fields.linked_lines(draft, "resolved"),
        "unresolved": fields.linked_lines(draft, "unresolved"),
        "uncertainties": fields.lines_of(draft, "uncertainties"),
        "confidence_level": fields.required(
            draft, "confidence_level", _("choose how sure the room can be: high, moderate or low")
        ),
        "recommend_another_round": bool(draft.get("another")),
    }


# --- verdict


def verdict_fields(draft: FormDraft, seen: View, _state: State) -> None:
    """Draw the reasoning, the strongest option or none, and the confidence."""
    fields.area(draft, "reasoning", _("Your reasoning"), max_chars=MAX_TEXT_CHARS, height=150)
    fields.named_option(draft, seen, _("none: a mixture, or nothing that decides it"))
    fields.area(draft, "verdict", _("Your verdict in a sentence (optional)"), max_chars=MAX_LINE_CHARS, height=70)
    fields.confidence(draft)


def verdict(draft: FormDraft, _seen: View, _state: State) -> Fields:
    """The typed content. Raises BadReply if a required field is empty."""
    return {
        "reasoning": fields.required(draft, "reasoning", _("your reasoning is empty: say why")),
        "verdict": draft.text("verdict"),
        "option": draft.get("option"),
        "confidence": draft.get("confidence"),
    }


def _draw_difference(proposed: Directive, draft: FormDraft) -> None:
    """Draw the changes of the draft against the proposed directive."""
    done = {True: _("yes"), False: _("no")}
    pairs = {
        _("Speakers"): (", ".join(proposed.next_speakers), ", ".join(_named_speakers(draft))),
        _("What all should know"): (proposed.briefing.strip(), draft.text("briefing")),
        _("New angle"): (proposed.new_angle.strip(), draft.text("new_angle")),
        _("Last round"): (done[proposed.done], done[bool(draft.get("done"))]),
    }
    differences = [f"**{name}:** {word_diff(old, new)}" for name, (old, new) in pairs.items() if old != new]
    with st.container(border=True, key=f"{draft.name}:diff"):
        if not differences:
            st.caption(_("Your copy says the same as the proposal."))
            return
        st.caption(_("Changes against the proposal: ~~removed~~, **added**"))
        st.markdown("  \n".join(differences))


def word_diff(old: str, new: str) -> str:
    """Markdown with the words of both texts, the different ones marked."""
    old_words = old.split()
    new_words = new.split()
    parts = []
    for tag, i, j, k, m in SequenceMatcher(None, old_words, new_words, autojunk=False).get_opcodes():
        out = safe_line(" ".join(old_words[i:j]))
        put_in = safe_line(" ".join(new_words[k:m]))
        if tag == "equal":
            parts.append(out)
            continue
        if out:
            parts.append(f":red[~~{out}~~]")
        if put_in:
            parts.append(f":green[**{put_in}**]")
    return " ".join(parts)
