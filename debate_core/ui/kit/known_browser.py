"""What a browser brought along by which its person is known in a debate: a cookie, or the link of a debate it opened.

Asks the host and no page, so that it can be asked again beside any page.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from debate_core.engine import stage
from debate_core.host.host import Host
from debate_core.record.state import State
from debate_core.spec.people import Person


@dataclass(frozen=True, slots=True)
class KnownBrowser:
    """`opened_as`: who it is in a debate that it opened itself, by the token of a `link`, until it has a cookie."""

    cookies: Mapping[str, str]
    opened_as: str = ""
    link: str = ""

    def person(self, host: Host, state: State, *, again: bool = False) -> Person | None:
        """The person of the debate at this browser; None for a stranger, and once their link was taken back.

        `again`: by what the store holds at this moment, as for a command.
        """
        person = host.viewer(state.debate, self.cookies, again=again)
        if person is not None:
            return person
        if self.link and host.door.person_by_link(self.link) != self.opened_as:
            return None
        return stage.person(state, self.opened_as)
