"""The debates of one store as they are found, read and looked at: states, records, lists, and who may look.

Nothing here opens, changes or runs a debate. It knows no screen, and may be called from any thread.
"""

from collections.abc import Mapping

from debate_core.errors import UnknownDebate
from debate_core.host import origin
from debate_core.host.debate_list import DebateList, DebateRow, former_debates
from debate_core.host.door import admission, reading
from debate_core.host.door.cookies import cookie_name, results_cookie_name, screen_cookie_name
from debate_core.host.door.door import Door
from debate_core.host.door.reading import OPERATOR, Looker, finds
from debate_core.host.mirror import Mirror, Mirrors
from debate_core.host.stores import Store
from debate_core.record.events import Event
from debate_core.record.state import State
from debate_core.spec.people import Person


class DebateReader:
    """What can be read of the debates of one store, and who may do so."""

    def __init__(self, store: Store, mirrors: Mirrors, door: Door) -> None:
        self._store = store
        self._mirrors = mirrors
        self._list = DebateList(store, mirrors)
        self._origins = origin.Origins(store)
        self.door = door

    # Debates.

    def state(self, debate_id: str) -> State:
        """The state now. UnknownDebate if there is none."""
        return self.mirror(debate_id).state

    def state_now(self, debate_id: str) -> State:
        """The same by what the store holds at this moment, whichever process wrote it."""
        mirror = self.mirror(debate_id)
        mirror.look()
        return mirror.state

    def events(self, debate_id: str) -> tuple[Event, ...]:
        """The record so far."""
        return self.mirror(debate_id).events()

    def mirror(self, debate_id: str) -> Mirror:
        """The debate as it stands in memory: state, events and live texts; looks at most twice a second for news."""
        return self._mirrors.of(debate_id)

    def debates(self) -> tuple[DebateRow, ...]:
        """Every debate, latest opened first, but none of practice; what cannot be read is left out and logged."""
        # A practice debate from a file is one: whoever brought it wants to see it.
        rows = (row for row in self._list.rows() if not row.practice or row.for_hosts)
        return tuple(row for row in rows if not row.ownership.replaced_by)

    def practice_rows(self, looker: Looker = OPERATOR) -> tuple[DebateRow, ...]:
        """The debates with which people practise judging, latest opened first; none of unknown origin.

        Those of somebody who is logged in are for them alone.
        """
        rows = (row for row in self._list.rows() if row.practice and not row.origin_unknown)
        return tuple(row for row in rows if finds(row.ownership, looker, for_hosts=True))

    def debates_for(self, cookies: Mapping[str, str], looker: Looker) -> tuple[DebateRow, ...]:
        """Those that whoever brings these cookies finds in a list: what they may look at, links to results aside."""
        return tuple(
            row
            for row in self.debates()
            if finds(row.ownership, looker, for_hosts=row.for_hosts) or self.takes_part(row, cookies)
        )

    def takes_part(self, row: DebateRow, cookies: Mapping[str, str]) -> bool:
        """True if whoever brings these cookies is a person of this debate."""
        has_cookie = any(cookie_name(debate_id) in cookies for debate_id in (row.id, *row.former))
        return has_cookie and self.viewer(row.id, cookies) is not None

    # Where a record comes from.

    def is_imported(self, debate_id: str) -> bool:
        """True for a record that came from a file: its people have no links here."""
        return self._origins.is_imported(debate_id)

    def is_origin_unknown(self, debate_id: str) -> bool:
        """True for a record that came from a file and of which nobody has checked a signature."""
        return self.is_imported(debate_id) and not self.vouched_by(debate_id)

    def vouched_by(self, debate_id: str) -> str:
        """The key with which the signatures of a record from a file were checked; empty if nobody did."""
        return origin.vouched_by(self._store, debate_id)

    # Who may look.

    def viewer(self, debate_id: str, cookies: Mapping[str, str], *, again: bool = False) -> Person | None:
        """The person whose browser brings these cookies; None for everybody else, and after they were shown out.

        `again`: by what the store holds at this moment, as for a command.
        """
        state = self.state_now(debate_id) if again else self.state(debate_id)
        return admission.viewer(self.door, state, cookies, former=self._former(state), again=again)

    def may_look(self, debate_id: str, cookies: Mapping[str, str], looker: Looker, *, on_wall: bool = False) -> bool:
        """True if whoever brings these cookies may look at this debate, or at what the wall shows of it.

        UnknownDebate if there is none.
        """
        state = self.state(debate_id)
        is_wall = on_wall and self.is_wall(debate_id, cookies)
        return reading.may_look(
            state,
            looker,
            is_in=is_wall or self.viewer(debate_id, cookies) is not None,
            has_link=any(self._has_link(one, cookies) for one in (debate_id, *self._former(state))),
            imported=self.is_imported(debate_id),
        )

    def _has_link(self, debate_id: str, cookies: Mapping[str, str]) -> bool:
        return self.door.results_of(cookies.get(results_cookie_name(debate_id), "")) == debate_id

    def _former(self, state: State) -> tuple[str, ...]:
        """Debates in whose place this one stands: who was let in there is in here."""
        return former_debates(self._store, state.predecessor) if state.predecessor else ()

    def stands_for(self, debate_id: str) -> str:
        """The debate itself; of one that another record stands for, that one."""
        while following := self._replaced_by(debate_id):
            debate_id = following
        return debate_id

    def _replaced_by(self, debate_id: str) -> str:
        try:
            return self.state(debate_id).ownership.replaced_by
        except UnknownDebate:
            # The former record may not be kept here any more.
            return origin.replaced_by(self._store, debate_id)

    def is_wall(self, debate_id: str, cookies: Mapping[str, str]) -> bool:
        """True for the projector that was opened for this debate."""
        return self.door.screen_of(cookies.get(screen_cookie_name(debate_id), "")) == debate_id
