"""Errors, and the sentence for each."""

from __future__ import annotations

import json
import re
import unicodedata
from dataclasses import dataclass, field
from typing import Any

import httpx

#: Bytes of an answer that explains a failure: some sentences.
EXPLANATION_BYTES_MAX = 64 * 1024
_SHOWN_CHARS_MAX = 200
_QUOTA_CODES = ("quota_exceeded", "token_quota_exceeded")
_ENGINE_REASON = re.compile(r"Code: \d+\. DB::Exception: (.*)", re.DOTALL)
#: ClickHouse's number of an exceeded quota.
_QUOTA = re.compile(r"Code: 201\.")


@dataclass(frozen=True)
class FieldProblem:
    """A part of the request that cannot be used."""

    path: str
    reason: str


class VantageError(Exception):
    """All errors of this package."""


class MissingPackage(VantageError, ImportError):
    """An optional package, as pandas, is not installed."""


class LoginError(VantageError):
    """The gateway's address is unknown, or the command line's login is missing or has ended."""


class PartialResult(UserWarning):
    """Warns that a result is incomplete: ``rows.missing`` lists what is missing."""


@dataclass(eq=False)
class GatewayError(VantageError):
    """A failed request; its text is the gateway's own sentence.

    ``code`` and ``status`` are those of the gateway's problem (RFC 9457).

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


class NotAuthorized(GatewayError):
    """The gateway refused the token (401), or its rights are not enough (403)."""


class QuotaExceeded(GatewayError):
    """The day's quota is used up: ``details`` has its figures, ``retry_after_s`` when it resets."""


def error_of_answer(response: httpx.Response, body: bytes, address: str) -> GatewayError:
    """The error of an answer that is not a success; its words are foreign text on one line."""
    status = response.status_code
    retry_after = response.headers.get("retry-after", "")
    retry_after_s = int(retry_after) if retry_after.isascii() and retry_after.isdigit() else None
    if 300 <= status < 400:
        where = response.headers.get("location", "no location given")
        return GatewayError(f"{response.url} redirects to {visible(where)}; use that address", "redirected")
    try:
        problem = json.loads(body)
    except ValueError:
        problem = None
    if not isinstance(problem, dict):
        said = visible(" ".join(body.decode("utf-8", "replace").split()))
        reason = engine_reason(said)
        message = reason or f"{address} responded with {status}" + (f": {said[:_SHOWN_CHARS_MAX]}" if said else "")
        code = "quota_exceeded" if _QUOTA.match(said) else f"http_{status}"
        return _class_of(status, code)(message, code, status, retry_after_s=retry_after_s)
    known = {"code", "message", "detail", "fields"}
    code = _text(problem, "code") or f"http_{status}"
    return _class_of(status, code)(
        message=visible(_text(problem, "message") or _text(problem, "detail") or f"{address} responded with {status}"),
        code=code,
        status=status,
        fields=[
            FieldProblem(visible(_text(one, "path")), visible(_text(one, "reason")))
            for one in problem.get("fields") or []
            if isinstance(one, dict)
        ],
        retry_after_s=retry_after_s,
        details={name: value for name, value in problem.items() if name not in known},
    )


def engine_reason(text: str) -> str | None:
    """The column store's sentence in ``Code: 62. DB::Exception: …``, or ``None``."""
    found = _ENGINE_REASON.search(text)
    return None if found is None else visible(found.group(1).strip())


def error_of_transport(error: httpx.HTTPError, address: str) -> GatewayError:
    """The error where no answer came, or it broke off."""
    if isinstance(error, httpx.TimeoutException):
        return GatewayError(f"{address} did not respond in time", "timeout")
    return GatewayError(f"Cannot reach {address}: {visible(str(error) or type(error).__name__)}", "unreachable")


def _class_of(status: int, code: str) -> type[GatewayError]:
    if status in (401, 403):
        return NotAuthorized
    return QuotaExceeded if code in _QUOTA_CODES else GatewayError


def _text(members: dict[str, Any], name: str) -> str:
    value = members.get(name)
    return value if isinstance(value, str) else ""


def visible(text: str) -> str:
    """Without what could drive a terminal or turn a line around."""
    return "".join(c if unicodedata.category(c)[0] != "C" else f"\\u{ord(c):04x}" for c in text)
