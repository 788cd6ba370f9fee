"""The view of one person of a debate with people: aliases instead of names, and no hidden turns, votes or counts.

The viewer is known from their cookie only. Takes finished pictures of `transcript` and draws none.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from debate_core.engine import judge_view, stage
from debate_core.engine.anchoring import is_vote_ahead
from debate_core.engine.seat_names import SeatNames
from debate_core.engine.seat_view import seats_not_live
from debate_core.language import Language, _, message, said
from debate_core.record.ids import TurnId
from debate_core.record.state import State
from debate_core.spec.people import LEADS, Person, RoomRole
from debate_core.spec.values import in_words
from debate_core.ui.room.live import seat_words
from debate_core.ui.room.live.transcript import new_item, notice_names_seats
from debate_core.ui.room.live.wire_types import Group, Item, Meta, Picture, Row

AUDIENCE = "audience"
"""One set of aliases for voters, observers, strangers and the projector, so that all call a speaker the same."""
OVER = message("The debate is over.")
Veiled = dict[str, tuple[Item, Item]]
"""Item id -> the latest item, as drawn for all and for this viewer."""


@dataclass(frozen=True, slots=True)
class Sight:
    """The rights of a viewer. `holds`: their seats; `names`: seat id -> alias, empty = seats have their names."""

    holds: frozenset[str] = frozenset()
    names: Mapping[str, str] | None = field(default=None, hash=False)
    hidden: frozenset[str] = frozenset()
    """Turns that a judge, or people of this role, may not read yet."""
    counts: bool = True
    """False for a judge without a final verdict, who sees neither votes nor the outcome."""
    sides: bool = True
    """False for readers of aliases while a judge reads blind: turns have no vote of their seat."""
    counts_seats: bool = True
    """False before a vote of people: turns are read without the count of the seats."""
    language: Language = "en"
    """The language of the words around the turns."""
    notice_names_seats: bool = False
    """As `transcript.notice_names_seats`."""
    leads: bool = False
    """True for those who lead, who see the progress of each person."""


def own_news(state: State, person_id: str) -> str:
    """The receipt of this person's ballot in the open poll, cast in any window; empty without one."""
    poll = stage.open_poll(state)
    ballot = poll.ballots.get(person_id) if poll else None
    return stage.receipt(ballot.hash) if ballot else ""


def sight_of(state: State, viewer: Person | None, asked: str = "", *, may_judge: bool = False) -> Sight:
    """The sight of a person in a room, None = a stranger; without people, of the seats in the address (`asked`).

    `may_judge`: the stranger may be a judge in a private window, and sees only what all remaining judges may see.
    """
    if not state.spec.has_people:
        own_seats = frozenset(filter(None, asked.split(",")))
        # A single user leads the debate.
        return Sight(own_seats, hidden=_turns_not_live(state, "facilitator", own_seats))
    names = names_for(state, viewer)
    if viewer is not None:
        holds = frozenset(stage.seats_of(state, viewer.id))
        hidden = judge_view.hidden_from(state, viewer.id)
        sight = Sight(holds, names, hidden, judge_view.may_see_result(state, viewer.id))
    elif may_judge:
        sight = _sight_of_a_judge(state, names)
    else:
        sight = Sight(names=names)
    role = viewer.role if viewer else None
    hidden = sight.hidden | _turns_not_live(state, role, sight.holds)
    return replace(
        sight,
        hidden=hidden,
        leads=role in LEADS,
        notice_names_seats=notice_names_seats(state),
        sides=not hides_sides(state, sight.names),
        counts_seats=not is_vote_ahead(state),
    )


def _turns_not_live(state: State, role: RoomRole | None, holds: frozenset[str]) -> frozenset[str]:
    """Turns of the open phase that people of this role read only after it."""
    seats = seats_not_live(state, role, holds)
    asked = state.open.asked if state.open else ()
    return frozenset(str(turn) for turn in asked if turn.seat in seats)


def _sight_of_a_judge(state: State, names: Mapping[str, str]) -> Sight:
    """The common sight of all remaining judges; `names`: the aliases without any."""
    judges = judge_view.still_judging(state)
    if judges and state.spec.terms.blind == "blind":
        names = judge_view.aliases(state, AUDIENCE)
    hidden = frozenset[str]().union(*(judge_view.hidden_from(state, judge) for judge in judges))
    return Sight(names=names, hidden=hidden, counts=not judges)


def names_for(state: State, viewer: Person | None) -> Mapping[str, str]:
    """Seat id -> alias for a viewer who must not know the speakers; empty for others.

    Judges until their verdict, the audience until the debate is over.
    """
    if state.spec.terms.blind == "named":
        return {}
    if viewer is not None and viewer.role == "judge":
        return judge_view.aliases(state, viewer.id) if judge_view.reads_blind(state, viewer.id) else {}
    is_audience = viewer is None or (viewer.role in ("voter", "observer") and not viewer.seats)
    if is_audience and state.outcome is None:
        return judge_view.aliases(state, AUDIENCE)
    return {}


def hides_sides(state: State, names: Mapping[str, str] | None) -> bool:
    """True if a reader with these aliases may not see which option a seat chose."""
    return bool(names) and judge_view.is_read_blind(state)


def seat_name(seat: str, names: Mapping[str, str] | None) -> str:
    """The name of a seat for a viewer with these aliases."""
    return said(names[seat]) if names and seat in names else in_words(seat)


def veil(picture: Picture, sight: Sight, before: Veiled) -> tuple[Picture, Veiled]:
    """The picture for this viewer. `before` is the latest `Veiled` of the same aliases."""
    if not sight.names and not sight.hidden and sight.counts and sight.counts_seats:
        return picture, {}
    aliases = _Aliases(sight)
    veiled = {item["id"]: (item, aliases.item(item, before.get(item["id"]))) for item in picture["items"]}
    uncounted = _uncounted_phases(picture, sight)
    groups: list[Group] = [{**one, "tally": ""} if one["id"] in uncounted else one for one in picture["groups"]]
    items = [shown for _, shown in veiled.values()]
    return Picture(meta=aliases.meta(picture["meta"]), groups=groups, items=items), veiled


def _uncounted_phases(picture: Picture, sight: Sight) -> set[str]:
    """Phases without a count for this viewer: those with a hidden turn, or all."""
    if not (sight.counts and sight.counts_seats):
        return {group["id"] for group in picture["groups"]}
    return {item["phase"] for item in picture["items"] if item["id"] in sight.hidden}


class _Aliases:
    """Replaces seats by the aliases of one viewer."""

    def __init__(self, sight: Sight) -> None:
        self._hidden = sight.hidden
        self._counts = sight.counts
        self._counts_seats = sight.counts_seats
        self._has_votes = sight.counts and sight.sides
        self._notice_names_seats = sight.notice_names_seats
        aliases = self._english = sight.names or {}
        self._names = {seat: said(alias) for seat, alias in aliases.items()}
        self._addresses = SeatNames({seat: alias.removeprefix("Speaker ") for seat, alias in aliases.items()})
        self._seats = {words: seat for seat in aliases for words in (in_words(seat), seat)}
        either = "|".join(re.escape(words) for words in sorted(self._seats, key=len, reverse=True))
        self._pattern = re.compile(rf"(?<![\w-])({either})(\.\d)?(?![\w-])", re.IGNORECASE) if either else None

    def words(self, text: str) -> str:
        """Replace seats, also in numbers of claims, in a text by the program."""

        def alias_of(match: re.Match[str]) -> str:
            # `Ana` becomes `Speaker B`, and in the number of a claim `ana.2` becomes `B.2`.
            seat = next((s for words, s in self._seats.items() if words.casefold() == match[1].casefold()), "")
            if not seat:
                return match[0]
            return f"{self._addresses.of(seat)}{match[2]}" if match[2] else self._names[seat]

        return self._pattern.sub(alias_of, text) if self._pattern else text

    def item(self, raw: Item, before: tuple[Item, Item] | None) -> Item:
        """A turn for this viewer; `before`: the latest raw and veiled item with this id."""
        if raw["id"] in self._hidden:
            name = self._names.get(TurnId.parse(raw["id"]).seat, raw["name"])
            item = new_item(self._item_id(raw), raw["phase"], name, "later")
            item["says"] = seat_words.READ_LATER
            return item
        seat = TurnId.parse(raw["id"]).seat
        if seat not in self._names:
            shown = self._with_addresses(raw)
            # A debater who adds a document is called by their seat.
            shown["name"] = self._names.get(self._seats.get(raw["name"], ""), raw["name"])
        # A readable turn only changes if its raw item is another one.
        elif before is not None and before[0] is raw and before[1]["state"] != "later":
            return before[1]
        else:
            shown = self._veiled(raw, seat)
        if not self._has_votes:
            shown.pop("vote", None)
            shown.pop("confidence", None)
        return shown

    def _veiled(self, raw: Item, seat: str) -> Item:
        shown = self._with_addresses(raw)
        shown["id"] = self._item_id(raw)
        shown["name"] = self._names[seat]
        shown["seat"] = shown["request"] = shown["badge"] = shown["stance"] = ""
        shown["colour"] = "gray"
        # Earlier failures and thinking may name the model; a note may name the speaker.
        shown.pop("before", None)
        shown.pop("thinking", None)
        shown.pop("note", None)
        if "rows" in raw:
            shown["rows"] = [self._row(r) for r in raw["rows"]]
        if "answers" in raw:
            shown["answers"] = self.words(raw["answers"])
        # Facts quote the omitted part of a reply, which may name a seat.
        if "facts" in raw:
            shown["facts"] = [self.words(fact) for fact in raw["facts"]]
        return shown

    def _with_addresses(self, raw: Item) -> Item:
        """A copy whose text has aliases in the numbers of claims."""
        shown = raw.copy()
        shown["text"] = self._addresses.shown(raw["text"])
        return shown

    def _item_id(self, raw: Item) -> str:
        address = TurnId.parse(raw["id"])
        name = self._english.get(address.seat, raw["name"])
        return str(address._replace(seat=name.replace(" ", "-")))

    def _row(self, row: Row) -> Row:
        shown = row.copy()
        shown["id"] = self.words(row["id"])
        shown["text"] = self._addresses.shown(row["text"])
        if "links" in row:
            shown["links"] = self.words(row["links"])
        if "chips" in row:
            shown["chips"] = [{**chip, "text": self.words(chip["text"])} for chip in row["chips"]]
        if row.get("seats"):
            shown["text"] = self.words(row["text"])
        return shown

    def meta(self, raw: Meta) -> Meta:
        """The frame around the turns; without the outcome for a judge without a verdict, and before a vote."""
        shown = raw.copy()
        if self._names and self._notice_names_seats:
            shown["notice"] = _("Among the seats is an evidence panel: no model, quotes only")
        if (self._hidden or not (self._counts and self._counts_seats)) and raw["status"] == "over":
            shown["closing"] = _(OVER)
        return shown
