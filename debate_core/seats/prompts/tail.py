"""What one reader is told last: its seat, its side, what it is asked now. Never cached, so it may say anything."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from debate_core.engine.content_faults import no_option
from debate_core.engine.evidence import own_unverified
from debate_core.engine.seat_view import SeenTurn, View
from debate_core.record.address import ClaimId
from debate_core.seats.prompts.blocks import fenced, listed, one_line, quoted, votes_of
from debate_core.seats.prompts.bounds import MOST_CANDIDATES
from debate_core.seats.prompts.schema import content_name
from debate_core.seats.prompts.templates import fill
from debate_core.seats.prompts.texts import PHASES
from debate_core.seats.reply import NOT_READABLE
from debate_core.spec.contents import ARGUMENT_KINDS, Argument, Framing, Review
from debate_core.spec.values import ABSTAIN, Seat

_SHOW_THIS_PHASE = ("all", "neighbours", "previous")
"""With these, who speaks in turn has seen turns of its own phase."""
_CLAIMS_OF_EACH = 5
"""More claims of one turn than this are not listed to be answered."""


OFFICE_PHASES = ("evolution", "meta_review")
"""Phases with a task of their own in which nobody argues."""
Part = tuple[str, Mapping[str, str]]
"""Name of a template and its values; without a name, a line as it is."""
_SECTION: Part = ("", {})
"""An empty line."""


def in_own_order(view: View) -> View:
    """The view with its options turned by the place of its seat: no option is the first one that all of them read."""
    turn = view.place % max(1, len(view.options))
    options = (*view.options[turn:], *view.options[:turn])
    return replace(view, options=options, ballot_options=(*options, ABSTAIN) if view.ballot_options else ())


def prose_tail(view: View, texts: Mapping[str, str], words: int) -> str:
    """The task of a turn in two steps: what the seat says, as plain text; its ballot is asked for later."""
    return tail_of(replace(view, ballot_options=()), texts) + fill(texts["prose"], {"words": str(words)}) + "\n"


def ballot_tail(view: View, texts: Mapping[str, str], said: str, *, is_again: bool) -> str:
    """The second step: the ballot on what the seat has just said, or asked for again with what was wrong with it."""
    parts: list[Part] = [*_seat(view), _SECTION, ("said", {"said": fenced(said).rstrip()}), *_ballot(view)]
    return _filled([*parts, *(_again(view) if is_again else ())], texts)


def tail_of(view: View, texts: Mapping[str, str]) -> str:
    """The card of the seat, then its task."""
    task = _argue(view) if view.request.gives in ARGUMENT_KINDS else _close(view)
    card = [*_seat(view), _SECTION, *_directory(view), *_round(view), *_moderated(view), *_votes(view)]
    return _filled([*card, *task, *_false_quotes(view), *_marks(view), *_again(view)], texts)


def _filled(parts: Sequence[Part], texts: Mapping[str, str]) -> str:
    return "\n".join(fill(texts[name], values) if name else values.get("said", "") for name, values in parts) + "\n"


def _seat(view: View) -> list[Part]:
    seat = view.seat
    name = view.names.of(seat.id)
    parts: list[Part] = [("seat", {"seat": name})]
    speaker = next((t.speaker for t in view.turns if t.own), None)
    if speaker is not None:
        earlier = "earlier" if seat.role == "debater" else "earlier_office"
        parts.append((earlier, {"speaker": quoted(one_line(speaker)), "seat": name}))
    if seat.persona.strip():
        parts.append(("lens", {"persona": one_line(seat.persona)}))
    if seat.role != "debater":
        return parts
    if seat.stance.strip():
        parts.append(("side", {"stance": one_line(seat.stance)}))
        if view.other_sides:
            parts.append(("other_sides", {"sides": "; ".join(map(one_line, view.other_sides))}))
    elif seat.commitment in ("locked", "concede_points"):
        parts.append(("no_side", {}))
    return [*parts, (seat.commitment, {})]


def _directory(view: View) -> list[Part]:
    """Who argues what, for whoever moderates."""
    if not view.directory:
        return []
    return [("directory", {"directory": fenced("\n".join(map(_entry, view.directory))).rstrip()}), _SECTION]


def _entry(seat: Seat) -> str:
    side = f"defends {one_line(seat.stance)}" if seat.stance.strip() else "has no side of its own"
    lens = f"; looks at: {one_line(seat.persona)}" if seat.persona.strip() else ""
    return f"{seat.id}: {side}{lens}"


def _round(view: View) -> list[Part]:
    """What this round's directive tells all who argue in it (R092); the others read it in the record."""
    given = view.directive
    if given is None or view.request.gives not in ARGUMENT_KINDS:
        return []
    said = [f"Briefing: {given.briefing}"] if given.briefing.strip() else []
    said += [f"New angle: {given.new_angle}"] if given.new_angle.strip() else []
    return [("round", {}), ("", {"said": fenced("\n\n".join(said))})] if said else []


_SAID_AS = {"briefing": "Briefing", "question": "Question to all", "burden": "What has to be shown"}


def _moderated(view: View) -> list[Part]:
    """What people said to all seats so far, beside the directives; it stays until the end."""
    said = "\n\n".join(f"{_SAID_AS[given.kind]}: {given.text}" for given in view.interventions)
    return [("moderated", {}), ("", {"said": fenced(said)})] if said else []


def _votes(view: View) -> list[Part]:
    """What was voted so far: here and not in the turns, whose blocks are the same for those who may not know it."""
    votes = votes_of(view) if view.shows_votes else []
    return [("votes", {}), ("", {"said": fenced("\n".join(votes))})] if votes else []


def _place(view: View) -> dict[str, str]:
    return {"phase": view.phase.name, "round": str(view.request.round), "rounds": str(view.max_rounds)}


def _argue(view: View) -> list[Part]:
    parts: list[Part] = [("place", _place(view)), (_task(view), {})]
    # An adversary need not take the framing as it is (R237).
    attacks = view.seat.commitment == "adversary" or view.phase.min_strength is not None
    if not attacks and any(isinstance(t.content, Framing) for t in view.turns):
        parts.append(("framed", {}))
    if view.phase.order == "at_once" or view.phase.sees.turns not in _SHOW_THIS_PHASE:
        parts.append(("independence", {}))
    if view.seat.role == "debater":
        parts += [*_cross_reading(view), ("position", {})]
    parts += _ballot(view)
    if view.phase.min_strength is not None:
        parts.append(("strength", {"least": str(view.phase.min_strength)}))
    return parts


def _ballot(view: View) -> list[Part]:
    if not view.ballot_options:
        return []
    asked = "ballot" if view.ballot_kind == "one" else f"ballot_{view.ballot_kind}"
    values = {"options": listed(view.options), "abstain": quoted(ABSTAIN), "dots": str(view.dots)}
    if view.ballot_kind == "criteria":
        values |= {"drivers": listed([d.name for d in view.drivers]), "most_points": str(view.most_points)}
    return [(asked, values)]


def _task(view: View) -> str:
    """By the name of the phase, else by kind; whoever has read nobody makes a case, whatever the phase is called.

    A case is made once: who has made it and is asked for an argument again answers the others.
    """
    argued = [t.own for t in view.turns if isinstance(t.content, Argument)]
    if view.seat.role == "referee":
        return "referee"
    if all(argued):
        return "argument"
    if view.phase.min_strength is not None:
        return "challenge"
    named = view.phase.name in PHASES or view.phase.name in ARGUMENT_KINDS
    task = view.phase.name if named else view.request.gives
    if task == "argument" and any(argued):
        return "revision" if view.seat.commitment == "open" else "rebuttal"
    return task


def _close(view: View) -> list[Part]:
    """Everything else has fields of its own, described with the task."""
    gives = view.request.gives
    place: Part = ("after" if gives == "synthesis" else "place", _place(view))
    words = {
        "options": listed(view.options),
        "none": quoted(no_option(view.options)),
        "speakers": _rated(view) if gives == "evaluation" else listed(view.speakers),
        "count": str(MOST_CANDIDATES if gives == "candidates" else len(view.speakers)),
        "times": str(view.turns_of_one),
        "sources": listed(s.id for s in view.sources) or "none",
    }
    task = (_closing_task(view), {"claims": ", ".join(view.to_review), "options": listed(view.options)})
    parts: list[Part] = [place, task]
    is_argued = any(isinstance(turn.content, Argument) for turn in view.turns)
    if gives == "verdict" and not view.phase.paired and not is_argued:
        parts.append(("unargued", {}))
    if gives == "directive":
        parts.append(("opening_round" if view.request.round == 1 else "later_round", {}))
    if gives == "directive" and view.sent_back:
        parts.append(("sent_back", {"why": fenced(view.sent_back).rstrip()}))
    return [*parts, (_closing_reply(view), words)]


def _closing_task(view: View) -> str:
    """By the name of the phase where it has a task of its own, else by kind."""
    if view.phase.name in OFFICE_PHASES:
        return view.phase.name
    if view.phase.paired:
        return "comparison"
    is_referee = view.request.gives == "evaluation" and view.seat.role == "referee"
    return "referee" if is_referee else view.request.gives


def _closing_reply(view: View) -> str:
    """The template that describes the fields of the reply."""
    gives = view.request.gives
    if gives == "directive" and view.turns_of_one > 1:
        return "reply_directive_often"
    return f"reply_{gives if gives == 'screening' else content_name(gives)}"


def _rated(view: View) -> str:
    """Debaters by name, with the side under which each is read: a turn need not have a claim that tells its seat."""
    if not view.speaker_tags:
        return listed(view.speakers)
    pairs = zip(view.speakers, view.speaker_tags, strict=True)
    return ", ".join(f"{quoted(name)} (speaker: {one_line(tag)})" for name, tag in pairs)


def _cross_reading(view: View) -> list[Part]:
    """What the others argued last, to be read or answered."""
    latest: dict[str, Argument] = {}
    for turn in sorted(view.turns, key=lambda turn: turn.round):
        if isinstance(turn.content, Argument) and not turn.own:
            latest[_speaker(turn, turn.content)] = turn.content
    if not latest:
        return []
    arguments = list(latest.values())
    asked = "cross_reading"
    if _task(view) == "rebuttal":
        asked = "answer_each"
        # Somebody on the same side may have spoken too: what needs an answer is the criticism, where there is any.
        arguments = [argument for argument in arguments if argument.kind == "critique"] or arguments
    ids = [claim.id for argument in arguments for claim in argument.claims[:_CLAIMS_OF_EACH]]
    return [(asked, {"claims": ", ".join(ids)})] if ids else [("cross_reading_prose", {})]


def _speaker(turn: SeenTurn, content: Argument) -> str:
    """Two seats may speak under one stance: the ids of their claims tell them apart."""
    return ClaimId.parse(content.claims[0].id).seat if content.claims else turn.speaker


def _false_quotes(view: View) -> list[Part]:
    """What this seat has to mend: its own claims with a quote that code did not find (R263)."""
    mine = ", ".join(one_line(claim.id) for claim in own_unverified(view))
    return [("false_quotes", {"claims": mine})] if mine else []


def _marks(view: View) -> list[Part]:
    """Marks come and change at any time: they stand here, so that no block is rendered again."""
    shown = {m.claim_id: m for t in view.turns if isinstance(t.content, Review) for m in t.content.marks}
    new = [f"{i} {one_line(m.words())}" for i, m in view.marks.items() if shown.get(i) != m]
    return [("marks", {"marks": "; ".join(new)})] if new else []


def _again(view: View) -> list[Part]:
    """A model repeats what it reads: of a reply that was no JSON it hears what to write, and not what was wrong."""
    if not view.failed_before:
        return []
    again = {"weak": "too_weak", "contradicts": "which"}.get(view.failed_as or "", "again")
    if again == "again" and view.failed_before.startswith(NOT_READABLE):
        again = "again_whole"
    return [(again, {"fault": fenced(view.failed_before).rstrip()})]


WORDS_AFTER_A_CUT = 100


def ending(texts: Mapping[str, str], form: str, *, words: int | None, was_cut: bool) -> str:
    """The last lines, which a small model keeps to best: how much less to write after a cut, and the form."""
    shorter = fill(texts["shorter"], {"words": str(words or WORDS_AFTER_A_CUT)}) + "\n" if was_cut else ""
    return shorter + (fill(texts["form"], {"form": form}) + "\n" if form else "")
