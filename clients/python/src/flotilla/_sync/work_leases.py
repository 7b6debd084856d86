# Generated from flotilla/_async by `npm run openapi`.
"""The leases of an adapter's work."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from .._core.adapter_result import Result
from .._core.report import report_body
from .._core.segment import API, segment
from .._core.selection import without_none
from .transport import Transport, Params

LONGEST_WAIT = 30
LONGEST_AGAIN = 604_800


class WorkLeases:
    """Requests of the work queue of one adapter."""

    def __init__(self, transport: Transport, adapter: str, lease_seconds: int) -> None:
        self._transport = transport
        self._adapter = adapter
        self._lease_seconds = lease_seconds
        self.wait = min(LONGEST_WAIT, int(transport.options.timeout / 2))
        """How many seconds a request waits for work: less long than the timeout of requests."""

    def lease(
        self, most: int, *, kinds: Sequence[str] | None, search: str | None, max_age: int | None
    ) -> list[dict[str, Any]]:
        """Leases due resources, or waits for them."""
        body = without_none(
            max=most,
            kinds=None if kinds is None else list(kinds),
            search=search,
            maxAgeSeconds=max_age,
            leaseSeconds=self._lease_seconds,
            waitSeconds=self.wait,
        )
        page = self._transport.json("POST", self._path("lease"), body=body, idempotent=False)
        items: list[dict[str, Any]] = page["items"]
        return items

    def renew(self, token: str) -> None:
        """Extends a lease. Raises Conflict if it has ended."""
        path = self._path("leases", token, "renew")
        body = {"leaseSeconds": self._lease_seconds}
        self._transport.request("POST", path, body=body, idempotent=True)

    def give_back(self, token: str, delay: int | None) -> None:
        """Gives a lease back. With a delay, the work has failed."""
        params: Params = {"delaySeconds": delay}
        self._transport.request("DELETE", self._path("leases", token), params=params)

    def report(self, item: dict[str, Any], result: Result) -> str | None:
        """Completes a lease. Returns why the server discarded the report, or None.

        A repeated report could meet the lease that it has completed itself, so it is sent once.
        """
        resource = item["resource"]
        headers = {"X-Lease-Token": item["lease"]["token"]}
        if result.again is not None:
            headers["X-Lease-Again"] = str(min(LONGEST_AGAIN, max(1, math.ceil(result.again))))
        response = self._transport.request(
            "PUT",
            f"{API}/resources/{segment(resource['id'])}/statuses",
            body=report_body(
                self._adapter,
                result.report_conditions(is_deleted=resource.get("deleted_time") is not None),
                observed_generation=resource["generation"],
                observed_time=self._transport.clock.now(),
                data=result.data,
                metadata=None,
            ),
            headers=headers,
            idempotent=False,
        )
        discarded: str | None = response.headers.get("x-hyperfleet-discarded")
        return discarded

    def _path(self, *parts: str) -> str:
        return "/".join([API, "adapters", segment(self._adapter), *map(segment, parts)])
