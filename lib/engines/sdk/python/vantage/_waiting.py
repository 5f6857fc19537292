"""When a request is repeated, when waiting ends, and what a result lacks."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, NamedTuple

from .types import MeasurementStatus, Submitted
from ._errors import GatewayError, visible

#: Waits between tries of a request that may be repeated: a gateway that restarts is back by then.
RETRY_DELAYS_S = (0.3, 1.0, 3.0)
#: Longest ``Retry-After`` that is waited for.
RETRY_AFTER_S_MAX = 10
#: Between two requests for a status.
POLL_S = 0.5
#: Pause before a broken stream is resumed, unless the gateway says otherwise.
STREAM_RETRY_S = 1.0
STREAM_TRIES_MAX = 10

WaitOutcome = Literal["ended", "enough", "timeout"]

_ENDED = {"complete", "cancelled", "failed", "expired"}


class Waited(NamedTuple):
    """How waiting ended, and the last status seen."""

    outcome: WaitOutcome
    status: MeasurementStatus


def delay_before(error: GatewayError, attempt: int) -> float | None:
    """Seconds until the next try; ``None`` where another try would not help."""
    if attempt >= len(RETRY_DELAYS_S):
        return None
    delay = RETRY_DELAYS_S[attempt]
    if error.code == "unreachable":
        return delay
    is_paced = error.status == 429 and error.retry_after_s is not None
    if not is_paced and error.status not in (502, 503, 504):
        return None
    wait = max(error.retry_after_s or 0, delay)
    return None if wait > RETRY_AFTER_S_MAX else wait


def may_resume(error: GatewayError) -> bool:
    """Whether a stream that began can go on after this."""
    is_passing = error.status is not None and (error.status >= 500 or error.status == 429)
    return error.code in ("unreachable", "timeout") or is_passing


@dataclass(frozen=True)
class Enough:
    """What there has to be before a measurement has ended."""

    min_results: int | None
    percent: float | None
    until: Callable[[MeasurementStatus], bool] | None

    def outcome(self, status: MeasurementStatus, is_over: bool) -> WaitOutcome | None:
        """``None``: go on waiting. ``is_over``: the time is."""
        if status["status"] in _ENDED:
            return "ended"
        replies = status["total_received_replies"]
        if self.min_results is not None and replies >= self.min_results:
            return "enough"
        if self.percent is not None and replies * 100 >= self.percent * status["total_expected_probes"]:
            return "enough"
        if self.until is not None and self.until(status):
            return "enough"
        return "timeout" if is_over else None


def missing_parts(submitted: Submitted, status: MeasurementStatus, *, is_over: bool) -> list[str]:
    """Sentences on what a result lacks; empty when it is whole. ``is_over``: waiting timed out."""
    missing = [f"agent {one['id']} takes no part: {visible(one['reason'])}" for one in submitted["rejected"]]
    for part in status["agents"]:
        agent, expected = part["agent_id"], int(part["expected_probes"])
        failed, sent = int(part["failed_probes"]), int(part["sent_probes"])
        if part["error"]:
            missing.append(f"agent {agent} reported: {visible(part['error'])}")
        if failed > 0:
            missing.append(f"agent {agent} could not send {failed} of {expected} probes")
        elif part["status"] != "complete" or sent < expected:
            missing.append(f"agent {agent} sent {sent} of {expected} probes ({part['status']})")
    if is_over:
        missing.append("waiting timed out before the measurement ended")
    return missing
