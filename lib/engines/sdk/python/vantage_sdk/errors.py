"""What goes wrong between a program and a gateway."""

from __future__ import annotations

import json
import unicodedata
from dataclasses import dataclass, field
from typing import Any

import httpx

#: Bytes of an answer that explains a failure: some sentences.
EXPLANATION_BYTES_MAX = 64 * 1024
_SHOWN_CHARS_MAX = 200


@dataclass(frozen=True)
class FieldProblem:
    """A part of the request that cannot be used."""

    path: str
    reason: str


@dataclass(eq=False)
class GatewayError(Exception):
    """A failure. ``code`` and ``status`` are those of the gateway's problem (RFC 9457).

    Without an answer ``status`` is ``None``, and ``code`` is ``unreachable``, ``timeout``, ``redirected`` or
    ``badAnswer``.
    """

    message: str
    code: str
    status: int | None = None
    fields: list[FieldProblem] = field(default_factory=list)
    #: From ``Retry-After``.
    retry_after_s: int | None = None
    #: Other members of the problem: figures of a quota, the id of the request.
    details: dict[str, Any] = field(default_factory=dict)

    def __str__(self) -> str:
        return self.message


def error_of_answer(response: httpx.Response, body: bytes, address: str) -> GatewayError:
    """The error of an answer that is not a success; its words are foreign text on one line."""
    status = response.status_code
    retry_after = response.headers.get("retry-after", "")
    retry_after_s = int(retry_after) if retry_after.isascii() and retry_after.isdigit() else None
    if 300 <= status < 400:
        where = response.headers.get("location", "no location given")
        return GatewayError(f"{response.url} is elsewhere: {_visible(where)}; give that address", "redirected")
    try:
        problem = json.loads(body)
    except ValueError:
        problem = None
    if not isinstance(problem, dict):
        said = _visible(" ".join(body.decode("utf-8", "replace").split()))[:_SHOWN_CHARS_MAX]
        message = f"{address} answers {status}" + (f": {said}" if said else "")
        return GatewayError(message, f"http_{status}", status, retry_after_s=retry_after_s)
    known = {"code", "message", "detail", "fields"}
    return GatewayError(
        message=_visible(_text(problem, "message") or _text(problem, "detail") or f"{address} answers {status}"),
        code=_text(problem, "code") or f"http_{status}",
        status=status,
        fields=[
            FieldProblem(_visible(_text(one, "path")), _visible(_text(one, "reason")))
            for one in problem.get("fields") or []
            if isinstance(one, dict)
        ],
        retry_after_s=retry_after_s,
        details={name: value for name, value in problem.items() if name not in known},
    )


def error_of_transport(error: httpx.HTTPError, address: str) -> GatewayError:
    """The error where no answer came, or it broke off."""
    if isinstance(error, httpx.TimeoutException):
        return GatewayError(f"{address} does not answer in time", "timeout")
    return GatewayError(f"Cannot reach {address}: {_visible(str(error) or type(error).__name__)}", "unreachable")


def _text(members: dict[str, Any], name: str) -> str:
    value = members.get(name)
    return value if isinstance(value, str) else ""


def _visible(text: str) -> str:
    """Without what could drive a terminal or turn a line around."""
    return "".join(c if unicodedata.category(c)[0] != "C" else f"\\u{ord(c):04x}" for c in text)
