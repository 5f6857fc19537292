"""Requests to a gateway. Made by `npm run generate`; do not edit."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from typing import Any

import httpx

from .. import _waiting as waiting
from .._errors import EXPLANATION_BYTES_MAX, GatewayError, error_of_answer, error_of_transport
from .._login import Token
from .._streams import row_of

_ANSWER_S = 30.0


class Transport:
    """Sends requests, repeats those that may be, and raises GatewayError."""

    def __init__(self, address: str, token: Token, user_agent: str, http: httpx.Client) -> None:
        self.address = address
        self._token = token
        self._user_agent = user_agent
        self._http = http

    def close(self) -> None:
        """Closes its connections."""
        self._http.close()

    def json(
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
        """The response's JSON; ``None`` of an empty one."""
        response = self.answer(
            method, path, query=query, headers=headers, content=content, repeatable=repeatable, read_s=read_s
        )
        body = (self.whole(response)).decode("utf-8", "replace")
        return None if body == "" else row_of(body)

    def answer(
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
        """The head of a successful response; requests that may be repeated are, where that can help."""
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
            time.sleep(delay_s)

    def pieces(self, response: httpx.Response) -> Iterator[bytes]:
        """A response that is cut off raises: a partial one never passes as complete."""
        try:
            for piece in response.iter_bytes():
                yield piece
        except httpx.HTTPError as error:
            raise error_of_transport(error, self.address) from error
        finally:
            response.close()

    def whole(self, response: httpx.Response) -> bytes:
        """All bytes of a response."""
        return b"".join([piece for piece in self.pieces(response)])

    def _try(self, request: httpx.Request) -> httpx.Response | GatewayError:
        try:
            response = self._http.send(request, stream=True, follow_redirects=False)
            if response.is_success:
                return response
            explanation = b""
            for piece in response.iter_bytes():
                explanation += piece
                if len(explanation) > EXPLANATION_BYTES_MAX:
                    break
            response.close()
            return error_of_answer(response, explanation[:EXPLANATION_BYTES_MAX], self.address)
        except httpx.HTTPError as error:
            return error_of_transport(error, self.address)

    def _headers(self) -> dict[str, str]:
        headers = {"accept": "application/json", "user-agent": self._user_agent}
        token = self._token
        if token is None:
            return headers
        if callable(token):
            # A login may have to be renewed first, at its issuer.
            token = token()
        return {**headers, "authorization": f"Bearer {token}"}
