"""A recurring campaign. Made by `npm run generate`; do not edit."""

from __future__ import annotations

import time
from collections.abc import Callable
from time import monotonic
from typing import TYPE_CHECKING, Any

from .. import _waiting as waiting
from .._errors import VantageError
from ..types import CampaignDetail, CampaignEstimate, CampaignRun, ChangesRow, HeatmapRow, LinkRow, SeriesRow, TrendRow
from .rows import Rows

if TYPE_CHECKING:
    from .client import Client


class Campaign:
    """Made or found by ``v.campaign``; its runs are measurements.

    >>> watch = v.campaign("path watch")
    >>> frame = watch.series().to_pandas()
    """

    #: The campaign's id.
    id: str

    def __init__(self, client: Client, id: str, estimate: CampaignEstimate | None = None) -> None:
        self._client = client
        self.id = id
        self._estimate = estimate

    @property
    def estimate(self) -> CampaignEstimate:
        """Its cost, as estimated when this program created it. Raises VantageError for a campaign that was found."""
        if self._estimate is None:
            raise VantageError("The estimate of a campaign is known to the program that creates it")
        return self._estimate

    def detail(self) -> CampaignDetail:
        """Definition, phase and next run."""
        detail: CampaignDetail = self._call("GET", "")
        return detail

    def runs(self, *, limit: int | None = None) -> list[CampaignRun]:
        """The newest first, each with its measurements; without a limit as many as the gateway lists at once."""
        runs: list[CampaignRun] = self._call("GET", "/runs", query={"limit": limit})
        return runs

    def wait(
        self,
        *,
        runs: int | None = None,
        timeout_s: float | None = None,
        on_detail: Callable[[CampaignDetail], object] | None = None,
    ) -> CampaignDetail:
        """Until so many runs are over, or the campaign has ended, or the time is over; returns its state then."""
        over_at = None if timeout_s is None else monotonic() + timeout_s
        while True:
            detail = self.detail()
            if on_detail is not None:
                on_detail(detail)
            over = int(detail["done"]) + int(detail["not_done"])
            has_runs = runs is not None and over >= runs
            if detail["phase"] == "ended" or has_runs or (over_at is not None and monotonic() >= over_at):
                return detail
            time.sleep(waiting.POLL_S)

    def series(self, **filter: Any) -> Rows[SeriesRow]:
        """Loss and RTT by run, agent and destination."""
        return self._client._rows(self.id, "series", of="campaign", **filter)

    def trend(self, **filter: Any) -> Rows[TrendRow]:
        """Loss and RTT by hour or day, beside the week before."""
        return self._client._rows(self.id, "trend", of="campaign", **filter)

    def heatmap(self, **filter: Any) -> Rows[HeatmapRow]:
        """RTTs over time."""
        return self._client._rows(self.id, "heatmap", of="campaign", **filter)

    def changes(self, **filter: Any) -> Rows[ChangesRow]:
        """Next hops whose share of flows changed since the previous run."""
        return self._client._rows(self.id, "changes", of="campaign", **filter)

    def links(self, **filter: Any) -> Rows[LinkRow]:
        """Links between routers."""
        return self._client._rows(self.id, "links", of="campaign", **filter)

    def stop(self) -> None:
        """Ends it permanently; what was measured stays."""
        self._call("POST", "/stop")

    def remove(self) -> None:
        """Removes a campaign that has ended."""
        self._call("DELETE", "")

    def _call(self, method: str, path: str, *, query: dict[str, object] | None = None) -> Any:
        return self._client.call(method, f"/api/campaigns/{{id}}{path}", names={"id": self.id}, query=query)
