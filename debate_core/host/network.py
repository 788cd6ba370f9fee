"""Finds the address of this machine in its network, and the key for counting a client's tries."""

import socket
from ipaddress import IPv6Address, ip_address, ip_network


def lan_address() -> str:
    """This computer's address in its network, as far as it can tell; empty if it has none."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            # Connecting a datagram socket sends nothing: it only selects the route. The address is reserved for
            # documentation.
            probe.connect(("192.0.2.1", 9))
            address = str(probe.getsockname()[0])
        except OSError:
            return ""
    return "" if address.startswith(("127.", "0.")) else address


def client_place(address: str) -> str:
    """The address for counting tries; for IPv6 the /64 network, because one machine has many addresses in it."""
    try:
        parsed = ip_address(address)
    except ValueError:
        return address
    return str(ip_network((parsed, 64), strict=False)) if isinstance(parsed, IPv6Address) else address
