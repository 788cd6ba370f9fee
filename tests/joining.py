"""Opens links to debates as the join page does, and makes the cookies that it sets."""

from debate_core.host.access.cookies import cookie_name
from debate_core.host.access.door import Door
from debate_core.host.access.invites import Invite
from debate_core.host.host import Host
from debate_core.spec.people import Person
from tests.people import FAY


def ready_invite(door: Door, token: str, *, address: str = "") -> Invite:
    """The invite of this link; NotAllowed if it is forged, used, expired or revoked."""
    invite = door.find(token, address=address)
    door.refuse_stale(invite)
    return invite


def cookie_for(host: Host, debate: str, who: Person) -> tuple[str, str]:
    """Name and value of the cookie of somebody who has opened a link of Fay to their place."""
    door = host.door_for(debate, by=FAY.id)
    invite = door.invitations.make(debate, who.role, name=who.name, person=who.id, electorate=who.electorate)
    return cookie_name(debate), door.cookies.of(invite, who.id)
