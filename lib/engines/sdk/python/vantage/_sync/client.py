"""A probing gateway from a program. Made by `npm run generate`; do not edit."""

from __future__ import annotations

import time
import contextlib
import json
import uuid
import warnings
from collections.abc import Iterator, Callable, Iterable, Mapping
from datetime import datetime
from time import monotonic
from types import TracebackType
from typing import Any, Literal, Self, cast

import httpx

from .. import _waiting as waiting
from .. import types
from .._errors import GatewayError, PartialResult, VantageError, engine_reason
from .._login import Token, place_of
from .._probes import Probe, Protocol, Shape, ping_probes, probe_lines, trace_probes
from .._progress import Progress, ProgressLine
from .._streams import (
    Events,
    Lines,
    ServerEvent,
    filled,
    filter_query,
    label_query,
    next_page,
    query_of,
    row_of,
    sql_query,
)
from .._targets import addresses_of, free_src_port, listed
from .campaign import Campaign
from .rows import Rows
from .transport import Transport

View = Literal[
    "probes", "replies", "paths", "loss", "catchment", "sites", "mtu", "traces", "pings", "multipaths",
    "heatmap", "series", "trend", "changes", "links", "nodes", "graph"
]
Kind = Literal["measurement", "campaign"]

#: Views whose rows the gateway does not write as Parquet: they have the form of a tree.
_TREES = ("paths", "multipaths", "graph")
#: An event stream has a heartbeat every 15 s; after this long it counts as dead.
_SILENCE_S = 60.0
#: A submission is read, checked and stored before it is answered: the longest of them takes minutes.
_SUBMISSION_S = 1800.0
#: The gateway ends queries after 120 s.
_QUERY_S = 150.0


class Client:
    """A gateway, for one user.

    >>> with vantage.Client() as v:
    ...     paths = v.trace("example.org", from_=["west"])
    ...     for path in paths:
    ...         print(path["agent"], path["reached"])

    ``gateway`` and ``token`` come from here, else from ``VANTAGE_GATEWAY`` and ``VANTAGE_TOKEN``, else from the
    command line's login (``vantage login``), which is renewed as needed; ``profile`` chooses one of several logins.
    ``token`` may be a function that returns one; without any, only what is public can be read.
    ``progress=True`` prints the progress of what is waited for, a function gets each status.
    ``user_agent``: the name of your program for the gateway's operator.

    Raises GatewayError with the gateway's sentence: NotAuthorized for a refused token, QuotaExceeded for a used up
    quota; LoginError where no gateway or login is known.
    """

    def __init__(
        self,
        gateway: str | None = None,
        token: Token = None,
        *,
        profile: str | None = None,
        progress: Progress = None,
        user_agent: str = "vantage-sdk-python",
        http: httpx.Client | None = None,
    ) -> None:
        address, source = place_of(gateway, token, profile)
        self.address = address
        self._progress = progress
        self._transport = Transport(address, source, user_agent, httpx.Client() if http is None else http)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Closes its connections."""
        self._transport.close()

    def trace(
        self,
        targets: str | Iterable[str],
        from_: str | Iterable[str],
        *,
        protocol: Protocol = "udp",
        first_ttl: int = 1,
        last_ttl: int = 32,
        flows: int = 1,
        src_port: int | None = None,
        dst_port: int = 33_434,
        timeout_s: float | None = 600,
        progress: Progress = None,
        name: str | None = None,
        tags: Iterable[str] = (),
        note: str | None = None,
        shape: Shape | None = None,
    ) -> Rows[types.PathRow]:
        """Traces targets from agents, waits, and returns the paths, one for each agent and target.

        >>> paths = v.trace(["192.0.2.1", "example.org"], from_=["west", "2@tag:eu"], flows=8)

        Sends one probe for each TTL, flow, target and agent; ``shape={"size": 1400, "df": True, "dscp": "EF"}`` says
        what they look like (docs/measure/shape.md). Names are resolved on this machine. What is missing
        after ``timeout_s``, or was not sent, is in ``paths.missing``, and warned about (PartialResult). An interrupt
        (Ctrl-C) cancels the measurement.
        """
        addresses = addresses_of(targets)
        probes = trace_probes(
            addresses,
            protocol=protocol,
            first_ttl=first_ttl,
            last_ttl=last_ttl,
            flows=flows,
            src_port=free_src_port(flows) if src_port is None else src_port,
            dst_port=dst_port,
        )
        submitted = self.measure(from_, probes, name=name, tags=tags, note=note, shape=shape)
        return self._results_of(submitted, "paths", timeout_s, progress)

    def ping(
        self,
        targets: str | Iterable[str],
        from_: str | Iterable[str],
        *,
        protocol: Protocol = "icmp",
        count: int = 4,
        ttl: int = 64,
        src_port: int | None = None,
        dst_port: int = 33_434,
        timeout_s: float | None = 600,
        progress: Progress = None,
        name: str | None = None,
        tags: Iterable[str] = (),
        note: str | None = None,
        shape: Shape | None = None,
    ) -> Rows[types.PingRow]:
        """Pings targets from agents, a packet a second, waits, and returns a row for each agent and target.

        >>> for ping in v.ping("example.org", from_="west", count=10):
        ...     print(ping["sent"], ping["answered"], [reply["rtt_ms"] for reply in ping["replies"]])

        Otherwise as ``trace``.
        """
        addresses = addresses_of(targets)
        probes = ping_probes(
            addresses,
            protocol=protocol,
            count=count,
            ttl=ttl,
            src_port=free_src_port(count) if src_port is None else src_port,
            dst_port=dst_port,
        )
        paced = {"interval_ms": 1000, "round": len(addresses)}
        submitted = self.measure(from_, probes, name=name, tags=tags, note=note, shape=shape, query=paced)
        return self._results_of(submitted, "pings", timeout_s, progress)

    def campaign(
        self,
        name: str,
        from_: str | Iterable[str] | None = None,
        *,
        targets: str | Iterable[str] | None = None,
        every: str | None = None,
        max_runs: int | None = None,
        **more: Any,
    ) -> Campaign:
        """Creates a recurring campaign; with its name or id alone, finds one of yours.

        >>> watch = v.campaign("path watch", ["west"], targets="192.0.2.1", every="15m", max_runs=96)
        >>> watch = v.campaign("path watch")

        ``more`` are further fields of a campaign's file, as ``flows=8`` or ``stop="2027-01-01T00:00:00Z"``.
        """
        if from_ is None:
            return Campaign(self, self._campaign_id(name))
        order = {"targets": None if targets is None else listed(targets), "every": every, "max_runs": max_runs, **more}
        body = {key: value for key, value in order.items() if value is not None}
        made: types.CampaignMade = self.call(
            "POST", "/api/campaigns", body={"name": name, "agents": listed(from_), **body}
        )
        return Campaign(self, made["campaign"]["id"], made["estimate"])

    def replies(self, id: str, **filter: Any) -> Rows[types.ReplyRow]:
        """Each reply of a measurement; filters are those of ``download``."""
        return self._rows(id, "replies", **filter)

    def paths(self, id: str, **filter: Any) -> Rows[types.PathRow]:
        """The path of each agent to each destination, hop by hop."""
        return self._rows(id, "paths", **filter)

    def pings(self, id: str, **filter: Any) -> Rows[types.PingRow]:
        """The ping of each agent to each destination, with its replies."""
        return self._rows(id, "pings", **filter)

    def loss(self, id: str, **filter: Any) -> Rows[types.LossRow]:
        """Probes and replies by agent and destination."""
        return self._rows(id, "loss", **filter)

    def catchment(self, id: str, **filter: Any) -> Rows[types.CatchmentRow]:
        """Which site of an anycast prefix received the replies."""
        return self._rows(id, "catchment", **filter)

    def sites(self, id: str, **filter: Any) -> Rows[types.SiteRow]:
        """Which sites of a name server each agent reached."""
        return self._rows(id, "sites", **filter)

    def mtu(self, id: str, **filter: Any) -> Rows[types.MtuRow]:
        """How large packets may be to reach each hop, and who limits them."""
        return self._rows(id, "mtu", **filter)

    def links(self, id: str, **filter: Any) -> Rows[types.LinkRow]:
        """Links between routers; ``against=ID`` adds ``state``: ``appeared``, ``gone`` or ``both``."""
        return self._rows(id, "links", **filter)

    def rows(self, id: str, view: View, *, of: Kind = "measurement", **filter: Any) -> Rows[Any]:
        """Any view: ``v.rows(id, "nodes")``, ``v.rows(campaign_id, "series", of="campaign")``."""
        return self._rows(id, view, of=of, **filter)

    def sql(self, statement: str, **parameters: object) -> Rows[dict[str, Any]]:
        """Rows of a query in ClickHouse's SQL, as dictionaries; needs a token with ``sql:read``.

        >>> table = v.sql("SELECT agent_id, count() AS replies FROM replies GROUP BY 1").to_arrow()
        >>> rows = v.sql("SELECT * FROM replies WHERE probe_ttl = {ttl:UInt8}", ttl=5)

        Leave FORMAT out of the statement.
        """
        parts = sql_query(parameters)
        shown = " ".join(statement.split())
        return Rows(
            f"SQL {shown[:60]}{'…' if len(shown) > 60 else ''}",
            lambda: self._sql_rows(statement, parts),
            lambda: self._sql_bytes(statement, {**parts, "default_format": "Parquet"}),
        )

    def agents(self) -> list[types.Agent]:
        """All agents, without a token too."""
        agents: list[types.Agent] = self._transport.json("GET", "/api/agents")
        return agents

    def limits(self) -> types.Limits:
        """What is left of the day's quota, and what the gateway accepts."""
        limits: types.Limits = self._transport.json("GET", "/api/limits")
        return limits

    def measure(
        self,
        from_: str | Iterable[str],
        probes: str | Iterable[Probe],
        *,
        idempotency_key: str | None = None,
        name: str | None = None,
        tags: Iterable[str] = (),
        note: str | None = None,
        shape: Shape | None = None,
        query: Mapping[str, object] | None = None,
    ) -> types.Submitted:
        """Submits any probes, and does not wait; agents by id, or chosen as ``3@tag:eu``.

        A request that breaks off is repeated: under one ``idempotency_key`` the gateway accepts the same probes once.
        """
        headers = {"content-type": "text/csv", "idempotency-key": idempotency_key or str(uuid.uuid4())}
        submitted: types.Submitted = self._transport.json(
            "POST",
            "/api/probes",
            query={
                **query_of({**(query or {}), **(shape or {})}),
                **label_query(name, tags, note),
                "agents": ",".join(listed(from_)),
            },
            headers=headers,
            content=probe_lines(probes),
            repeatable=True,
            read_s=_SUBMISSION_S,
        )
        return submitted

    def measurements(self, **filter: object) -> Iterator[types.Measurement]:
        """Your own, page by page as they are read: ``status``, ``agent``, ``since``, ``until``, ``sort``, ``limit``."""
        query: dict[str, str] | None = query_of(filter)
        while query is not None:
            response = self._transport.answer("GET", "/api/measurements", query=query)
            page: list[types.Measurement] = row_of((self._transport.whole(response)).decode())
            for measurement in page:
                yield measurement
            query = next_page(response.headers.get("link"))

    def label(
        self, id: str, *, name: str | None = None, tags: Iterable[str] | None = None, note: str | None = None
    ) -> types.Measurement:
        """Changes its name, tags or note: what is left out stays, an empty one is removed."""
        given = {"name": name, "tags": None if tags is None else list(tags), "note": note}
        labels = {key: value for key, value in given.items() if value is not None}
        labelled: types.Measurement = self.call(
            "PATCH", "/api/measurements/{id}", names={"id": id}, body=labels
        )
        return labelled

    def status(self, id: str) -> types.MeasurementStatus:
        """A measurement's progress."""
        status: types.MeasurementStatus = self._transport.json("GET", _path(id, "status"))
        return status

    def wait(
        self,
        id: str,
        *,
        until: Callable[[types.MeasurementStatus], bool] | None = None,
        min_results: int | None = None,
        percent: float | None = None,
        timeout_s: float | None = None,
        progress: Progress = None,
    ) -> waiting.Waited:
        """Until it has ended, or there is enough of it, or the time is over: ``outcome`` and ``status``.

        ``percent``: replies for 100 probes that the agents send in all; a probe may have several.
        """
        enough = waiting.Enough(min_results, percent, until)
        over_at = None if timeout_s is None else monotonic() + timeout_s
        report, end = self._reporter(progress)
        while True:
            status = self.status(id)
            report(status)
            left_s = None if over_at is None else over_at - monotonic()
            outcome = enough.outcome(status, left_s is not None and left_s <= 0)
            if outcome is not None:
                end(status)
                return waiting.Waited(outcome, status)
            time.sleep(waiting.POLL_S if left_s is None else min(waiting.POLL_S, max(0.0, left_s)))

    def events(self, id: str, *, timeout_s: float | None = None) -> Iterator[tuple[str, Any]]:
        """``progress`` and ``end`` with the status, ``reply`` with a row: from the first event to the end.

        A stream that breaks continues after the last event: nothing is lost, nothing comes twice. After ``timeout_s``
        it raises GatewayError with the code ``timeout``.
        """
        events = Events()
        tries = 0
        over_at = None if timeout_s is None else monotonic() + timeout_s
        while True:
            try:
                for name, data in self._stream(id, events, over_at):
                    tries = 0
                    yield name, row_of(data)
                    if name == "end":
                        return
            except GatewayError as error:
                tries += 1
                is_over = over_at is not None and monotonic() >= over_at
                is_lost = events.last_id == "" or tries >= waiting.STREAM_TRIES_MAX
                if is_over or is_lost or not waiting.may_resume(error):
                    raise
            time.sleep(waiting.STREAM_RETRY_S if events.retry_s is None else events.retry_s)

    def download(
        self,
        id: str,
        view: View,
        format: str,
        *,
        of: Kind = "measurement",
        agent: str | None = None,
        destination: str | None = None,
        since: str | datetime | None = None,
        until: str | datetime | None = None,
        limit: int | None = None,
        with_: Iterable[str] | None = None,
        against: str | None = None,
    ) -> Iterator[bytes]:
        """The bytes of a view: ``csv``, ``parquet``, ``arrow``, ``warts`` and others; without a limit all rows.

        ``of``: what the id is of. A campaign has ``series``, ``trend``, ``heatmap``, ``changes``, ``links``,
        ``nodes`` and ``graph``. ``with_``: context of addresses, as ``["asn", "geo"]``.
        """
        query = filter_query(
            agent=agent,
            destination=destination,
            since=since,
            until=until,
            limit=limit,
            with_=with_,
            against=against,
        )
        path = _path(id, view, f"{of}s")
        response = self._transport.answer("GET", path, query={**query, "format": format})
        for piece in self._transport.pieces(response):
            yield piece

    def cancel(self, id: str, *, finished: bool = False) -> types.Cancelled:
        """Stops what has not been sent. ``finished``: the result suffices, so that the measurement is complete."""
        cancelled: types.Cancelled = self._transport.json(
            "POST", _path(id, "cancel"), query={"reason": "finished"} if finished else {}, repeatable=True
        )
        return cancelled

    def call(
        self,
        method: str,
        path: str,
        *,
        names: Mapping[str, object] | None = None,
        query: Mapping[str, object] | None = None,
        body: object = None,
    ) -> Any:
        """Any route: ``call("GET", "/api/campaigns/{id}", names={"id": id})``; types are in ``vantage.types``."""
        headers = None if body is None else {"content-type": "application/json"}
        return self._transport.json(
            method,
            filled(path, names or {}),
            query=query_of(query or {}),
            headers=headers,
            content=None if body is None else json.dumps(body),
        )

    def _results_of(
        self, submitted: types.Submitted, view: View, timeout_s: float | None, progress: Progress
    ) -> Rows[Any]:
        """Waits until no more replies can arrive, as only the event stream shows."""
        id = submitted["id"]
        report, end = self._reporter(progress)
        status: types.MeasurementStatus | None = None
        is_over = False
        try:
            for name, data in self.events(id, timeout_s=timeout_s):
                if name != "reply":
                    status = cast("types.MeasurementStatus", data)
                    report(status)
        except GatewayError as error:
            if error.code != "timeout":
                raise
            is_over = True
            status = self.status(id)
        except BaseException:
            with contextlib.suppress(GatewayError):
                self.cancel(id)
            raise
        if status is None:
            status = self.status(id)
        end(status)
        missing = waiting.missing_parts(submitted, status, is_over=is_over)
        if missing:
            warnings.warn(f"Measurement {id} is partial: {'; '.join(missing)}", PartialResult, stacklevel=3)
        return self._rows(id, view, status=status, missing=missing)

    def _rows(
        self,
        id: str,
        view: View,
        *,
        of: Kind = "measurement",
        status: types.MeasurementStatus | None = None,
        missing: Iterable[str] = (),
        **filter: Any,
    ) -> Rows[Any]:
        return Rows(
            f"{view} of {of} {id}",
            lambda: self._view_rows(id, view, of=of, **filter),
            None if view in _TREES else lambda: self.download(id, view, "parquet", of=of, **filter),
            measurement_id=id if of == "measurement" else None,
            status=status,
            missing=missing,
        )

    def _view_rows(self, id: str, view: View, **filter: Any) -> Iterator[Any]:
        lines = Lines()
        for piece in self.download(id, view, "ndjson", **filter):
            for line in lines.feed(piece):
                yield row_of(line)
        for line in lines.rest():
            yield row_of(line)

    def _sql_rows(self, statement: str, query: Mapping[str, str]) -> Iterator[dict[str, Any]]:
        lines = Lines()
        # Python has integers of any size: those of 64 bits need no quotes.
        form = {"default_format": "JSONEachRow", "output_format_json_quote_64bit_integers": "0"}
        for piece in self._sql_bytes(statement, {**query, **form}):
            for line in lines.feed(piece):
                yield _sql_row(line)
        for line in lines.rest():
            yield _sql_row(line)

    def _sql_bytes(self, statement: str, query: Mapping[str, str]) -> Iterator[bytes]:
        response = self._transport.answer(
            "POST", "/api/sql", query=query, content=statement, repeatable=True, read_s=_QUERY_S
        )
        if "vantage-measurements-left-out" in response.headers:
            text = "You may read more measurements than one query can; the oldest are left out"
            warnings.warn(text, PartialResult, stacklevel=4)
        for piece in self._transport.pieces(response):
            yield piece

    def _stream(self, id: str, events: Events, over_at: float | None) -> Iterator[ServerEvent]:
        headers = {"accept": "text/event-stream"}
        if events.last_id != "":
            headers["last-event-id"] = events.last_id
        left_s = _SILENCE_S if over_at is None else over_at - monotonic()
        response = self._transport.answer(
            "GET", _path(id, "events"), headers=headers, read_s=min(_SILENCE_S, max(0.1, left_s))
        )
        events.restart()
        lines = Lines()
        for piece in self._transport.pieces(response):
            for line in lines.feed(piece):
                event = events.feed(line)
                if event is not None:
                    yield event
            if over_at is not None and monotonic() >= over_at:
                raise GatewayError("The measurement did not end in time", "timeout")

    def _campaign_id(self, name: str) -> str:
        found: list[types.Campaign] = self.call("GET", "/api/campaigns", query={"limit": 1000})
        meant = [one for one in found if name in (one["name"], one["id"])]
        active = [one for one in meant if one["phase"] != "ended"]
        if not meant:
            raise VantageError(f'You have no campaign "{name}": to create one, name agents with from_')
        return (active or meant)[0]["id"]

    def _reporter(
        self, progress: Progress
    ) -> tuple[Callable[[types.MeasurementStatus], object], Callable[[types.MeasurementStatus], object]]:
        """What gets each status, and what gets the last one."""
        chosen = self._progress if progress is None else progress
        if chosen is True:
            line = ProgressLine()
            return line, line.end
        return (chosen, _ignore) if callable(chosen) else (_ignore, _ignore)


def _ignore(status: types.MeasurementStatus) -> None:
    pass


def _sql_row(line: str) -> dict[str, Any]:
    """A query that fails after its first rows ends with the engine's text."""
    if not line.startswith("{"):
        reason = engine_reason(line)
        raise GatewayError(reason or "The result is not rows of JSON: leave FORMAT out of the statement", "badAnswer")
    return cast("dict[str, Any]", row_of(line))


def _path(id: str, part: str, kind: str = "measurements") -> str:
    return filled("/api/{kind}/{id}/{part}", {"kind": kind, "id": id, "part": part})
