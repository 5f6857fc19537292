"""A probing gateway from a program. Made by `npm run generate`; do not edit."""

from __future__ import annotations

import io
import json
import uuid
from collections.abc import Iterator, Callable, Iterable, Mapping
from datetime import datetime
from time import monotonic, sleep
from types import TracebackType
from typing import TYPE_CHECKING, Any, Literal, Self, overload

import httpx

from . import answers, waiting
from .errors import EXPLANATION_BYTES_MAX, GatewayError, error_of_answer, error_of_transport
from .probes import Probe, probe_lines
from .streams import Events, Lines, ServerEvent, filled, filter_query, label_query, next_page, query_of, row_of

if TYPE_CHECKING:
    import pandas
    import pyarrow

View = Literal[
    "probes", "replies", "paths", "loss", "catchment", "traces", "pings", "multipaths", "heatmap", "series",
    "changes", "links", "nodes", "graph"
]

#: Views whose rows the gateway does not write as Parquet: they have the form of a tree.
_TREES = ("paths", "multipaths", "graph")
#: An event stream has a heartbeat every 15 s; after this long it counts as dead.
_SILENCE_S = 60.0
_ANSWER_S = 30.0
#: A submission is read, checked and stored before it is answered: the longest of them takes minutes.
_SUBMISSION_S = 1800.0


class Vantage:
    """Raises GatewayError.

    ``token``: an API token, the access token of a login, or a function that gives one; without it, what is public can be
    asked for. ``user_agent``: the name of your program for the gateway's operator.
    """

    def __init__(
        self,
        gateway: str,
        token: str | Callable[[], str] | None = None,
        *,
        user_agent: str = "vantage-sdk-python",
        http: httpx.Client | None = None,
    ) -> None:
        self.address = gateway.rstrip("/")
        self._token = token
        self._user_agent = user_agent
        self._http = httpx.Client() if http is None else http

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Closes its connections."""
        self._http.close()

    def call(
        self,
        method: str,
        path: str,
        *,
        names: Mapping[str, object] | None = None,
        query: Mapping[str, object] | None = None,
        body: object = None,
    ) -> Any:
        """Any route: ``call("GET", "/api/campaigns/{id}", names={"id": id})``; types are in ``answers``."""
        headers = None if body is None else {"content-type": "application/json"}
        return self._json(
            method,
            filled(path, names or {}),
            query=query_of(query or {}),
            headers=headers,
            content=None if body is None else json.dumps(body),
        )

    def limits(self) -> answers.Limits:
        """What is left of the day's quota, and what the gateway takes."""
        limits: answers.Limits = self._json("GET", "/api/limits")
        return limits

    def agents(self) -> list[answers.Agent]:
        """All agents, without a token too."""
        agents: list[answers.Agent] = self._json("GET", "/api/agents")
        return agents

    def measure(
        self,
        agents: str | Iterable[str],
        probes: str | Iterable[Probe],
        *,
        idempotency_key: str | None = None,
        name: str | None = None,
        tags: Iterable[str] = (),
        note: str | None = None,
        query: Mapping[str, object] | None = None,
    ) -> answers.Submitted:
        """Submits a measurement; agents by id, or chosen as ``3@tag:eu``.

        A request that breaks off is made again: under one ``idempotency_key`` the gateway takes the same probes once.
        """
        names = agents if isinstance(agents, str) else ",".join(agents)
        headers = {"content-type": "text/csv", "idempotency-key": idempotency_key or str(uuid.uuid4())}
        submitted: answers.Submitted = self._json(
            "POST",
            "/api/probes",
            query={**query_of(query or {}), **label_query(name, tags, note), "agents": names},
            headers=headers,
            content=probe_lines(probes),
            repeatable=True,
            read_s=_SUBMISSION_S,
        )
        return submitted

    def label(
        self, id: str, *, name: str | None = None, tags: Iterable[str] | None = None, note: str | None = None
    ) -> answers.Measurement:
        """Changes its name, tags or note: what is left out stays, an empty one is removed."""
        given = {"name": name, "tags": None if tags is None else list(tags), "note": note}
        labels = {key: value for key, value in given.items() if value is not None}
        labelled: answers.Measurement = self.call(
            "PATCH", "/api/measurements/{id}", names={"id": id}, body=labels
        )
        return labelled

    def status(self, id: str) -> answers.MeasurementStatus:
        """How far a measurement is."""
        status: answers.MeasurementStatus = self._json("GET", _path(id, "status"))
        return status

    def wait(
        self,
        id: str,
        *,
        until: Callable[[answers.MeasurementStatus], bool] | None = None,
        min_results: int | None = None,
        percent: float | None = None,
        timeout_s: float | None = None,
        on_status: Callable[[answers.MeasurementStatus], object] | None = None,
    ) -> waiting.Waited:
        """Until it has ended, or there is enough of it, or the time is over.

        ``percent``: replies for 100 probes that the agents send in all; a probe may have several.
        """
        enough = waiting.Enough(min_results, percent, until)
        over_at = None if timeout_s is None else monotonic() + timeout_s
        while True:
            status = self.status(id)
            if on_status is not None:
                on_status(status)
            left_s = None if over_at is None else over_at - monotonic()
            outcome = enough.outcome(status, left_s is not None and left_s <= 0)
            if outcome is not None:
                return waiting.Waited(outcome, status)
            sleep(waiting.POLL_S if left_s is None else min(waiting.POLL_S, max(0.0, left_s)))

    def measurements(self, **filter: object) -> Iterator[answers.Measurement]:
        """Your own, page by page as they are taken: ``status``, ``agent``, ``since``, ``until``, ``sort``, ``limit``."""
        query: dict[str, str] | None = query_of(filter)
        while query is not None:
            response = self._answer("GET", "/api/measurements", query=query)
            page: list[answers.Measurement] = row_of((self._whole(response)).decode())
            for measurement in page:
                yield measurement
            query = next_page(response.headers.get("link"))

    @overload
    def results(
        self, id: str, view: Literal["probes"], **filter: Any
    ) -> Iterator[answers.ProbeRow]: ...
    @overload
    def results(
        self, id: str, view: Literal["replies"], **filter: Any
    ) -> Iterator[answers.ReplyRow]: ...
    @overload
    def results(
        self, id: str, view: Literal["paths"], **filter: Any
    ) -> Iterator[answers.PathRow]: ...
    @overload
    def results(
        self, id: str, view: Literal["loss"], **filter: Any
    ) -> Iterator[answers.LossRow]: ...
    @overload
    def results(self, id: str, view: View, **filter: Any) -> Iterator[Any]: ...
    def results(self, id: str, view: View, **filter: Any) -> Iterator[Any]:
        """The rows of a view, one after another as they arrive; filters are those of ``download``."""
        lines = Lines()
        for piece in self.download(id, view, "ndjson", **filter):
            for line in lines.feed(piece):
                yield row_of(line)
        for line in lines.rest():
            yield row_of(line)

    def download(
        self,
        id: str,
        view: View,
        format: str,
        *,
        of: Literal["measurement", "campaign"] = "measurement",
        agent: str | None = None,
        destination: str | None = None,
        since: str | datetime | None = None,
        until: str | datetime | None = None,
        limit: int | None = None,
        with_: Iterable[str] | None = None,
    ) -> Iterator[bytes]:
        """The bytes of a view: ``csv``, ``parquet``, ``arrow``, ``warts`` and others; without a limit all rows.

        ``of``: what the id is of. A campaign has ``series``, ``heatmap``, ``changes``, ``links``, ``nodes`` and ``graph``.
        """
        query = filter_query(
            agent=agent, destination=destination, since=since, until=until, limit=limit, with_=with_
        )
        path = _path(id, view, f"{of}s")
        response = self._answer("GET", path, query={**query, "format": format})
        for piece in self._pieces(response):
            yield piece

    def to_arrow(self, id: str, view: View, **filter: Any) -> pyarrow.Table:
        """All rows of a view as a table of pyarrow, in memory: through Parquet, or through rows where there is none."""
        import pyarrow
        import pyarrow.parquet

        if view in _TREES:
            return pyarrow.Table.from_pylist([row for row in self.results(id, view, **filter)])
        file = io.BytesIO()
        for piece in self.download(id, view, "parquet", **filter):
            file.write(piece)
        return pyarrow.parquet.read_table(file)

    def to_pandas(self, id: str, view: View, **filter: Any) -> pandas.DataFrame:
        """All rows of a view as a frame of pandas, in memory."""
        return (self.to_arrow(id, view, **filter)).to_pandas()

    def events(self, id: str) -> Iterator[tuple[str, Any]]:
        """``progress`` and ``end`` with the status, ``reply`` with a row: from the first event to the end.

        A stream that breaks goes on behind the last event: nothing is lost, nothing comes twice.
        """
        events = Events()
        tries = 0
        while True:
            try:
                for name, data in self._stream(id, events):
                    tries = 0
                    yield name, row_of(data)
                    if name == "end":
                        return
            except GatewayError as error:
                tries += 1
                if events.last_id == "" or tries >= waiting.STREAM_TRIES_MAX or not waiting.may_resume(error):
                    raise
            sleep(waiting.STREAM_RETRY_S if events.retry_s is None else events.retry_s)

    def cancel(self, id: str, *, finished: bool = False) -> answers.Cancelled:
        """Stops what has not been sent. ``finished``: all that was wanted is known, so that it counts as complete."""
        cancelled: answers.Cancelled = self._json(
            "POST", _path(id, "cancel"), query={"reason": "finished"} if finished else {}, repeatable=True
        )
        return cancelled

    def _stream(self, id: str, events: Events) -> Iterator[ServerEvent]:
        headers = {"accept": "text/event-stream"}
        if events.last_id != "":
            headers["last-event-id"] = events.last_id
        response = self._answer("GET", _path(id, "events"), headers=headers, read_s=_SILENCE_S)
        events.restart()
        lines = Lines()
        for piece in self._pieces(response):
            for line in lines.feed(piece):
                event = events.feed(line)
                if event is not None:
                    yield event

    def _json(
        self,
        method: str,
        path: str,
        *,
        query: Mapping[str, str] | None = None,
        headers: Mapping[str, str] | None = None,
        content: str | None = None,
        repeatable: bool | None = None,
        read_s: float = _ANSWER_S,
    ) -> Any:
        response = self._answer(
            method,
            path,
            query=query,
            headers=headers,
            content=content,
            repeatable=repeatable,
            read_s=read_s,
        )
        return row_of((self._whole(response)).decode("utf-8", "replace"))

    def _answer(
        self,
        method: str,
        path: str,
        *,
        query: Mapping[str, str] | None = None,
        headers: Mapping[str, str] | None = None,
        content: str | None = None,
        repeatable: bool | None = None,
        read_s: float = _ANSWER_S,
    ) -> httpx.Response:
        """The head of a successful answer; what may be repeated is, where that can help."""
        attempt = 0
        while True:
            request = self._http.build_request(
                method,
                f"{self.address}{path}",
                params=dict(query or {}),
                headers={**self._headers(), **(headers or {})},
                timeout=httpx.Timeout(_ANSWER_S, read=read_s),
                content=content,
            )
            error = self._try(request)
            if isinstance(error, httpx.Response):
                return error
            may_repeat = method == "GET" if repeatable is None else repeatable
            delay_s = waiting.delay_before(error, attempt) if may_repeat else None
            if delay_s is None:
                raise error
            attempt += 1
            sleep(delay_s)

    def _try(self, request: httpx.Request) -> httpx.Response | GatewayError:
        try:
            response = self._http.send(request, stream=True, follow_redirects=False)
            if response.is_success:
                return response
            said = b""
            for piece in response.iter_bytes():
                said += piece
                if len(said) > EXPLANATION_BYTES_MAX:
                    break
            response.close()
            return error_of_answer(response, said[:EXPLANATION_BYTES_MAX], self.address)
        except httpx.HTTPError as error:
            return error_of_transport(error, self.address)

    def _pieces(self, response: httpx.Response) -> Iterator[bytes]:
        """An answer that is cut off raises: a partial one never passes as complete."""
        try:
            for piece in response.iter_bytes():
                yield piece
        except httpx.HTTPError as error:
            raise error_of_transport(error, self.address) from error
        finally:
            response.close()

    def _whole(self, response: httpx.Response) -> bytes:
        return b"".join([piece for piece in self._pieces(response)])

    def _headers(self) -> dict[str, str]:
        token = self._token() if callable(self._token) else self._token
        headers = {"accept": "application/json", "user-agent": self._user_agent}
        return headers if token is None else {**headers, "authorization": f"Bearer {token}"}


def _path(id: str, part: str, kind: str = "measurements") -> str:
    return filled("/api/{kind}/{id}/{part}", {"kind": kind, "id": id, "part": part})
