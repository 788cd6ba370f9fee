"""Opens links to debates as the join page does."""

from debate_core.host.access.door import Door
from debate_core.host.access.invites import Invite


def ready_invite(door: Door, token: str, *, address: str = "") -> Invite:
    """The invite of this link; NotAllowed if it is forged, used, expired or revoked."""
    invite = door.find(token, address=address)
    door.refuse_stale(invite)
    return invite
