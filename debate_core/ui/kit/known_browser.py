"""Identification of a browser in a debate: by its cookie, or by the link of a debate that it opened.

Uses the host but no page, so it also works outside of a page.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from debate_core.engine import stage
from debate_core.host.access.cookies import cookie_name
from debate_core.host.host import Host
from debate_core.record.state import State
from debate_core.spec.people import Person


@dataclass(frozen=True, slots=True)
class KnownBrowser:
    """A browser; `opened_as` is its person in a debate that it opened, by the token `link`, until it has a cookie."""

    cookies: Mapping[str, str]
    opened_as: str = ""
    link: str = ""

    def may_be_in(self, names: Iterable[str]) -> bool:
        """Return whether the browser may belong to a person of a debate with these ids; `person` is certain."""
        return bool(self.opened_as) or any(cookie_name(name) in self.cookies for name in names)

    def person(self, host: Host, state: State, *, again: bool = False) -> Person | None:
        """Return the person of this browser; None for a stranger or after the link was withdrawn.

        With `again`, the store is read again, as a command requires.
        """
        person = host.viewer(state.debate, self.cookies, again=again)
        if person is not None:
            return person
        if self.link and host.door.person_by_link(self.link) != self.opened_as:
            return None
        return stage.person(state, self.opened_as)
