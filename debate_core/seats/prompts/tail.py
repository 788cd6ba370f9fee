"""What one reader is told last: its seat, its side, what it is asked now. Never cached, so it may say anything."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from debate_core.engine.evidence import own_unverified
from debate_core.engine.option_names import no_option
from debate_core.engine.seat_view import SeenTurn, View
from debate_core.record.address import ClaimId
from debate_core.seats.prompts.blocks import fenced, listed, one_line, quoted, titled, votes_of
from debate_core.seats.prompts.bounds import MOST_CANDIDATES
from debate_core.seats.prompts.schema import content_name
from debate_core.seats.prompts.templates import fill
from debate_core.seats.prompts.texts import PHASES
from debate_core.seats.reply import NOT_READABLE
from debate_core.spec.contents import ARGUMENT_KINDS, Argument, Framing, Review
from debate_core.spec.values import ABSTAIN, Seat

_SHOW_THIS_PHASE = ("all", "neighbours", "previous")
"""With these, who speaks in turn has seen turns of its own phase."""
_NAMED_TASKS = frozenset({*PHASES, *ARGUMENT_KINDS})
"""Phases of these names have the task of that name, whatever they give."""
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
    ballot_options = (*options, ABSTAIN) if view.ballot_options else ()
    return replace(view, options=options, ballot_options=ballot_options)


def prose_tail(view: View, texts: Mapping[str, str], words: int) -> str:
    """The task of a turn in two steps: what the seat says, as plain text; its ballot is asked for later."""
    return _turn_tail(view, texts, 0, with_ballot=False) + fill(texts["prose"], {"words": str(words)}) + "\n"


def ballot_tail(view: View, texts: Mapping[str, str], said: str, *, is_again: bool) -> str:
    """The second step: the ballot on what the seat has just said, or asked for again with what was wrong with it."""
    parts: list[Part] = [*_seat(view), _SECTION, ("said", {"said": fenced(said).rstrip()}), *_ballot(view)]
    if is_again:
        parts += _again(view)
    return _filled(parts, texts)


def tail_of(view: View, texts: Mapping[str, str], words: int) -> str:
    """The card of the seat, then its task with the limit of words for its prose; 0 = its form names the limit."""
    return _turn_tail(view, texts, words, with_ballot=True)


def _turn_tail(view: View, texts: Mapping[str, str], words: int, *, with_ballot: bool) -> str:
    is_argument = view.request.gives in ARGUMENT_KINDS
    task = _argue(view, words, with_ballot=with_ballot) if is_argument else _close(view, words)
    card = [*_seat(view), _SECTION, *_directory(view), *_round(view), *_moderated(view), *_votes(view)]
    return _filled([*card, *task, *_false_quotes(view), *_marks(view), *_again(view)], texts)


def _filled(parts: Sequence[Part], texts: Mapping[str, str]) -> str:
    lines = [fill(texts[name], values) if name else values.get("said", "") for name, values in parts]
    return "\n".join(lines) + "\n"


def _seat(view: View) -> list[Part]:
    seat = view.seat
    name = view.names.of(seat.id)
    parts: list[Part] = [("seat", {"seat": name})]
    own_names = [turn.speaker for turn in view.turns if turn.own]
    if own_names:
        earlier = "earlier" if seat.role == "debater" else "earlier_office"
        parts.append((earlier, {"speaker": quoted(one_line(own_names[0])), "seat": name}))
    if seat.persona.strip():
        parts.append(("lens", {"persona": one_line(seat.persona)}))
    if seat.role != "debater":
        return parts
    is_open = seat.commitment == "open"
    if seat.stance.strip():
        parts.append(("leaning" if is_open else "side", {"stance": one_line(seat.stance)}))
        if view.other_sides and not is_open:
            parts.append(("other_sides", {"sides": "; ".join(map(one_line, view.other_sides))}))
    elif seat.commitment in ("locked", "concede_points"):
        parts.append(("no_side", {}))
    # Who has to attack in this phase is not asked to grant anything, whatever its seat may do elsewhere.
    return [*parts, ("adversary" if _attacks(view) else seat.commitment, {})]


def _attacks(view: View) -> bool:
    return view.seat.commitment == "adversary" or view.phase.min_strength is not None


def _may_concede(view: View) -> bool:
    return view.seat.commitment in ("concede_points", "open") and not _attacks(view)


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
    """What this round's directive tells all who argue in it; the others read it in the record."""
    directive = view.directive
    if directive is None or view.request.gives not in ARGUMENT_KINDS:
        return []
    lines = []
    if directive.briefing.strip():
        lines.append(titled("Briefing", directive.briefing))
    if directive.new_angle.strip():
        lines.append(titled("New angle", directive.new_angle))
    return _fenced_under("round", "\n\n".join(lines))


def _fenced_under(heading: str, text: str) -> list[Part]:
    """Nothing where there is no text."""
    if not text:
        return []
    return [(heading, {}), ("", {"said": fenced(text)})]


_SAID_AS = {"briefing": "Briefing", "question": "Question to all", "burden": "What has to be shown"}


def _moderated(view: View) -> list[Part]:
    """What people said to all seats so far, beside the directives; it stays until the end."""
    lines = [titled(_SAID_AS[intervention.kind], intervention.text) for intervention in view.interventions]
    return _fenced_under("moderated", "\n\n".join(lines))


def _votes(view: View) -> list[Part]:
    """What was voted so far: here and not in the turns, whose blocks are the same for those who may not know it."""
    if not view.shows_votes:
        return []
    return _fenced_under("votes", "\n".join(votes_of(view)))


def _place(view: View) -> dict[str, str]:
    return {"phase": view.phase.name, "round": str(view.request.round), "rounds": str(view.max_rounds)}


def _argue(view: View, words: int, *, with_ballot: bool) -> list[Part]:
    parts: list[Part] = [("place", _place(view)), (_task(view), {})]
    # An adversary need not take the framing as it is.
    if not _attacks(view) and any(isinstance(t.content, Framing) for t in view.turns):
        parts.append(("framed", {}))
    speaks_unseen = view.phase.order == "at_once" or view.phase.sees.turns not in _SHOW_THIS_PHASE
    if speaks_unseen and not _latest_of_others(view):
        parts.append(("independence", {}))
    if view.seat.role == "debater":
        parts += [*_cross_reading(view), _position(view)]
    if words:
        parts.append(("length", {"words": str(words)}))
    if with_ballot:
        parts += _ballot(view)
    if view.phase.min_strength is not None:
        parts.append(("strength", {"least": str(view.phase.min_strength)}))
    return parts


def _position(view: View) -> Part:
    """A line in a closed form where a ballot is asked, so that code can compare the two."""
    if not view.ballot_options:
        return ("position_open", {})
    return ("position", {"options": listed(view.options), "none": quoted(no_option(view.options))})


def _ballot(view: View) -> list[Part]:
    if not view.ballot_options:
        return []
    template = "ballot" if view.ballot_kind == "one" else f"ballot_{view.ballot_kind}"
    values = {"options": listed(view.options), "abstain": quoted(ABSTAIN), "dots": str(view.dots)}
    if view.ballot_kind == "criteria":
        values |= {"drivers": listed([d.name for d in view.drivers]), "most_points": str(view.most_points)}
    return [(template, values)]


def _task(view: View) -> str:
    """By the name of the phase, else by kind; whoever has read nobody makes a case, whatever the phase is called.

    A case is made once: who has made it and is asked for an argument again answers the others.
    """
    argued = [t.own for t in view.turns if isinstance(t.content, Argument)]
    if view.seat.role == "referee" and view.phase.min_strength is None:
        return "referee"
    if all(argued):
        return "argument"
    if view.phase.min_strength is not None:
        return "challenge"
    task = view.phase.name if view.phase.name in _NAMED_TASKS else view.request.gives
    is_open = view.seat.commitment == "open"
    if task == "argument" and any(argued):
        return "revision" if is_open else "rebuttal"
    # Who must hold its side answers the criticism, and is not asked what it changes.
    return "rebuttal" if task == "revision" and view.seat.commitment == "locked" else task


def _close(view: View, words: int) -> list[Part]:
    """Everything else has fields of its own, described with the task."""
    place = "after" if view.request.gives == "synthesis" else "place"
    task_values = {"claims": ", ".join(view.to_review), "options": listed(view.options)}
    parts: list[Part] = [(place, _place(view)), (_closing_task(view), task_values)]
    match view.request.gives:
        case "verdict":
            parts += _unargued(view)
        case "directive":
            parts += _leading(view)
    return [*parts, (_closing_reply(view), _reply_values(view, words))]


def _unargued(view: View) -> list[Part]:
    """To whoever decides on options for which nobody has argued."""
    if view.phase.paired or any(isinstance(turn.content, Argument) for turn in view.turns):
        return []
    return [("unargued", {})]


def _leading(view: View) -> list[Part]:
    """To whoever leads this round."""
    parts: list[Part] = [("opening_round" if view.request.round == 1 else "later_round", {})]
    if view.sent_back:
        parts.append(("sent_back", {"why": fenced(view.sent_back).rstrip()}))
    return parts


def _reply_values(view: View, words: int) -> dict[str, str]:
    """What the fields of a reply are described with."""
    values = {
        "words": str(words),
        "options": listed(view.options),
        "none": quoted(no_option(view.options)),
        "speakers": listed(view.speakers),
        "count": str(len(view.speakers)),
        "times": str(view.turns_of_one),
        "sources": listed(source.id for source in view.sources) or "none",
    }
    match view.request.gives:
        case "evaluation":
            values["speakers"] = _rated(view)
        case "candidates":
            values["count"] = str(MOST_CANDIDATES)
    return values


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
    arguments = _latest_of_others(view)
    if not arguments:
        return []
    template = "cross_reading"
    if _task(view) == "rebuttal":
        template = "answer_each"
        # Somebody on the same side may have spoken too: what needs an answer is the criticism, where there is any.
        arguments = [argument for argument in arguments if argument.kind == "critique"] or arguments
    ids = [claim.id for argument in arguments for claim in argument.claims[:_CLAIMS_OF_EACH]]
    if not ids:
        return [("cross_reading_prose", {})]
    fields = "`answers` or `concedes`" if _may_concede(view) else "`answers`"
    return [(template, {"claims": ", ".join(ids), "fields": fields})]


def _latest_of_others(view: View) -> list[Argument]:
    """The last argument of everybody else, in the order in which they spoke first."""
    latest: dict[str, Argument] = {}
    for turn in sorted(view.turns, key=lambda turn: turn.round):
        if isinstance(turn.content, Argument) and not turn.own:
            latest[_speaker(turn)] = turn.content
    return list(latest.values())


def _speaker(turn: SeenTurn) -> str:
    """Two seats may speak under one stance: the ids of their claims tell them apart."""
    return ClaimId.parse(turn.claims[0].id).seat if turn.claims else turn.speaker


def _false_quotes(view: View) -> list[Part]:
    """What this seat has to mend: its own claims with a quote that code did not find."""
    own_claims = ", ".join(one_line(claim.id) for claim in own_unverified(view))
    if not own_claims:
        return []
    return [("false_quotes", {"claims": own_claims})]


def _marks(view: View) -> list[Part]:
    """Marks come and change at any time: they stand here, so that no block is rendered again."""
    reviews = [turn.content for turn in view.turns if isinstance(turn.content, Review)]
    shown = {mark.claim_id: mark for review in reviews for mark in review.marks}
    new = [f"{claim} {one_line(mark.words())}" for claim, mark in view.marks.items() if shown.get(claim) != mark]
    if not new:
        return []
    return [("marks", {"marks": "; ".join(new)})]


def _again(view: View) -> list[Part]:
    """A model repeats what it reads: of a reply that was no JSON it hears what to write, and not what was wrong."""
    if not view.failed_before:
        return []
    again = {"weak": "too_weak", "contradicts": "which"}.get(view.failed_as or "", "again")
    if again == "again" and view.failed_before.startswith(NOT_READABLE):
        again = "again_whole"
    return [(again, {"fault": fenced(view.failed_before).rstrip()})]


def ending(texts: Mapping[str, str], form: str, *, words: int, was_cut: bool) -> str:
    """The last lines, which a small model keeps to best: how much less to write after a cut, and the form."""
    lines = []
    if was_cut:
        lines.append(fill(texts["shorter"], {"words": str(words)}))
    if form:
        lines.append(fill(texts["form"], {"form": form}))
    return "".join(f"{line}\n" for line in lines)
