"""Bytes of a response to rows and to server-sent events, and the parts of a request."""

from __future__ import annotations

import codecs
import json
import re
from collections.abc import Iterable, Mapping
from datetime import datetime, timezone
from typing import Any, NamedTuple
from urllib.parse import parse_qsl, quote, urlsplit

from ._errors import GatewayError

#: A line has a path or a trace with all its replies: a million of them at most.
_LINE_CHARS_MAX = 256 * 1024 * 1024
#: The most rows that can be asked for.
_ROWS_MAX = 2**53 - 1


class Lines:
    """Whole lines out of pieces that are cut anywhere."""

    def __init__(self) -> None:
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._rest = ""

    def feed(self, piece: bytes) -> list[str]:
        """The lines that end in this piece, without their ends."""
        lines = (self._rest + self._decoder.decode(piece)).split("\n")
        self._rest = lines.pop()
        if len(self._rest) > _LINE_CHARS_MAX:
            raise GatewayError(f"A row has more than {_LINE_CHARS_MAX} characters", "badAnswer")
        return [line.removesuffix("\r") for line in lines]

    def rest(self) -> list[str]:
        """What stands behind the last end of a line."""
        return [self._rest] if self._rest else []


class ServerEvent(NamedTuple):
    """An event as the gateway sends it."""

    name: str
    data: str


class Events:
    """Server-sent events (the HTML standard, 9.2.6) out of lines, and the place to resume behind."""

    def __init__(self) -> None:
        self.last_id = ""
        self.retry_s: float | None = None
        self.restart()

    def restart(self) -> None:
        """An event that a broken stream has begun is given up."""
        self._name = "message"
        self._data: list[str] = []

    def feed(self, line: str) -> ServerEvent | None:
        """The event that this line ends."""
        if line == "":
            event = ServerEvent(self._name, "\n".join(self._data)) if self._data else None
            self.restart()
            return event
        name, _, value = line.partition(":")
        value = value.removeprefix(" ")
        if name == "event":
            self._name = value
        elif name == "data":
            self._data.append(value)
        elif name == "id":
            self.last_id = value
        elif name == "retry" and value.isascii() and value.isdigit():
            self.retry_s = min(int(value) / 1000, 60.0)
        return None


def row_of(line: str) -> Any:
    """Raises GatewayError for what is not JSON."""
    try:
        return json.loads(line)
    except ValueError as error:
        raise GatewayError("The gateway sends something that is not JSON: it was cut off", "badAnswer") from error


def next_page(link: str | None) -> dict[str, str] | None:
    """The query of ``<…?cursor=…>; rel="next"`` (RFC 8288)."""
    found = re.search(r'<([^>]*)>\s*;[^,]*\brel="?next"?', link or "")
    return None if found is None else dict(parse_qsl(urlsplit(found.group(1)).query))


def filled(path: str, names: Mapping[str, object]) -> str:
    """A path of the OpenAPI document with its names filled in."""
    return re.sub(r"\{(\w+)\}", lambda found: quote(str(names[found.group(1)]), safe=""), path)


def query_of(parameters: Mapping[str, object]) -> dict[str, str]:
    """As text; what is ``None`` is left out."""
    return {name: _query_text(value) for name, value in parameters.items() if value is not None}


def label_query(name: str | None, tags: Iterable[str], note: str | None) -> dict[str, str]:
    """What a submission is called."""
    return query_of({"name": name, "tags": ",".join(tags) or None, "note": note})


def filter_query(
    *,
    agent: str | None,
    destination: str | None,
    since: str | datetime | None,
    until: str | datetime | None,
    limit: int | None,
    with_: Iterable[str] | None,
    against: str | None,
) -> dict[str, str]:
    """Which rows; without a limit all of them."""
    chosen = {"agent": agent, "destination": destination, "since": since, "until": until, "against": against}
    fields = None if with_ is None else ",".join(with_)
    return query_of({**chosen, "limit": _ROWS_MAX if limit is None else limit, "with": fields or None})


def _query_text(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, datetime):
        return value.astimezone(timezone.utc).isoformat().replace("+00:00", "Z")
    return str(value)


def sql_query(parameters: Mapping[str, object]) -> dict[str, str]:
    """Parameters of a statement, ``{name:Type}``, as ClickHouse reads them from a query string."""
    return {f"param_{name}": _parameter_text(value) for name, value in parameters.items()}


def _parameter_text(value: object) -> str:
    if value is None:
        return "\\N"
    if isinstance(value, datetime):
        return value.astimezone(timezone.utc).strftime("%Y-%m-%d %H:%M:%S.%f")
    if isinstance(value, (list, tuple)):
        return f"[{','.join(_quoted(one) for one in value)}]"
    if isinstance(value, str):
        # The form is that of tab-separated values.
        return value.replace("\\", "\\\\").replace("\t", "\\t").replace("\n", "\\n")
    return _query_text(value)


def _quoted(value: object) -> str:
    if isinstance(value, (int, float)):
        return _query_text(value)
    text = _query_text(value).replace("\\", "\\\\").replace("'", "\\'")
    return f"'{text}'"
