"""Finds the addresses of a host that messages may go to, and refuses those inside the network.

The caller connects to a returned address, not to the name, so that a second answer of the name server changes nothing.
"""

import asyncio
import socket
from collections.abc import Collection
from contextlib import suppress
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network

MAX_ADDRESSES = 3
_NAT64 = ip_network("64:ff9b::/96")
"""IPv6 addresses that a gateway translates to the IPv4 address in their last 32 bits (RFC 6052)."""


class InsideNetwork(Exception):
    """This host has an address inside the network, and the settings do not allow it."""

    def __init__(self, host: str) -> None:
        self.host = host
        super().__init__(host)


async def outside_addresses(host: str, port: int, *, allowed: Collection[str]) -> tuple[str, ...]:
    """Addresses of a host, at least one. InsideNetwork if one is inside the network and `allowed` lacks the host.

    OSError if the name has no address.
    """
    found = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
    addresses = tuple(dict.fromkeys(str(where[0]) for *_rest, where in found))
    if host.lower() not in allowed and not all(map(is_outside, addresses)):
        raise InsideNetwork(host)
    return addresses[:MAX_ADDRESSES]


def refuse_inside_address(host: str, *, allowed: Collection[str]) -> None:
    """Raise InsideNetwork for an address inside the network in figures, in any spelling (`127.1`, `0x7f000001`).

    Names pass.
    """
    address = host
    with suppress(OSError):
        address = socket.inet_ntoa(socket.inet_aton(host))
    with suppress(ValueError):
        ip_address(address)
        if host.lower() not in allowed and not is_outside(address):
            raise InsideNetwork(host)


def is_outside(address: str) -> bool:
    """True for an address of the public internet, also if it is written as, or translated to, another kind."""
    try:
        parsed = ip_address(address.partition("%")[0])
    except ValueError:
        return False
    within = _embedded(parsed) if isinstance(parsed, IPv6Address) else None
    if within is not None:
        return is_outside(str(within))
    return parsed.is_global and not parsed.is_multicast and not parsed.is_reserved


def _embedded(address: IPv6Address) -> IPv4Address | None:
    """The IPv4 address that packets to this one reach: mapped, compatible, 6to4, Teredo or NAT64."""
    if address in _NAT64 or (int(address) >> 32 == 0 and int(address) > 1):
        return IPv4Address(int(address) & 0xFFFF_FFFF)
    teredo = address.teredo
    return address.ipv4_mapped or address.sixtofour or (teredo[1] if teredo else None)
