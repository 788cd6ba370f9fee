"""The transcript as plain data for the browser: the view of one viewer, and the changes since the last one.

Every phase and every turn has a constant id, so an update replaces and can never repeat. It knows neither sockets nor
streamlit.
"""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from hashlib import blake2s
from itertools import takewhile
from secrets import token_bytes
from typing import Literal

from debate_core.engine import judge_view, passage_marks, stage, voting
from debate_core.engine.engine import requests
from debate_core.engine.private_sources import has_withheld, shown_look_ups
from debate_core.engine.rights import PROGRAMS
from debate_core.engine.schedule import request_for, stance_of
from debate_core.engine.seat_names import BY_ID, SeatNames, blind_names
from debate_core.engine.seat_view import hidden_seats, seen_turns, stance_tag
from debate_core.engine.stage import name_of, speaker_name
from debate_core.language import Words, _
from debate_core.record.acts import BallotCast, Compared, Judged, PassageMarked, Supposed, Upvoted
from debate_core.record.events import Partial
from debate_core.record.ids import RequestId, TurnId
from debate_core.record.state import Counted, Request, State, Turn
from debate_core.report.facts.account import account
from debate_core.report.facts.counts import points_by_option
from debate_core.report.facts.interventions import said_in
from debate_core.report.facts.polls import poll_progress
from debate_core.report.facts.terms import named, recorded
from debate_core.report.facts.turnout import is_complete
from debate_core.report.phrases.foreword import held_elsewhere_words
from debate_core.report.phrases.marks import marking_words
from debate_core.report.phrases.outcome import outcome_sentence
from debate_core.report.phrases.polls import progress_words
from debate_core.report.phrases.rules import advice_sentence, clause_words
from debate_core.report.phrases.turns import NO_REASON_GIVEN, argues_for_words, left_out_words
from debate_core.report.phrases.who_decided import decided_sentence
from debate_core.spec.contents import Argument, Content, Review, Synthesis, Verdict
from debate_core.spec.rotation import seat_in_round
from debate_core.spec.values import ABSTAIN, Seat, Usage, in_words
from debate_core.text import capitalized, without_direction
from debate_core.ui.kit.badges import flow
from debate_core.ui.kit.words import FAILURE_WORDS
from debate_core.ui.room.live import contents, seat_words
from debate_core.ui.room.live.seat_words import PartialTurn
from debate_core.ui.room.live.wire_types import Chip, Group, Item, LiveUpdate, Meta, Picture

THINKING_CHARS = 200
"""Length of the end of a model's thinking that is shown until its turn begins."""
WHY_CHARS = 240
_KEY = token_bytes(16)
TOP_QUESTIONS = 3
"""Number of questions of the floor that all see on top."""
_OF_MANY = (BallotCast, Supposed, Judged, Compared, Upvoted, PassageMarked)
"""Acts of a whole room within a minute, which do not rerun everyone's panel."""


def new_item(item_id: str, phase: str, name: str, state: str) -> Item:
    """An item without a seat and without words."""
    return Item(
        id=item_id,
        phase=phase,
        name=name,
        seat="",
        badge="",
        stance="",
        colour="gray",
        state=state,
        says="",
        text="",
        request="",
    )


def picture(
    state: State,
    live: Mapping[str, str],
    holds: Collection[str],
    before: Picture | None = None,
    thinking: Mapping[str, str] | None = None,
) -> Picture:
    """The view of a viewer who holds these seats. `before`: their last view, whose final items are used again.

    `live` and `thinking` by request id; thinking is shown only until the turn itself begins, and is no part of it.
    """
    before = before or Picture(meta=_meta(state), groups=[], items=[])
    tallies = {group["id"]: group["tally"] for group in before["groups"]}
    known = {item["id"]: item for item in before["items"]}
    if any(source.only_for for source in state.spec.sources):
        # The end opens their places and look-ups in earlier items.
        known = {}
    reader = _reader(state, holds)
    items = [
        *_ended_items(state, reader, known),
        *_open_items(state, live, thinking or {}, reader),
        *_messages_to_all(state, reader),
    ]
    return Picture(meta=_meta(state), groups=_groups(state, holds, tallies), items=items)


def blind_seats(state: State, holds: Collection[str]) -> tuple[str, ...]:
    """Held seats that still have to answer in the open phase; their holder sees only what the seat may see."""
    if state.open is None:
        return ()
    return tuple(seat for seat in state.open.waiting() if seat in holds)


def sides_read(state: State, holds: Collection[str]) -> Mapping[str, str]:
    """Seat id -> its side, for a viewer who must not know its name, as in the transcript; else empty."""
    if not _names_read(state, holds).names:
        return {}
    return {seat.id: stance_tag(state, seat.id) for seat in state.spec.seats if seat.id not in holds}


def _names_read(state: State, holds: Collection[str]) -> SeatNames:
    """The names of seats for a viewer who must not know their ids; else their ids."""
    hides = state.open is not None and state.open.slot.phase.hides_names and bool(blind_seats(state, holds))
    return blind_names(state.spec) if hides else BY_ID


def changes(before: Picture, after: Picture) -> list[LiveUpdate]:
    """The updates from one picture to the next: grown text where possible, then whole turns, phases, the rest."""
    old_items = {i["id"]: i for i in before["items"]}
    old_groups = {g["id"]: g for g in before["groups"]}
    found: list[LiveUpdate] = [("group", g) for g in after["groups"] if old_groups.get(g["id"]) != g]
    for item in after["items"]:
        found += _item_change(old_items.pop(item["id"], None), item)
    found += [("gone", item_id) for item_id in old_items]
    if before["meta"] != after["meta"]:
        found.append(("meta", after["meta"]))
    return found


def _item_change(old: Item | None, new: Item) -> list[LiveUpdate]:
    if old is new or old == new:
        return []
    if old is not None and new["text"].startswith(old["text"]) and {**old, "text": ""} == {**new, "text": ""}:
        # The browser counts UTF-16 units: characters beyond the basic plane, such as an emoji, count twice.
        length = len(old["text"].encode("utf-16-le", "surrogatepass")) // 2
        return [("text", [new["id"], length, new["text"][len(old["text"]) :]])]
    return [("item", new)]


def _meta(state: State) -> Meta:
    status: Literal["running", "waiting", "paused", "over"] = "over" if state.outcome else flow(state)
    return Meta(
        status=status,
        notice=notice(state),
        closing=_closing(state),
        news=news(state),
        form_news=form_news(state),
        polled=polled(state),
    )


def news(state: State) -> str:
    """A mark that changes whenever the panel beside the transcript needs a redraw."""
    asked = "+".join(r.id for r in requests(state))
    flow = f"{len(state.ran)}.{len(state.all_turns())}.{len(state.counted)}.{len(state.marks)}"
    stands = "over" if state.outcome else state.paused is not None
    return _mark(f"{flow}.{len(state.reserved)}.{asked}.{stands}.{is_complete(state)}.{_acts(state)}")


def form_news(state: State) -> str:
    """A mark that changes whenever a voter or observer needs a redraw of more than the shared parts of the panel."""
    over = stage.final_decision(state).pending if state.outcome else ""
    waits = stage.why_it_waits(state) if stage.waits_as_agreed(state) else ""
    needs_leader = state.limit_met is not None, bool(stage.unreached(state))
    judged = judge_view.complete_rounds(state) if any(p.role == "judge" for p in state.room.people.values()) else 0
    # Its revisions are acts.
    syntheses = sum(turn.status == "ok" and isinstance(turn.content, Synthesis) for turn in state.all_turns())
    shown = len(passage_marks.open_passages(state)), judged, syntheses
    return _mark(f"{stage.stage(state)}.{over}.{waits}.{needs_leader}.{shown}.{_acts(state)}")


def _acts(state: State) -> str:
    acts = sum(len(done) for kind, done in state.room.acts.items() if kind not in _OF_MANY)
    # Only the first mark is news: from then on they can be shown.
    acts += passage_marks.wait_to_be_shown(state)
    # An upvote is news only if it changes the questions on top.
    top = "+".join(map(str, [*stage.support(state)][:TOP_QUESTIONS]))
    return f"{acts}.{top}"


def _mark(plain: str) -> str:
    # A keyed digest, because viewers with aliases get this mark too: it must not reveal which seat is asked, not even
    # to a viewer who tries every seat.
    return blake2s(plain.encode(), digest_size=8, key=_KEY).hexdigest()


def polled(state: State) -> str:
    """Progress of the open poll, which everyone may know; else of marking the passages; else empty."""
    poll = stage.open_poll(state)
    return progress_words(poll_progress(state, poll.id)) if poll else marking_words(state)


def notice(state: State) -> str:
    """A notice for everyone on the kind of seats; empty for people and models."""
    if words := held_elsewhere_words(state.spec.held_elsewhere):
        return words
    if state.spec.rehearsal:
        return _("Rehearsal: scripted turns, not a debate that was held")
    panel = [in_words(s.id) for s in state.spec.evidence_panel()]
    if notice_names_seats(state):
        return _("Evidence panel ({panel}): no model, quotes only", panel=", ".join(panel))
    if panel:
        return _("Evidence panel: no model, quotes only")
    return ""


def notice_names_seats(state: State) -> bool:
    """True if models and the evidence panel are both here, so that the notice names the seats of the panel."""
    spec = state.spec
    return bool(not spec.rehearsal and spec.evidence_panel() and any(seat.is_model for seat in spec.debaters()))


def _closing(state: State) -> str:
    if state.outcome is not None:
        told = account(state)
        # The decider comes first where people voted or a person signed.
        is_of_seats = told.decision.counted_by == "debaters" and told.decision.signed is None
        ended = outcome_sentence(told)
        return ended if is_of_seats else f"{decided_sentence(told)} {ended}"
    if state.paused is None:
        return ""
    if stage.waits_as_agreed(state):
        return "" if stage.stage(state) == "lobby" and not state.room.polls else agreed_wait(state)
    if stage.unreached(state):
        return _("Paused: no seat answers.")
    return _("Paused: {paused}", paused=recorded(state.paused))


def agreed_wait(state: State) -> str:
    """The agreed wait in words. The record gives the same reason before and after the pre-vote."""
    match stage.why_it_waits(state):
        case "held":
            return _("Round {number} is ready: the facilitator lets it begin.", number=state.current_round())
        case "collect":
            return _("Everyone proposes options; the facilitator sets the list.")
        case "brief":
            return _("Everyone reads the brief and asks questions.")
        case "facts":
            return _("Everyone writes what the others may not know; nothing is shown until all is.")
        case "prevote":
            return _("The pre-vote is open; its ballots stay sealed until the reveal.")
        case "lobby" if "pre" in state.room.polls:
            return _("The pre-vote is closed: the facilitator begins.")
        case "lobby":
            return _("People join, and the facilitator begins.")


def may_see_count(state: State, holds: Collection[str]) -> bool:
    """False for a person who still has to answer in a phase that hides earlier turns from their seat."""
    if state.open is None or not blind_seats(state, holds):
        return True
    return state.open.slot.phase.sees.turns in ("all", "earlier_phases")


def _groups(state: State, holds: Collection[str], known: Mapping[str, str]) -> list[Group]:
    counted = {(c.round, c.phase): c for c in state.counted}
    under_way = None
    if state.open is not None and not state.outcome and not stage.waits_as_agreed(state):
        under_way = (state.open.round, state.open.slot.phase.name)
    groups = []
    for number, phase in state.ran:
        words = ""
        count = counted.get((number, phase))
        if count and may_see_count(state, holds) and not state.spec.held_elsewhere:
            words = known.get(f"{number}.{phase}") or _counted_words(state, count)
        title = _("Round {number} · {phase}", number=number, phase=capitalized(named(phase)))
        is_open = (number, phase) == under_way
        groups.append(Group(id=f"{number}.{phase}", title=title, open=is_open, tally=words))
    return groups


def _counted_words(state: State, held: Counted) -> str:
    tally = held.tally
    if not tally.cast:
        return _("no ballot cast (0 of {eligible} cast)", eligible=tally.eligible)
    points = " · ".join(f"{option} {n}" for option, n in points_by_option(state, held.ballots).items())
    count = voting.count_of(state, held.ballots)
    if count is None:
        return points
    needed = count.result().needed
    in_a_row = count.ballots_in_a_row()
    more = _(" on {in_a_row} consecutive counts", in_a_row=in_a_row) if in_a_row > 1 else ""
    bar = clause_words(count.rule) if needed is None else _("{needed} needed{more}", needed=needed, more=more)
    return _(
        "{points} ({cast} of {eligible} cast, {bar})",
        points=points,
        cast=tally.cast,
        eligible=tally.eligible,
        bar=_("advice") if advice_sentence(state.spec) else bar,
    )


@dataclass(frozen=True, slots=True)
class _ReadingRights:
    """The rights of a viewer: a person whose seat still has to answer sees only what that seat may see."""

    holds: Collection[str]
    turns: frozenset[str] | None = None
    """Turns that every waiting seat of this person may see; None = all."""
    names: SeatNames = BY_ID
    """Other names of seats in ids and in words; by default their own."""
    numbers: Mapping[str, int] = field(default_factory=dict)
    """Numbers of claims, by the ids that this reader sees."""

    def may_read(self, turn: str, seat: str) -> bool:
        """True if the words of this turn may be shown."""
        return self.turns is None or seat in self.holds or turn in self.turns

    def by_tag(self, seat: str) -> bool:
        """True if this seat is called by its stance."""
        return bool(self.names.names) and seat not in self.holds


def _reader(state: State, holds: Collection[str]) -> _ReadingRights:
    waiting = blind_seats(state, holds)
    if not waiting or state.open is None:
        return _ReadingRights(holds, numbers=state.claim_numbers())
    by_seat = [{t.place() for t in seen_turns(state, request_for(state.open, seat))} for seat in waiting]
    failed = {turn.place() for turn in state.turns if turn.status != "ok"}
    names = _names_read(state, holds)
    numbers = {names.shown(claim_id): number for claim_id, number in state.claim_numbers().items()}
    return _ReadingRights(holds, frozenset.intersection(*map(frozenset, by_seat)) | failed, names, numbers)


def _ended_items(state: State, reader: _ReadingRights, known: Mapping[str, Item]) -> list[Item]:
    """One item per turn of the ended phases; some may be hidden from a seat that has to answer."""
    items = []
    for turn in state.turns:
        before = known.get(turn.place())
        if not reader.may_read(turn.place(), turn.seat):
            items.append(_hidden(state, turn.address(), reader))
        # An item under the seat's name that shows the end of this turn does not change.
        elif reader.turns is None and before and before["seat"] and before["state"] == _ended_state(turn):
            items.append(before)
        else:
            items.append(_given(state, turn, reader))
    return items


def _open_items(
    state: State, live: Mapping[str, str], thinking: Mapping[str, str], reader: _ReadingRights
) -> list[Item]:
    """One item per speaker of the open phase, in schedule order, answered or not."""
    phase = state.open
    if phase is None:
        return []
    hidden = hidden_seats(state, reader.holds)
    asked = {request.turn(): request for request in requests(state)}
    partials = _cut_turns(state)
    items = []
    for address in phase.asked:
        is_secret = address.seat in hidden or not reader.may_read(str(address), address.seat)
        turn = phase.answers.get(address)
        if turn is not None:
            items.append(_answered(state, turn, reader, is_secret=is_secret))
        elif address in partials and not is_secret:
            items.append(_cut(state, address, partials[address], reader))
        elif state.outcome is None:
            request = asked.get(address)
            heard = PartialTurn(is_open=False) if is_secret else _heard(state, request, live, thinking, reader)
            items.append(_unanswered(state, address, request, heard, reader))
    return items


def _cut_turns(state: State) -> Mapping[TurnId, Partial]:
    """The words of each seat up to the moment when the debate was stopped."""
    partials = state.stopped.partials if state.stopped else ()
    return {RequestId.parse(partial.request).turn: partial for partial in partials}


def _answered(state: State, turn: Turn, reader: _ReadingRights, *, is_secret: bool) -> Item:
    return _hidden(state, turn.address(), reader) if is_secret else _given(state, turn, reader)


def _heard(
    state: State,
    request: Request | None,
    live: Mapping[str, str],
    thinking: Mapping[str, str],
    reader: _ReadingRights,
) -> PartialTurn:
    """The answer to this request so far, for a turn that may be read."""
    if request is None:
        return PartialTurn()
    text = reader.names.shown(live.get(request.id, ""))
    # The thinking may name the speaker or the model, or repeat a document that others do not read.
    if reader.by_tag(request.seat) or has_withheld(state, request.seat):
        return PartialTurn(text)
    return PartialTurn(text, thinking.get(request.id, ""))


def _unanswered(
    state: State, address: TurnId, request: Request | None, heard: PartialTurn, reader: _ReadingRights
) -> Item:
    """An unfinished turn of the open phase; without a request it has to wait for others."""
    item = _item(state, address, reader)
    if request is not None:
        item["request"] = reader.names.shown(request.id)
    doing = seat_words.doing(state, address, request, heard)
    item["state"] = doing.state
    item["says"] = doing.words
    item["text"] = without_direction(heard.text)
    if doing.since_ms is not None:
        item["since"] = doing.since_ms
    if doing.until_ms is not None:
        item["until"] = doing.until_ms
    if doing.state == "thinking":
        end = heard.thinking[-THINKING_CHARS:].strip()
        item["thinking"] = end if len(heard.thinking) <= THINKING_CHARS else f"… {end}"
    if heard.is_open:
        _add_look_ups(state, item, address, reader)
    if heard.is_open and not reader.by_tag(address.seat):  # earlier failures may name the speaker or the model
        _add_attempts(state, item, address, has_ended=False)
    return item


def _cut(state: State, address: TurnId, partial: Partial, reader: _ReadingRights) -> Item:
    """The words of a seat up to the moment when the debate was stopped."""
    item = _item(state, address, reader)
    item["state"] = "cut"
    item["says"] = seat_words.ENDED["cut"]
    item["request"] = reader.names.shown(partial.request)
    item["text"] = without_direction(reader.names.shown(partial.text))
    return item


def _add_attempts(state: State, item: Item, address: TurnId, *, has_ended: bool) -> None:
    failed = [turn for turn in state.failed_attempts if turn.address() == address]
    if not failed:
        return
    item["tried"] = seat_words.tried(state, address, has_ended=has_ended)
    item["before"] = "; ".join(
        _("attempt {number} {failure}", number=n, failure=_failure_words(turn))
        for n, turn in enumerate(failed, start=1)
    )


def _failure_words(turn: Turn) -> str:
    # The message quotes the ballot, which is hidden until its phase has ended.
    message = "" if turn.status == "contradicts" else turn.message
    if len(message) > WHY_CHARS:
        message = f"{message[: WHY_CHARS - 1].rstrip()}…"
    failure = FAILURE_WORDS[turn.status]
    return f"{failure}: {message}" if message else failure


_BADGES = Words({"human": "person", "offline": "evidence panel", "scripted": "scripted"})


def _item(state: State, address: TurnId, reader: _ReadingRights) -> Item:
    seat = state.spec.seat(address.seat)
    item_id = str(address._replace(seat=reader.names.of(seat.id)))
    is_hidden = reader.by_tag(seat.id)
    name = stance_tag(state, seat.id) if is_hidden else speaker_name(state, seat.id)
    item = new_item(item_id, f"{address.round}.{address.phase}", name, "waiting")
    item["colour"] = seat_colour(state, seat)
    # Each of these would reveal the speaker.
    if not is_hidden:
        item["seat"] = seat.id
        item["badge"] = _badge(state, seat_in_round(state.spec, seat.id, address.round))
        item["stance"] = stance_of(state, seat.id)
        if not item["stance"] and seat.role not in ("debater", seat.id):
            item["stance"] = seat.role
    return item


def _badge(state: State, seat: Seat, usage: Usage | None = None) -> str:
    """The occupant of a seat; for a model its name, as the server gave it if it has answered, and its family."""
    if seat.occupant == "offline" and seat.role != "debater":
        return _("drafted by code")
    if not seat.is_model:
        return _BADGES[seat.occupant]
    return _model_badge(state, seat, usage.model if usage else None)


def _model_badge(state: State, seat: Seat, answered_by: str | None) -> str:
    name = answered_by or seat.model
    family = seat.family
    if line := state.spec.line(seat):
        name = answered_by or line.model or seat.model
        family = family or line.family
    return " · ".join(part for part in (name, family) if part) or named("model")


def _messages_to_all(state: State, reader: _ReadingRights) -> list[Item]:
    """Messages of the moderator, and documents, at the end of the phase in which they came; in no seat's name."""
    items = []
    for (number, phase), messages in said_in(state).items():
        for given in messages:
            name = given.speaker
            # A debater is called by their seat, which may be hidden from this reader.
            if given.seat:
                name = stance_tag(state, given.seat) if reader.by_tag(given.seat) else in_words(given.seat)
            place = f"{number}.{phase}"
            item = new_item(f"{place}.!{given.seq}", place, name, "given")
            item["badge"] = given.kind
            item["text"] = reader.names.shown(given.text)
            items.append(item)
    return items


def _add_look_ups(state: State, item: Item, address: TurnId, reader: _ReadingRights) -> None:
    """Put the look-ups of this turn before its other rows, each with its passages."""
    found = contents.look_up_rows(reader.names.shown(shown_look_ups(state, address)))
    if found:
        item["rows"] = [*found, *item.get("rows", ())]


def _hidden(state: State, address: TurnId, reader: _ReadingRights) -> Item:
    item = _item(state, address, reader)
    item["state"] = "hidden"
    item["says"] = seat_words.HAS_ANSWERED
    return item


def seat_colour(state: State, seat: Seat) -> str:
    """The colour of the option in the stance of the seat ("migrate", "for migrate"), else gray."""
    side = stance_of(state, seat.id).casefold().removeprefix("for ")
    for option in state.spec.options:
        if option.casefold() == side:
            return contents.option_colour(state, option)
    return "gray"


def _ended_state(turn: Turn) -> str:
    return "given" if turn.status == "ok" else turn.status


def _waits_for_marks(state: State, turn: Turn) -> bool:
    """True for a seat of the evidence panel that cannot vote yet: it has passages, which people mark later."""
    if state.spec.seat(turn.seat).occupant != "offline" or not isinstance(turn.content, Argument):
        return False
    if turn.content.vote != ABSTAIN or not turn.claims:
        return False
    is_marked_at_all = any(phase.gives == "review" for phase in state.spec.protocol.phases())
    before = takewhile(lambda earlier: earlier is not turn, state.turns)
    was_marked_before = any(isinstance(earlier.content, Review) for earlier in before)
    return is_marked_at_all and not was_marked_before


def _fill(state: State, item: Item, turn: Turn, content: Content, reader: _ReadingRights) -> None:
    contents.fill(state, item, content, reader.numbers)
    if isinstance(content, Verdict) and (pair := state.compared.get(turn.address())):
        contents.fill_comparison(item, pair, content)
    if state.outcome is None and _waits_for_marks(state, turn):
        item["vote"] = Chip(text=_("waits for marks"), colour="gray", counts=False)
    if remarks := list(_remarks(turn, reader)):
        item["facts"] = [*item.get("facts", ()), *remarks]


def _remarks(turn: Turn, reader: _ReadingRights) -> Iterator[str]:
    if turn.argues_for:
        yield argues_for_words(turn.argues_for)
    if turn.match:
        yield _("compared in a short debate")
    if turn.no_reason:
        yield _(NO_REASON_GIVEN)
    if turn.left_out and not reader.by_tag(turn.seat):  # it may name a seat
        yield left_out_words(reader.names.shown(turn.left_out))


def _given(state: State, turn: Turn, reader: _ReadingRights) -> Item:
    item = _item(state, turn.address(), reader)
    item["state"] = _ended_state(turn)
    item["says"] = seat_words.ENDED[turn.status]
    item["request"] = reader.names.shown(turn.request)
    _add_attempts(state, item, turn.address(), has_ended=True)
    if reader.by_tag(turn.seat):
        item.pop("before", None)  # it may name the speaker or the model
    else:
        _note_who_gave(state, item, turn)
    content = None if turn.status == "struck" else reader.names.shown(turn.content)
    if content:
        item["text"] = without_direction(contents.prose(content))
        _fill(state, item, turn, content, reader)
    elif turn.content is None:
        item["text"] = without_direction(reader.names.shown(turn.text))
    elif isinstance(turn.content, Argument):
        contents.fill_ballot(state, item, turn.content)
    if turn.status != "struck":
        _add_look_ups(state, item, turn.address(), reader)
    return item


def _note_who_gave(state: State, item: Item, turn: Turn) -> None:
    """Note the occupant and the message of a turn, which may both name the speaker or the model."""
    item["badge"] = _badge(state, seat_in_round(state.spec, turn.seat, turn.round), turn.usage)
    if turn.by not in (turn.seat, *PROGRAMS):
        item["note"] = _("by {person}", person=name_of(state, turn.by))
        if turn.status == "ok":
            # A turn under a person's name was given by a person, even for a seat of a model.
            item["badge"] = _BADGES["human"]
    if turn.message:
        item["note"] = turn.message
