"""What one viewer of a debate with people may see: aliases for names, and nothing that is kept from them.

Who looks is known from their cookie alone. Takes finished pictures of `transcript` and draws none.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from debate_core.engine import judge_view
from debate_core.engine.seat_names import SeatNames
from debate_core.engine.stage import seats_of
from debate_core.language import Language, _, message
from debate_core.record.address import TurnId
from debate_core.record.state import State
from debate_core.spec.people import Person
from debate_core.spec.values import in_words
from debate_core.ui.room.live import seat_words
from debate_core.ui.room.live.transcript import notice_names_seats
from debate_core.ui.room.live.wire_types import Chip, Group, Item, Meta, Picture, Row

AUDIENCE = "audience"
"""For whom the aliases of voters, observers, strangers and the projector are drawn: they talk of the same speakers."""
OVER = message("The debate is over.")
Veiled = dict[str, tuple[Item, Item]]
"""Item id -> what was drawn last, as everybody and as this viewer sees it."""


@dataclass(frozen=True, slots=True)
class Sight:
    """`holds`: seats whose sight somebody has; `names`: seat id -> alias, empty = seats stand under their names."""

    holds: frozenset[str] = frozenset()
    names: Mapping[str, str] | None = field(default=None, hash=False)
    hidden: frozenset[str] = frozenset()
    """Turns that a judge may not read yet."""
    counts: bool = True
    """False for a judge whose final word is still to come: neither votes nor how it ended."""
    language: Language = "en"
    """In which the words around the turns are."""
    notice_names_seats: bool = False
    """As `transcript.notice_names_seats`."""


def sight_of(state: State, viewer: Person | None, asked: str = "", *, may_judge: bool = False) -> Sight:
    """In a room by who looks, None = a stranger; without people by the seats that the address names.

    `may_judge`: the stranger may be a judge in a private window, and sees what all who still judge may see.
    """
    if not state.spec.has_people:
        return Sight(frozenset(filter(None, asked.split(","))))
    return replace(_sight_in_room(state, viewer, may_judge=may_judge), notice_names_seats=notice_names_seats(state))


def _sight_in_room(state: State, viewer: Person | None, *, may_judge: bool) -> Sight:
    names = names_for(state, viewer)
    if viewer is None:
        return _sight_of_a_judge(state, names) if may_judge else Sight(names=names)
    holds = frozenset(seats_of(state, viewer.id))
    return Sight(holds, names, judge_view.hidden_from(state, viewer.id), judge_view.may_see_result(state, viewer.id))


def _sight_of_a_judge(state: State, names: Mapping[str, str]) -> Sight:
    """What all may see who still judge; `names`: the aliases once nobody does."""
    judges = judge_view.still_judging(state)
    if judges and state.spec.terms.blind == "blind":
        names = judge_view.aliases(state, AUDIENCE)
    hidden = frozenset[str]().union(*(judge_view.hidden_from(state, judge) for judge in judges))
    return Sight(names=names, hidden=hidden, counts=not judges)


def names_for(state: State, viewer: Person | None) -> Mapping[str, str]:
    """Seat id -> alias for whoever must not know who speaks; empty for all others.

    Judges until they have judged, the audience until the debate is over.
    """
    if state.spec.terms.blind == "named":
        return {}
    if viewer is not None and viewer.role == "judge":
        return judge_view.aliases(state, viewer.id) if judge_view.reads_blind(state, viewer.id) else {}
    is_audience = viewer is None or (viewer.role in ("voter", "observer") and not viewer.seats)
    if is_audience and state.outcome is None:
        return judge_view.aliases(state, AUDIENCE)
    return {}


def seat_name(seat: str, names: Mapping[str, str] | None) -> str:
    """How a viewer with these aliases reads the name of a seat."""
    return (names or {}).get(seat, in_words(seat))


def veil(picture: Picture, sight: Sight, before: Veiled) -> tuple[Picture, Veiled]:
    """The picture as this viewer may see it. `before` is what this gave last, under the same aliases."""
    if not sight.names and not sight.hidden and sight.counts:
        return picture, {}
    aliases = _Aliases(sight)
    veiled = {item["id"]: (item, aliases.item(item, before.get(item["id"]))) for item in picture["items"]}
    uncounted = _uncounted_phases(picture, sight)
    groups = [_without_tally(group) if group["id"] in uncounted else group for group in picture["groups"]]
    items = [shown for _, shown in veiled.values()]
    return Picture(meta=aliases.meta(picture["meta"]), groups=groups, items=items), veiled


def _uncounted_phases(picture: Picture, sight: Sight) -> set[str]:
    """Those whose count this viewer may not see: all, or the ones with a turn to be read later."""
    if not sight.counts:
        return {group["id"] for group in picture["groups"]}
    return {item["phase"] for item in picture["items"] if item["id"] in sight.hidden}


def _without_tally(group: Group) -> Group:
    return Group(id=group["id"], title=group["title"], open=group["open"], tally="")


def _without_vote(item: Item) -> Item:
    shown = item.copy()
    shown.pop("vote", None)
    shown.pop("confidence", None)
    return shown


class _Aliases:
    """The aliases of one viewer, ready to be put in."""

    def __init__(self, sight: Sight) -> None:
        self._hidden = sight.hidden
        self._counts = sight.counts
        self._notice_names_seats = sight.notice_names_seats
        self._names = dict(sight.names or {})
        self._addresses = SeatNames({seat: alias.removeprefix("Speaker ") for seat, alias in self._names.items()})
        self._spoken = {in_words(s): alias for s, alias in self._names.items()} | self._names
        either = "|".join(re.escape(s) for s in sorted(self._spoken, key=len, reverse=True))
        self._pattern = re.compile(rf"(?<![\w-])({either})(\.\d)?(?![\w-])", re.IGNORECASE) if either else None

    def words(self, text: str) -> str:
        """Words that the program made, with aliases instead of seats and in the numbers of claims."""
        return self._pattern.sub(self._alias, text) if self._pattern else text

    def _alias(self, match: re.Match[str]) -> str:
        """`Ana` becomes `Speaker B`, and within the number of a claim `ana.2` becomes `B.2`."""
        name = match[1]
        number = match[2]
        alias = next((a for spoken, a in self._spoken.items() if spoken.casefold() == name.casefold()), name)
        return f"{alias.removeprefix('Speaker ')}{number}" if number else alias

    def item(self, raw: Item, before: tuple[Item, Item] | None) -> Item:
        """A turn as this viewer reads it."""
        if raw["id"] in self._hidden:
            return self._later(raw)
        seat = TurnId.parse(raw["id"]).seat
        if seat not in self._names:
            shown = self._with_addresses(raw)
            # A debater who brings a document is called by their seat.
            shown["name"] = self._spoken.get(raw["name"], raw["name"])
        # A turn that may be read does not change any more, unless it is another one.
        elif before is not None and before[0] is raw and before[1]["state"] != "later":
            return before[1]
        else:
            shown = self._veiled(raw, seat)
        return shown if self._counts else _without_vote(shown)

    def _veiled(self, raw: Item, seat: str) -> Item:
        shown = self._with_addresses(raw)
        shown["id"] = self._item_id(raw)
        shown["name"] = self._names[seat]
        shown["seat"] = shown["request"] = shown["badge"] = shown["stance"] = ""
        shown["colour"] = "gray"
        # What failed before, and what a model thinks, may name the model; a note may name who speaks.
        shown.pop("before", None)
        shown.pop("thinking", None)
        shown.pop("note", None)
        if "rows" in raw:
            shown["rows"] = [self._row(r) for r in raw["rows"]]
        if "answers" in raw:
            shown["answers"] = self.words(raw["answers"])
        # What was left out of a reply stands there as it was given: it may name a seat.
        if "facts" in raw:
            shown["facts"] = [self.words(fact) for fact in raw["facts"]]
        return shown

    def _with_addresses(self, raw: Item) -> Item:
        """A copy in whose words claims have the numbers under which they are read."""
        shown = raw.copy()
        shown["text"] = self._addresses.shown(raw["text"])
        return shown

    def _item_id(self, raw: Item) -> str:
        address = TurnId.parse(raw["id"])
        name = self._names.get(address.seat, raw["name"])
        return str(address._replace(seat=name.replace(" ", "-")))

    def _later(self, raw: Item) -> Item:
        """A turn that is kept from this viewer: nothing of it but its place."""
        seat = TurnId.parse(raw["id"]).seat
        name = self._names.get(seat, raw["name"])
        return Item(
            id=self._item_id(raw),
            phase=raw["phase"],
            name=name,
            seat="",
            badge="",
            stance="",
            colour="gray",
            state="later",
            says=seat_words.READ_LATER,
            text="",
            request="",
        )

    def _row(self, row: Row) -> Row:
        shown = row.copy()
        shown["id"] = self.words(row["id"])
        shown["text"] = self._addresses.shown(row["text"])
        if "links" in row:
            shown["links"] = self.words(row["links"])
        if "chips" in row:
            shown["chips"] = [self._chip(c) for c in row["chips"]]
        if row.get("seats"):
            shown["text"] = self.words(row["text"])
        return shown

    def _chip(self, chip: Chip) -> Chip:
        shown = chip.copy()
        shown["text"] = self.words(chip["text"])
        return shown

    def meta(self, raw: Meta) -> Meta:
        """What stands around the turns; of a debate that has to be judged yet not how it ended."""
        shown = raw.copy()
        if self._names and self._notice_names_seats:
            shown["notice"] = _("Among the seats is an evidence panel: no model, quotes only")
        if (self._hidden or not self._counts) and raw["status"] == "over":
            shown["closing"] = _(OVER)
        return shown
