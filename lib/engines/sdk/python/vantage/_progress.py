"""How far a measurement is, for a person who waits."""

from __future__ import annotations

import sys
from collections.abc import Callable
from time import monotonic

from .types import MeasurementStatus

#: ``True`` prints a line to standard error; a function gets each status.
Progress = bool | Callable[[MeasurementStatus], object] | None

#: Between two updates of the line.
_EVERY_S = 0.2


class ProgressLine:
    """One line that is overwritten: on a terminal, and below a cell of a notebook."""

    def __init__(self) -> None:
        self._at = 0.0
        self._length = 0

    def __call__(self, status: MeasurementStatus) -> None:
        """Prints the status, but not more often than can be read."""
        if monotonic() - self._at >= _EVERY_S:
            self._at = monotonic()
            self._print(status)

    def end(self, status: MeasurementStatus) -> None:
        """Prints the last status, and ends the line."""
        self._print(status)
        print(file=sys.stderr, flush=True)

    def _print(self, status: MeasurementStatus) -> None:
        text = (
            f"{int(status['total_sent_probes'])} of {int(status['total_expected_probes'])} probes sent, "
            f"{int(status['total_received_replies'])} replies, {status['status']}"
        )
        print(f"\r{text.ljust(self._length)}", end="", file=sys.stderr, flush=True)
        self._length = len(text)
