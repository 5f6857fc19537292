"""What a user calls a target: an address or a name."""

from __future__ import annotations

import random
import socket
from collections.abc import Iterable
from ipaddress import ip_address, ip_network

from ._errors import VantageError

#: Flows of one measurement have source ports of their own, so that equal measurements get their own replies.
_PORTS = (24_000, 60_000)


def free_src_port(flows: int) -> int:
    """The first of so many source ports, drawn at random."""
    return random.randrange(_PORTS[0], _PORTS[1] - flows)


def listed(given: str | Iterable[str]) -> list[str]:
    """One or several."""
    return [given] if isinstance(given, str) else list(given)


def addresses_of(targets: str | Iterable[str]) -> list[str]:
    """An address for each; names are resolved on this machine. Raises VantageError."""
    names = listed(targets)
    if not names:
        raise VantageError("No targets given: pass addresses or names")
    return [_address_of(name) for name in names]


def _address_of(name: str) -> str:
    try:
        return str(ip_address(name))
    except ValueError:
        pass
    if "/" in name:
        what = "a prefix" if _is_prefix(name) else "a URL or a path"
        raise VantageError(f'Cannot probe "{name}", which is {what}: give an address or a name')
    try:
        found = socket.getaddrinfo(name, None, type=socket.SOCK_DGRAM)
    except (OSError, UnicodeError) as error:
        raise VantageError(f'Cannot resolve "{name}": {error}') from error
    return str(found[0][4][0])


def _is_prefix(name: str) -> bool:
    try:
        ip_network(name, strict=False)
    except ValueError:
        return False
    return True
