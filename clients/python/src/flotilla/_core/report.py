"""Reports of adapters."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime, timezone
from typing import Any

from .selection import without_none

Conditions = Mapping[str, str] | Sequence[Mapping[str, Any]]


def report_body(
    adapter: str,
    conditions: Conditions,
    *,
    observed_generation: int,
    observed_time: datetime | None,
    data: Mapping[str, Any] | None,
    metadata: Mapping[str, Any] | None,
) -> dict[str, Any]:
    """The body of a report. Conditions may be a mapping of types to statuses."""
    pairs = conditions.items() if isinstance(conditions, Mapping) else ()
    items = [{"type": type_, "status": status} for type_, status in pairs]
    return {
        "adapter": adapter,
        "observed_generation": observed_generation,
        "conditions": items if isinstance(conditions, Mapping) else list(conditions),
        **without_none(
            observed_time=None if observed_time is None else wire_time(observed_time),
            data=data,
            metadata=metadata,
        ),
    }


def wire_time(time: datetime) -> str:
    """A time as the API writes it: in UTC, with microseconds."""
    return time.astimezone(timezone.utc).isoformat(timespec="microseconds").replace("+00:00", "Z")
