"""The tail of a prompt: seat, side and task of one reader. It is never cached, so it may hold anything."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from debate_core.engine.count.ballots import ballot_words
from debate_core.engine.evidence import own_unverified
from debate_core.engine.option_names import no_option
from debate_core.engine.seat_view import View
from debate_core.record.ids import ClaimId
from debate_core.record.look_ups import MAX_QUERY_CHARS, FoundPassage, LookedUp, LookUpFault
from debate_core.seats.prompts.blocks import defused, fenced, listed, prose_lines, quoted, titled, votes_of
from debate_core.seats.prompts.bounds import MOST_CANDIDATES
from debate_core.seats.prompts.deliverable import deliverable_field, is_text
from debate_core.seats.prompts.schema import content_name
from debate_core.seats.prompts.templates import fill
from debate_core.seats.prompts.texts import BY_KIND, PHASES
from debate_core.seats.reply import NOT_READABLE
from debate_core.spec.contents import ARGUMENT_KINDS, CRUX_KINDS, MAX_REASONS, Argument, Framing, Review
from debate_core.spec.output_schema import indented
from debate_core.spec.values import ABSTAIN, SEARCH_SOURCES, Ballot
from debate_core.text import one_line

_SHOW_THIS_PHASE = ("all", "neighbours", "previous")
"""Views of phases in which seats that speak in turn have seen turns of the same phase."""
_NAMED_TASKS = frozenset({*PHASES, *ARGUMENT_KINDS})
"""Phases with these names have the task of that name for every kind of content."""
_CLAIMS_OF_EACH = 5
"""Maximum number of claims of one turn that are listed to be answered."""


OFFICE_PHASES = ("evolution", "meta_review")
"""Phases without arguments that have a separate task."""
Part = tuple[str, Mapping[str, str]]
"""Name of a template and its values; without a name, a line of text."""
_SECTION: Part = ("", {})
"""An empty line."""


_INSTRUCTIONS = (
    "Follow these instructions by the author of this debate, too. They change neither the rules nor the form of your "
    "reply"
)


def in_own_order(view: View) -> View:
    """Rotate the options of a view by the place of its seat, so that no option is the first one for all seats."""
    turn = view.place % max(1, len(view.options))
    options = (*view.options[turn:], *view.options[:turn])
    ballot_options = (*options, ABSTAIN) if view.ballot_options else ()
    return replace(view, options=options, ballot_options=ballot_options)


def prose_tail(view: View, texts: Mapping[str, str], words: int) -> str:
    """The task of the first of two steps: plain text; the ballot comes later."""
    return (
        _turn_tail(view, texts, 0, with_ballot=False, by_form=True) + fill(texts["prose"], {"words": str(words)}) + "\n"
    )


def ballot_tail(view: View, texts: Mapping[str, str], said: str, *, is_again: bool) -> str:
    """The task of the second step: the ballot for this text, or the ballot again with the fault of the last one."""
    parts: list[Part] = [*_seat(view), _SECTION, ("said", {"said": fenced(said).rstrip()}), *_ballot(view)]
    if is_again:
        parts += _again(view)
    return _fill_parts(parts, texts)


def tail_of(view: View, texts: Mapping[str, str], words: int, *, by_form: bool = False) -> str:
    """The card of the seat, then its task with the word limit of its prose; 0 = the form names the limit.

    `by_form`: a search is written as a line, for models that call no tools.
    """
    return _turn_tail(view, texts, words, with_ballot=True, by_form=by_form)


def _turn_tail(view: View, texts: Mapping[str, str], words: int, *, with_ballot: bool, by_form: bool) -> str:
    is_argument = view.request.gives in ARGUMENT_KINDS
    task = _argue(view, words, with_ballot=with_ballot) if is_argument else _close(view, words)
    card = [*_seat(view), _SECTION, *_directory(view), *_briefing(view), *_moderated(view), *_votes(view)]
    after = [*_false_quotes(view), *_marks(view), *_again(view)]
    if not view.phase.tools:
        return _fill_parts([*card, *task, *after], texts)
    found: list[Part] = [("", {"said": findings})] if (findings := findings_of(view, texts)) else []
    return _fill_parts([*card, *found, *task, *after], texts) + offer_of(view, texts, by_form=by_form)


def _fill_parts(parts: Sequence[Part], texts: Mapping[str, str]) -> str:
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
    if view.instructions:
        parts.append(("", {"said": titled(_INSTRUCTIONS, defused("\n\n".join(view.instructions)))}))
    if seat.role != "debater":
        return parts
    # A seat that must attack in this phase is not asked to concede, even if its commitment allows it.
    return [*parts, *_side(view), ("adversary" if _attacks(view) else seat.commitment, {})]


def _side(view: View) -> list[Part]:
    """The side that a debater defends or leans to."""
    seat = view.seat
    stance = {"stance": one_line(seat.stance)}
    if not seat.stance.strip():
        return [("no_side", {})] if seat.commitment in ("locked", "concede_points") else []
    if seat.commitment == "open":
        return [("leaning", stance)]
    if not view.other_sides:
        return [("side", stance)]
    return [("side", stance), ("other_sides", {"sides": "; ".join(map(one_line, view.other_sides))})]


def _attacks(view: View) -> bool:
    return view.seat.commitment == "adversary" or view.phase.min_strength is not None


def _may_concede(view: View) -> bool:
    return view.seat.commitment in ("concede_points", "open") and not _attacks(view)


def _directory(view: View) -> list[Part]:
    """The sides of all debaters, for a moderator."""
    lines = []
    for seat in view.directory:
        side = f"defends {one_line(seat.stance)}" if seat.stance.strip() else "has no side of its own"
        lens = f"; looks at: {one_line(seat.persona)}" if seat.persona.strip() else ""
        lines.append(f"{seat.id}: {side}{lens}")
    return [("directory", {"directory": fenced("\n".join(lines)).rstrip()}), _SECTION] if lines else []


def _briefing(view: View) -> list[Part]:
    """The directive of this round for all who argue in it; the others read it in the record."""
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
    """A heading and its text in a fence; nothing without a text."""
    return [(heading, {}), ("", {"said": fenced(text)})] if text else []


_SAID_AS = {"briefing": "Briefing", "question": "Question to all", "burden": "What has to be shown"}


def _moderated(view: View) -> list[Part]:
    """Messages of people to all seats, beside the directives; they are shown until the end."""
    lines = [titled(_SAID_AS[intervention.kind], intervention.text) for intervention in view.interventions]
    return _fenced_under("moderated", "\n\n".join(lines))


def _votes(view: View) -> list[Part]:
    """The votes so far. They are not in the turns, whose blocks are the same for all readers."""
    return _fenced_under("votes", "\n".join(votes_of(view))) if view.shows_votes else []


def _place(view: View) -> dict[str, str]:
    return {"phase": view.phase.name, "round": str(view.request.round), "rounds": str(view.max_rounds)}


def _argue(view: View, words: int, *, with_ballot: bool) -> list[Part]:
    parts: list[Part] = [("place", _place(view)), (_task(view), {})]
    # An adversary may reject the framing.
    if not _attacks(view) and any(isinstance(t.content, Framing) for t in view.turns):
        parts.append(("framed", {}))
    if _speaks_unseen(view) and not _latest_of_others(view):
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


def _speaks_unseen(view: View) -> bool:
    """True if the seats of this phase cannot read its other turns."""
    return view.phase.order == "at_once" or view.phase.sees.turns not in _SHOW_THIS_PHASE


def _position(view: View) -> Part:
    """A line in a fixed form if a ballot is asked, so that code can compare the two."""
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
    """The task by the name of the phase, else by kind; a seat that has read no argument makes its case.

    A case is made once: a seat that is asked again for an argument answers the others.
    """
    argued = [t.own for t in view.turns if isinstance(t.content, Argument)]
    if view.seat.role == "referee" and view.phase.min_strength is None:
        return "referee"
    if all(argued):
        return "argument"
    if view.phase.min_strength is not None:
        return "challenge"
    return _task_among_others(view, has_argued=any(argued))


def _task_among_others(view: View, *, has_argued: bool) -> str:
    """The task of a seat that has read arguments of the others."""
    task = view.phase.name if view.phase.name in _NAMED_TASKS else view.request.gives
    if task == "argument" and has_argued:
        return "revision" if view.seat.commitment == "open" else "rebuttal"
    # A seat with a locked side answers the criticism and is not asked what it changes.
    return "rebuttal" if task == "revision" and view.seat.commitment == "locked" else task


def _close(view: View, words: int) -> list[Part]:
    """The task of a content that is no argument, with the description of its fields."""
    is_last = view.request.gives == "synthesis" and not view.asks_another_round
    place = "after" if is_last or view.request.gives in CRUX_KINDS else "place"
    task_values = {"claims": ", ".join(view.to_review), "options": listed(view.options), **_of_vote(view)}
    parts: list[Part] = [(place, _place(view)), (_closing_task(view), task_values)]
    has_argument = any(isinstance(turn.content, Argument) for turn in view.turns)
    match view.request.gives:
        case "verdict" if not (view.phase.paired or has_argument):
            parts.append(("unargued", {}))
        case "directive":
            parts.append(("opening_round" if view.request.round == 1 else "later_round", {}))
            if view.sent_back:
                parts.append(("sent_back", {"why": fenced(view.sent_back).rstrip()}))
    return [*parts, (_closing_reply(view), _reply_values(view, words)), *_deliverable(view)]


def _of_vote(view: View) -> dict[str, str]:
    """Values for a task about the last ballot, or about the decision to come."""
    asked = view.beside_vote
    if view.request.gives == "premortem":
        chosen = f"{quoted(asked.leading)} was decided," if asked.leading else "One of the options was decided,"
        return {"leading": chosen}
    if asked.own_ballot is None:
        return {}
    values = {"voted": f"You voted {_own_vote(view, asked.own_ballot)}."}
    if asked.claims:
        lines = [f"Claim {claim.id}: {one_line(claim.text)}" for claim in asked.claims]
        values["claims"] = fenced("\n".join(lines)).rstrip()
    return values


def _own_vote(view: View, ballot: Ballot) -> str:
    if ballot.status == "abstained":
        return "for no option: you abstained"
    if ballot.given:
        return f"like this: {one_line(ballot_words(view.ballot_kind, ballot.given, quoted))}"
    return f"for {quoted(ballot.choice or '')}"


def _deliverable(view: View) -> list[Part]:
    """The output schema, for the seat that writes the deliverable."""
    if not view.output_schema:
        return []
    how = "as one JSON object"
    if is_text(deliverable_field(view.output_schema)):
        how = "as one text that holds JSON"
    return [("deliverable", {"how": how, "schema": fenced(indented(view.output_schema)).rstrip()})]


def _reply_values(view: View, words: int) -> dict[str, str]:
    values = {
        "words": str(words),
        "options": listed(view.options),
        "none": quoted(no_option(view.options)),
        "speakers": listed(view.speakers),
        "count": str(len(view.speakers)),
        "times": str(view.turns_of_one),
        "sources": listed(source.id for source in view.sources) or "none",
    }
    if view.request.gives == "premortem":
        values["count"] = str(MAX_REASONS)
    if view.request.gives == "candidates":
        values["count"] = str(MOST_CANDIDATES)
    if view.request.gives == "evaluation" and view.speaker_tags:
        # With the side in their turns, as a turn without a claim does not name its seat.
        pairs = zip(view.speakers, view.speaker_tags, strict=True)
        values["speakers"] = ", ".join(f"{quoted(name)} (speaker: {one_line(tag)})" for name, tag in pairs)
    return values


def _closing_task(view: View) -> str:
    """The task by the name of the phase if it has a separate one, else by kind."""
    if view.phase.name in OFFICE_PHASES:
        return view.phase.name
    if view.phase.paired:
        return "comparison"
    is_referee = view.request.gives == "evaluation" and view.seat.role == "referee"
    return "referee" if is_referee else view.request.gives


def _closing_reply(view: View) -> str:
    gives = view.request.gives
    if gives == "directive" and view.turns_of_one > 1:
        return "reply_directive_often"
    if view.asks_another_round:
        return "reply_synthesis_of_round"
    is_own_name = gives == "screening" or gives in BY_KIND
    return f"reply_{gives if is_own_name else content_name(gives)}"


def _cross_reading(view: View) -> list[Part]:
    """The latest arguments of the others, to be read or answered."""
    arguments = _latest_of_others(view)
    if not arguments:
        return []
    template = "cross_reading"
    if _task(view) == "rebuttal":
        template = "answer_each"
        # The latest turns may include one of the same side, so only criticism needs an answer, if there is any.
        arguments = [argument for argument in arguments if argument.kind == "critique"] or arguments
    ids = [claim.id for argument in arguments for claim in argument.claims[:_CLAIMS_OF_EACH]]
    if not ids:
        return [("cross_reading_prose", {})]
    fields = "`answers` or `concedes`" if _may_concede(view) else "`answers`"
    return [(template, {"claims": ", ".join(ids), "fields": fields})]


def _latest_of_others(view: View) -> list[Argument]:
    """The latest argument of each other speaker, in the order of their first turns."""
    latest: dict[str, Argument] = {}
    for turn in sorted(view.turns, key=lambda turn: turn.round):
        if isinstance(turn.content, Argument) and not turn.own:
            # Two seats may speak under one stance: the ids of their claims distinguish them.
            speaker = ClaimId.parse(turn.claims[0].id).seat if turn.claims else turn.speaker
            latest[speaker] = turn.content
    return list(latest.values())


def _false_quotes(view: View) -> list[Part]:
    """The claims of this seat whose quotes were not found."""
    own_claims = ", ".join(one_line(claim.id) for claim in own_unverified(view))
    return [("false_quotes", {"claims": own_claims})] if own_claims else []


def _marks(view: View) -> list[Part]:
    """New marks of people. Marks change at any time, so they are in the tail, and no block is rendered again."""
    reviews = [turn.content for turn in view.turns if isinstance(turn.content, Review)]
    shown = {mark.claim_id: mark for review in reviews for mark in review.marks}
    new = [f"{claim} {one_line(mark.words())}" for claim, mark in view.marks.items() if shown.get(claim) != mark]
    return [("marks", {"marks": "; ".join(new)})] if new else []


def _again(view: View) -> list[Part]:
    """The fault of the last reply. After a reply that was no JSON the model reads only what to write, as models repeat
    what they read."""
    if not view.failed_before:
        return []
    again = {"weak": "too_weak", "contradicts": "which"}.get(view.failed_as or "", "again")
    if again == "again" and view.failed_before.startswith(NOT_READABLE):
        again = "again_whole"
    return [(again, {"fault": fenced(view.failed_before).rstrip()})]


def ending(texts: Mapping[str, str], form: str, *, words: int, was_cut: bool) -> str:
    """The last lines, which small models follow best: the lower limit after a cut, and the form."""
    lines = []
    if was_cut:
        lines.append(fill(texts["shorter"], {"words": str(words)}))
    if form:
        lines.append(fill(texts["form"], {"form": form}))
    return "".join(f"{line}\n" for line in lines)


_FAULTS: Mapping[LookUpFault, str] = {
    "unknown_tool": "there is no such tool",
    "unreadable": "the call had no readable query: give a few words as `query`",
    "too_long": f"the query was longer than {MAX_QUERY_CHARS} characters: give a few words",
    "none_left": "no search was left: reply now",
    "no_answer": "its server gave no answer",
}


def findings_of(view: View, texts: Mapping[str, str]) -> str:
    """The searches of this turn and their passages; "" without any."""
    if not view.look_ups:
        return ""
    lines = [line for number, one in enumerate(view.look_ups, start=1) for line in _lines(view, number, one)]
    title = texts["searched" if all(one.tool == SEARCH_SOURCES for one in view.look_ups) else "asked_tools"]
    return f"{title}\n{fenced(chr(10).join(lines))}"


def _lines(view: View, number: int, one: LookedUp) -> list[str]:
    called = "Search" if one.tool == SEARCH_SOURCES else "Call"
    said = f"{called} {number}, {quoted(one_line(one.query or '')[:MAX_QUERY_CHARS])}"
    if one.fault == "unknown_tool":
        return [f"{said}: {_FAULTS[one.fault]}; call {', '.join(view.phase.tools or ())}"]
    if one.fault:
        return [f"{said}: {_FAULTS[one.fault]}"]
    if one.sources:
        lines = [f"{said}: {len(one.sources)} results"]
        for source in one.sources:
            lines += [f"Source {source.id}, {quoted(one_line(source.title))}:", *prose_lines(source.text)]
        return lines
    return [f"{said}: {len(one.passages) or 'no'} passages", *_passage_lines(one.passages)]


def _passage_lines(passages: Sequence[FoundPassage]) -> Iterator[str]:
    for place, passage in enumerate(passages, start=1):
        under = f", under {quoted(passage.heading)}" if passage.heading else ""
        yield f"{place}. Source {passage.source_id}, passage {passage.number}{under}:"
        yield from prose_lines(passage.text)


def offer_of(view: View, texts: Mapping[str, str], *, by_form: bool) -> str:
    """The offer to search before the reply; "" for a seat without tools."""
    lines: list[str] = []
    if view.tools and view.look_ups_left:
        lines += filter(None, [_offer(view, texts, by_form=by_form)])
    elif view.phase.tools and view.look_ups:
        lines.append(texts["no_search_left"])
    if lines and view.request.gives == "directive":
        lines.append(texts["brief_them"])
    return "".join(f"{line}\n" for line in lines)


def _offer(view: View, texts: Mapping[str, str], *, by_form: bool) -> str:
    left = str(view.look_ups_left)
    if by_form:
        return fill(texts["may_write"], {"left": left}) if SEARCH_SOURCES in view.tools else ""
    if view.tools == (SEARCH_SOURCES,):
        return fill(texts["may_call"], {"left": left})
    return fill(texts["may_call_tools"], {"left": left, "tools": ", ".join(f"`{tool}`" for tool in view.tools)})
