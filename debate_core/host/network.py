"""Where other machines reach this one."""

import socket
from ipaddress import IPv6Address, ip_address, ip_network


def lan_address() -> str:
    """This computer's address in its network, as far as it can tell; empty if it has none."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            # A datagram socket that is connected sends nothing: it only picks the way out. The address is nobody's.
            probe.connect(("192.0.2.1", 9))
            address = str(probe.getsockname()[0])
        except OSError:
            return ""
    return "" if address.startswith(("127.", "0.")) else address


def client_place(address: str) -> str:
    """The address that tries are counted for; of IPv6 the network, as one machine has millions of addresses in it."""
    try:
        parsed = ip_address(address)
    except ValueError:
        return address
    return str(ip_network((parsed, 64), strict=False)) if isinstance(parsed, IPv6Address) else address
