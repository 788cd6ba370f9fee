"""Finds and reads the debates of one store, and decides who can look at them.

It opens, changes and runs no debate. It knows no screen and is thread-safe.
"""

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress

from debate_core.errors import UnknownDebate
from debate_core.host import origin
from debate_core.host.access import admission, reading
from debate_core.host.access.cookies import cookie_name, results_cookie_name, screen_cookie_name
from debate_core.host.access.door import Door
from debate_core.host.access.reading import OPERATOR, Looker, finds
from debate_core.host.debate_cache import DebateCache, DebateCaches
from debate_core.host.debate_figures import DebateFigures, FiguresList
from debate_core.host.debate_list import DebateList, DebateRow, former_debates
from debate_core.host.kept_looks import KeptLooks
from debate_core.host.shared_errors import SharedErrors
from debate_core.host.stores import Store
from debate_core.record.events import Event
from debate_core.record.state import State
from debate_core.report.facts.joint_errors import JointErrors
from debate_core.report.facts.repetition import Look
from debate_core.spec.people import Person


class DebateReader:
    """Read access to the debates of one store."""

    def __init__(self, store: Store, caches: DebateCaches, door: Door) -> None:
        self._store = store
        self._caches = caches
        self._list = DebateList(store, caches)
        self._figures = FiguresList(store)
        self._origins = origin.Origins(store)
        self._shared_errors = SharedErrors(store, self.debates)
        self._looks = KeptLooks(store)
        self.door = door

    # Debates.

    def state(self, debate_id: str) -> State:
        """The cached state. UnknownDebate if there is none."""
        return self.cache(debate_id).state

    def state_now(self, debate_id: str) -> State:
        """The state after a look into the store, which includes writes of other processes."""
        cache = self.cache(debate_id)
        cache.look()
        return cache.state

    def events(self, debate_id: str) -> tuple[Event, ...]:
        """The record so far."""
        return self.cache(debate_id).events()

    def cache(self, debate_id: str) -> DebateCache:
        """The debate in memory: state, events and live texts; checks the store at most twice a second."""
        return self._caches.of(debate_id)

    def all_rows(self) -> tuple[DebateRow, ...]:
        """Every debate of any kind, latest opened first; unreadable records are left out and logged."""
        return self._list.rows()

    def debates(self, rows: Iterable[DebateRow] | None = None) -> tuple[DebateRow, ...]:
        """Every debate except practice debates and matches, among `all_rows` if they were read before."""
        # A practice debate from a file stays: the person who imported it looks for it.
        rows = rows or self.all_rows()
        rows = (row for row in rows if not row.practice or row.for_hosts)
        return tuple(row for row in rows if not row.is_match and not row.ownership.replaced_by)

    def row(self, debate_id: str) -> DebateRow:
        """The row of any debate. UnknownDebate if there is none, or its record cannot be read."""
        row = next((row for row in self.all_rows() if row.id == debate_id), None)
        if row is None:
            raise UnknownDebate("there is no debate {debate_id!r}", debate_id=debate_id)
        return row

    def figures(self, rows: Iterable[DebateRow]) -> Mapping[str, DebateFigures]:
        """Contributions of these debates to figures over many, by id; unreadable records are left out and logged."""
        return self._figures.of(rows)

    def practice_rows(
        self, looker: Looker = OPERATOR, rows: Iterable[DebateRow] | None = None
    ) -> tuple[DebateRow, ...]:
        """Practice debates for judges, latest opened first, among `rows` as in `debates`; none of unknown origin.

        Those of a logged-in account are visible to it alone.
        """
        rows = rows or self.all_rows()
        rows = (row for row in rows if row.practice and not row.origin_unknown)
        return tuple(row for row in rows if finds(row.ownership, looker, for_hosts=True))

    def debates_for(
        self, cookies: Mapping[str, str], looker: Looker, rows: Iterable[DebateRow] | None = None
    ) -> tuple[DebateRow, ...]:
        """The debates that a browser with these cookies finds in a list, among `rows` as in `debates`.

        Links to results do not count.
        """
        return self.found_among(self.debates(rows), cookies, looker)

    def found_among(
        self, rows: Iterable[DebateRow], cookies: Mapping[str, str], looker: Looker
    ) -> tuple[DebateRow, ...]:
        """Those among these debates that a browser with these cookies finds in a list."""
        return tuple(
            row
            for row in rows
            if finds(row.ownership, looker, for_hosts=row.for_hosts) or self.takes_part(row, cookies)
        )

    def takes_part(self, row: DebateRow, cookies: Mapping[str, str]) -> bool:
        """True if the browser with these cookies belongs to a person of this debate."""
        has_cookie = any(cookie_name(debate_id) in cookies for debate_id in (row.id, *row.former))
        return has_cookie and self.viewer(row.id, cookies) is not None

    def joint_errors(self, state: State) -> JointErrors | None:
        """Errors that the models of a finished debate shared in others; None if unknown."""
        return self._shared_errors.of(state)

    def looks(self, state: State) -> Sequence[Look]:
        """The comparison of all turns, which is kept when the debate is over."""
        return self._looks.of(state)

    # Where a record comes from.

    def is_imported(self, debate_id: str) -> bool:
        """True for an imported record: its people have no links here."""
        return self._origins.is_imported(debate_id)

    def is_origin_unknown(self, debate_id: str) -> bool:
        """True for an imported record without a checked signature."""
        return self.is_imported(debate_id) and not self.vouched_by(debate_id)

    def vouched_by(self, debate_id: str) -> str:
        """The key that verified the signatures of an imported record; empty if none did."""
        return origin.vouched_by(self._store, debate_id)

    # Access.

    def viewer(self, debate_id: str, cookies: Mapping[str, str], *, again: bool = False) -> Person | None:
        """The person whose browser sends these cookies; None for others and after a removal from the room.

        `again`: check the store, as for a command.
        """
        state = self.state_now(debate_id) if again else self.state(debate_id)
        return admission.viewer(self.door, state, cookies, former=self._former(state), again=again)

    def may_look(self, debate_id: str, cookies: Mapping[str, str], looker: Looker, *, on_wall: bool = False) -> bool:
        """True if the browser with these cookies may look at this debate, or at its projector page (`on_wall`).

        The readers of a match are those of its tournament. UnknownDebate if there is none.
        """
        state = self.state(debate_id)
        if (match_of := state.spec.match_of) and not self.is_imported(debate_id):
            return self.may_look(match_of.debate, cookies, looker)
        is_wall = on_wall and self.is_wall(debate_id, cookies)
        return reading.may_look(
            state,
            looker,
            is_in=is_wall or self.viewer(debate_id, cookies) is not None,
            has_link=any(
                self.door.results_of(cookies.get(results_cookie_name(one), "")) == one
                for one in (debate_id, *self._former(state))
            ),
            imported=self.is_imported(debate_id),
        )

    def _former(self, state: State) -> tuple[str, ...]:
        """Debates that this one replaces: their people are in this one, too."""
        return former_debates(self._store, state.predecessor) if state.predecessor else ()

    def stands_for(self, debate_id: str) -> str:
        """The debate itself, or the one whose record replaces it."""
        while following := self._find_successor(debate_id):
            debate_id = following
        return debate_id

    def _find_successor(self, debate_id: str) -> str:
        # A match says nothing of it, and the former record may no longer be kept here: both have a note.
        with suppress(UnknownDebate):
            state = self.state(debate_id)
            if state.spec.match_of is None:
                return state.ownership.replaced_by or ""
        return origin.replaced_by(self._store, debate_id)

    def is_wall(self, debate_id: str, cookies: Mapping[str, str]) -> bool:
        """True for a projector that was opened for this debate."""
        return self.door.screen_of(cookies.get(screen_cookie_name(debate_id), "")) == debate_id
