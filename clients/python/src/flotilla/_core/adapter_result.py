"""What adapters return, and what becomes of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal

from .report import wire_time
from .selection import condition

Status = Literal["True", "False", "Unknown"] | bool


@dataclass(frozen=True)
class Result:
    """The outcome of a reconciliation.

    `available` is False while the work is in progress or after it has failed. By default,
    `applied` equals True if `available` does, and False otherwise. `conditions` are further
    conditions, by type. `data` are details for other tools. `again` is the number of seconds until
    the next call; the default is the heartbeat.

    `finalized` says that everything outside was removed, so the server may remove the resource. It
    only has an effect in `finalize`, and is True there by default.
    """

    available: Status = True
    reason: str = ""
    message: str = ""
    data: Mapping[str, Any] | None = None
    applied: Status | None = None
    health: Status = True
    finalized: bool | None = None
    conditions: Mapping[str, Status] = field(default_factory=dict)
    again: float | None = None

    def report_conditions(self, *, is_deleted: bool) -> list[dict[str, str]]:
        """The conditions of the report on a live or a deleted resource."""
        available = {"type": "Available", "status": _text(self.available)}
        if self.reason:
            available["reason"] = self.reason
        if self.message:
            available["message"] = self.message
        applied = available["status"] == "True" if self.applied is None else self.applied
        others: dict[str, Status] = {"Applied": applied, "Health": self.health}
        if is_deleted and self.finalized is not False:
            others["Finalized"] = True
        others.update(self.conditions)
        return [available, *({"type": key, "status": _text(one)} for key, one in others.items())]


@dataclass(frozen=True)
class Reported:
    """A report that the server has acknowledged. `discarded` has the reason if it was discarded."""

    resource: Mapping[str, Any]
    generation: int
    result: Result
    discarded: str | None


def is_done(resource: Mapping[str, Any], adapter: str) -> bool:
    """Whether an earlier run of an adapter has finished the current generation of a resource."""
    found = condition(resource, condition_of(adapter))
    if found is None or "deleted_time" in resource or found["status"] != "True":
        return False
    return bool(found["observed_generation"] == resource["generation"])


def overdue_search(type_: str, before: datetime, search: str | None) -> str:
    """A search for resources without a report of an adapter since a time."""
    path = f"status.conditions.{type_}"
    overdue = f"({path} is null or {path}.last_updated_time < '{wire_time(before)}')"
    return overdue if search is None else f"({search}) and {overdue}"


def condition_of(adapter: str) -> str:
    """The type of the condition that the server derives from the reports of an adapter."""
    parts = [part for part in adapter.split("-") if part]
    return "".join(part[0].upper() + part[1:] for part in parts) + "Successful"


def _text(status: Status) -> str:
    return str(status)
