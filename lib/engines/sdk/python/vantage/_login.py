"""Which gateway, and with which token: from arguments, the environment, or the login of the command line."""

from __future__ import annotations

import json
import os
import sqlite3
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from time import time
from typing import Any
from urllib.parse import urlsplit

import httpx

from ._errors import LoginError, visible

Token = str | Callable[[], str] | None

#: An access token is renewed so long before it ends.
_RENEW_EARLY_S = 30
#: Another process renews a login in less than this.
_LOCK_WAIT_S = 45
_ISSUER_S = 15.0


def place_of(gateway: str | None, token: Token, profile: str | None) -> tuple[str, Token]:
    """Address and token. Raises LoginError when no gateway is known."""
    address = (gateway or os.environ.get("VANTAGE_GATEWAY") or "").rstrip("/")
    given = token if token is not None else os.environ.get("VANTAGE_TOKEN") or None
    name = profile or os.environ.get("VANTAGE_PROFILE") or None
    if address != "" and given is not None:
        return address, given
    logins = Logins(settings_folder())
    chosen = logins.choose(address, name)
    if chosen is None:
        if address == "":
            raise LoginError(
                "No gateway is known: log in with `vantage login --gateway=URL`, set VANTAGE_GATEWAY, "
                'or pass Client("https://…")'
            )
        return address, given
    own = str(logins.read(chosen)["gateway"]).rstrip("/")
    if address not in ("", own):
        raise LoginError(f'Profile "{chosen}" belongs to {own}, not to {address}: leave one of them out')
    return own, given if given is not None else lambda: logins.token(chosen)


def settings_folder() -> Path:
    """Where the command line keeps its logins (XDG Base Directory Specification)."""
    base = os.environ.get("XDG_CONFIG_HOME", "")
    return (Path(base) if base.startswith("/") else Path.home() / ".config") / "vantage"


class Logins:
    """The profiles of ``vantage login``; tokens are renewed as the command line renews them."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def choose(self, address: str, name: str | None) -> str | None:
        """The named profile, that of this address, or the one in use."""
        if name is not None:
            self.read(name)
            return name
        current = self._text(self._folder / "profile").strip() or None
        if address == "":
            return current
        others = sorted(path.stem for path in (self._folder / "profiles").glob("*.json"))
        names = ([current] if current is not None else []) + others
        return next((one for one in names if str(self.read(one)["gateway"]).rstrip("/") == address), None)

    def read(self, name: str) -> dict[str, Any]:
        """Raises LoginError when there is no such login, or its file is damaged."""
        path = self._path(name)
        text = self._text(path)
        if text == "":
            raise LoginError(f'There is no login "{name}": see vantage login --help')
        try:
            profile = json.loads(text)
            str(profile["gateway"]), str(profile["issuer"]), str(profile["client_id"])
            if profile["tokens"] is not None:
                str(profile["tokens"]["access_token"]), float(profile["tokens"]["expires_at"])
        except (ValueError, KeyError, TypeError) as error:
            raise LoginError(f"{path} is damaged; remove it and log in again") from error
        return dict(profile)

    def token(self, name: str) -> str:
        """A token that is valid now. Raises LoginError."""
        profile = self.read(name)
        return self._valid(profile) or self._renewed(name)

    def _renewed(self, name: str) -> str:
        with self._lock(name):
            # Another process may have renewed it meanwhile; a second use of a refresh token can end the login.
            profile = self.read(name)
            valid = self._valid(profile)
            if valid is not None:
                return valid
            refresh = (profile["tokens"] or {}).get("refresh_token")
            if refresh is None:
                raise _ended(profile)
            tokens = _refresh(profile, str(refresh))
            self._write(name, {**profile, "tokens": tokens})
            if tokens is None:
                raise _ended(profile)
            return str(tokens["access_token"])

    def _valid(self, profile: dict[str, Any]) -> str | None:
        tokens = profile["tokens"]
        if tokens is None or float(tokens["expires_at"]) - _RENEW_EARLY_S <= time():
            return None
        return str(tokens["access_token"])

    @contextmanager
    def _lock(self, name: str) -> Iterator[None]:
        """The command line's lock: SQLite's, which ends with its process."""
        path = self._folder / "profiles" / f"{name}.lock"
        connection = sqlite3.connect(path, timeout=_LOCK_WAIT_S, isolation_level=None)
        try:
            connection.execute("BEGIN EXCLUSIVE")
            yield
        except sqlite3.OperationalError as error:
            raise LoginError(f"Cannot renew the login: {path}: {error}") from error
        finally:
            connection.close()

    def _write(self, name: str, profile: dict[str, Any]) -> None:
        path = self._path(name)
        handle, fresh = tempfile.mkstemp(dir=path.parent, prefix=f"{name}.", suffix=".new")
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(json.dumps(profile, indent=2) + "\n")
            file.flush()
            os.fsync(file.fileno())
        os.replace(fresh, path)

    def _path(self, name: str) -> Path:
        return self._folder / "profiles" / f"{name}.json"

    def _text(self, path: Path) -> str:
        try:
            return path.read_text(encoding="utf-8")
        except FileNotFoundError:
            return ""
        except OSError as error:
            raise LoginError(f"Cannot read {path}: {error.strerror}") from error


def _refresh(profile: dict[str, Any], refresh_token: str) -> dict[str, Any] | None:
    """The next tokens (RFC 6749, 6); ``None``: the issuer has ended the login. Raises LoginError."""
    issuer = str(profile["issuer"]).rstrip("/")
    try:
        about = httpx.get(f"{issuer}/.well-known/openid-configuration", timeout=_ISSUER_S).raise_for_status().json()
        endpoint = str(about["token_endpoint"])
        if urlsplit(endpoint).scheme != "https" and urlsplit(issuer).scheme == "https":
            raise LoginError(f"Cannot renew the login: {issuer} names a token endpoint without TLS")
        form = {
            "grant_type": "refresh_token",
            "refresh_token": refresh_token,
            "client_id": str(profile["client_id"]),
        }
        response = httpx.post(endpoint, data=form, timeout=_ISSUER_S)
        answer = response.json()
        if response.status_code == 400 and answer.get("error") == "invalid_grant":
            return None
        response.raise_for_status()
        return {
            "access_token": str(answer["access_token"]),
            "refresh_token": answer.get("refresh_token") or refresh_token,
            "expires_at": int(time()) + int(answer.get("expires_in", 3600)),
        }
    except (httpx.HTTPError, ValueError, KeyError, AttributeError) as error:
        raise LoginError(f"Cannot renew the login at {issuer}: {visible(str(error))}") from error


def _ended(profile: dict[str, Any]) -> LoginError:
    gateway = profile["gateway"]
    return LoginError(f"The login at {gateway} has ended: log in again with `vantage login --gateway={gateway}`")
