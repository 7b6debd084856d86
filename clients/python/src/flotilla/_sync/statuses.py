# Generated from flotilla/_async by `npm run openapi`.
"""Reports of adapters."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import httpx

from .._core.deadline import Deadline
from .._core.report import Conditions, report_body
from .._core.segment import API, segment
from .._core.selection import has_condition, joined, quoted, resource_id
from .._core.sources import HyperfleetSource
from ..errors import NotFound
from ..events import WatchEvent
from ..types.hyperfleet import AdapterStatus
from .collection import Fields, Resource, dry_run_parameter
from .pages import Items
from .transport import Transport
from .watch import Watch, follow


@dataclass(frozen=True)
class ReportOutcome:
    """Whether the server stored a report: `discarded` has the reason if it did not.

    The reasons are `stale-generation`, `unknown-after-report`, `future-generation` and
    `stale-observed-time`. A discarded report must not be sent again.
    """

    status: AdapterStatus | None
    discarded: str | None


class Statuses:
    """The reports on a resource of any kind, which methods accept as an object or as its ID."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def report(
        self,
        resource: Resource,
        adapter: str,
        conditions: Conditions,
        *,
        observed_generation: int | None = None,
        observed_time: datetime | None = None,
        data: Mapping[str, Any] | None = None,
        metadata: Mapping[str, Any] | None = None,
        dry_run: bool = False,
    ) -> ReportOutcome:
        """Sends a report with PUT, the strict profile.

        `conditions` are `{"Available": "True", "Applied": "True", "Health": "True"}`, or a list of
        conditions with reasons and messages. Without `observed_generation`, the report is about
        the generation of the given resource. With an ID in place of a resource, it is required.
        """
        body = report_body(
            adapter,
            conditions,
            observed_generation=_generation(resource, observed_generation),
            observed_time=observed_time,
            data=data,
            metadata=metadata,
        )
        return self._send("PUT", resource, body, dry_run)

    def create(
        self,
        resource: Resource,
        adapter: str,
        conditions: Conditions,
        *,
        observed_generation: int | None = None,
        observed_time: datetime | None = None,
        data: Mapping[str, Any] | None = None,
        metadata: Mapping[str, Any] | None = None,
        dry_run: bool = False,
    ) -> ReportOutcome:
        """Sends a report with POST, which requires less and discards less than `report`.

        `observed_generation` is as in `report`.
        """
        body = report_body(
            adapter,
            conditions,
            observed_generation=_generation(resource, observed_generation),
            observed_time=observed_time,
            data=data,
            metadata=metadata,
        )
        return self._send("POST", resource, body, dry_run)

    def _send(
        self, method: str, resource: Resource, body: dict[str, Any], dry_run: bool
    ) -> ReportOutcome:
        response = self._transport.request(
            method,
            _path(resource),
            body=body,
            params=dry_run_parameter(dry_run),
            # A repeated report replaces itself.
            idempotent=True,
        )
        return _outcome(response)

    def get(self, resource: Resource, adapter: str) -> AdapterStatus:
        """Reads the report of an adapter. Raises NotFound if there is none."""
        found = self.list(resource, f"adapter = {quoted(adapter)}").first()
        if found is None:
            id_ = resource_id(resource)
            raise NotFound(404, "HYPERFLEET-NTF-001", f"'{id_}' has no report of '{adapter}'")
        return found

    def list(
        self,
        resource: Resource,
        search: str | None = None,
        *,
        fields: Fields = None,
        page_size: int = 100,
    ) -> Items[AdapterStatus]:
        """The reports on a resource, in the order of their adapters."""
        query = {"search": search, "fields": joined(fields), "pageSize": page_size}
        return Items(self._transport, _path(resource), query, key="adapter")

    def search(
        self, resource: Resource, expression: str, **options: Any
    ) -> Items[AdapterStatus]:
        """The reports that match a TSL expression over `adapter` and `observed_generation`."""
        return self.list(resource, expression, **options)

    def watch(
        self, resource: Resource, search: str | None = None, *, resource_version: str = ""
    ) -> Watch[WatchEvent[AdapterStatus]]:
        """Follows the reports on a resource."""
        source = HyperfleetSource(_path(resource), {"search": search})
        return Watch(follow(self._transport, source, version=resource_version))

    def wait_for(
        self,
        resource: Resource,
        adapter: str,
        condition: str = "Available",
        *,
        status: str = "True",
        timeout: float = 120.0,
    ) -> AdapterStatus:
        """Waits until an adapter reports a status of a condition. Raises WaitTimeout."""
        deadline = Deadline(timeout, f"'{adapter}' did not report {condition} in {timeout} s")
        source = HyperfleetSource(_path(resource), {"search": f"adapter = {quoted(adapter)}"})
        generation = 0 if isinstance(resource, str) else resource["generation"]
        with Watch(follow(self._transport, source, deadline=deadline)) as events:
            for event in events:
                found: Any = event.object
                if (
                    event.type in ("ADDED", "MODIFIED")
                    and found["observed_generation"] >= generation
                    and has_condition(found, condition, status)
                ):
                    result: AdapterStatus = found
                    return result
        raise NotFound(404, "HYPERFLEET-NTF-001", f"'{resource_id(resource)}' was removed")


def _generation(resource: Resource, observed: int | None) -> int:
    if observed is not None:
        return observed
    if isinstance(resource, str):
        raise ValueError("observed_generation is required with an ID in place of a resource")
    generation: int = resource["generation"]
    return generation


def _path(resource: Resource) -> str:
    return f"{API}/resources/{segment(resource_id(resource))}/statuses"


def _outcome(response: httpx.Response) -> ReportOutcome:
    discarded = response.headers.get("x-hyperfleet-discarded")
    status: AdapterStatus | None = response.json() if response.content else None
    return ReportOutcome(status, discarded)
