"""Probes to measure with: those of a trace, of a ping, or any, and the lines that the gateway takes."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, NamedTuple, TypedDict

Protocol = Literal["udp", "tcp", "icmp", "icmpv6"]

#: Those of existing programs, so that firewalls treat these probes alike.
_SRC_PORT = 24_000
_DST_PORT = 33_434


class Shape(TypedDict, total=False):
    """What probes look like: ``size`` in bytes, ``dscp`` by number or name, ``flow_label`` of IPv6."""

    size: int
    df: bool
    dscp: int | str
    ecn: Literal["not-ect", "ect0", "ect1", "ce"]
    flow_label: int
    dns: Literal["hostname.bind", "id.server", "nsid"]


class Probe(NamedTuple):
    """A packet to send. The source port names the flow; ICMP and ICMPv6 do not send the destination port."""

    destination: str
    src_port: int
    dst_port: int
    ttl: int
    protocol: Protocol


def trace_probes(
    destinations: str | Iterable[str],
    *,
    protocol: Protocol = "udp",
    first_ttl: int = 1,
    last_ttl: int = 32,
    flows: int = 1,
    src_port: int = _SRC_PORT,
    dst_port: int = _DST_PORT,
) -> list[Probe]:
    """All TTLs of all flows to each destination, nearer ones first."""
    names = _listed(destinations)
    return [
        Probe(name, src_port + flow, dst_port, ttl, _fitting(protocol, name))
        for ttl in range(first_ttl, last_ttl + 1)
        for flow in range(flows)
        for name in names
    ]


def ping_probes(
    destinations: str | Iterable[str],
    *,
    protocol: Protocol = "udp",
    count: int = 4,
    ttl: int = 64,
    src_port: int = _SRC_PORT,
    dst_port: int = _DST_PORT,
) -> list[Probe]:
    """The same flow each time.

    TCP takes another source port, as an open port answers the SYN of a connection once.
    """
    names = _listed(destinations)
    return [
        Probe(name, src_port + (k if protocol == "tcp" else 0), dst_port, ttl, _fitting(protocol, name))
        for k in range(count)
        for name in names
    ]


def probe_lines(probes: str | Iterable[Probe]) -> str:
    """A line for each: ``192.0.2.1,24000,33434,7,udp``."""
    if isinstance(probes, str):
        return probes
    return "".join(f"{p.destination},{p.src_port},{p.dst_port},{p.ttl},{p.protocol}\n" for p in probes)


def _listed(destinations: str | Iterable[str]) -> list[str]:
    return [destinations] if isinstance(destinations, str) else list(destinations)


def _fitting(protocol: Protocol, destination: str) -> Protocol:
    return "icmpv6" if protocol == "icmp" and ":" in destination else protocol
