"""Bodies and parameters of requests."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any


def without_none(**members: Any) -> dict[str, Any]:
    """The members that are not None."""
    return {name: value for name, value in members.items() if value is not None}


def joined(names: str | Sequence[str] | None) -> str | None:
    """Names as a comma-separated list."""
    return names if names is None or isinstance(names, str) else ",".join(names)


def both(first: str | None, second: str) -> str:
    """A search for what matches both expressions."""
    return second if first is None else f"({first}) and {second}"


def quoted(text: str) -> str:
    """Text as a value of a search expression."""
    return "'" + text.replace("'", "''") + "'"


def resource_id(resource: str | Mapping[str, Any]) -> str:
    """The ID of a resource that is given as an object or as its ID."""
    return resource if isinstance(resource, str) else str(resource["id"])


def condition(resource: Mapping[str, Any], type_: str) -> Mapping[str, Any] | None:
    """The condition of a type, of a resource or a report."""
    conditions = (resource.get("status") or resource).get("conditions") or []
    for one in conditions:
        if one["type"] == type_:
            return dict(one)
    return None


def has_condition(resource: Mapping[str, Any], type_: str, status: str) -> bool:
    """Whether a resource has a condition with a status at its current generation."""
    found = condition(resource, type_)
    if found is None or found["status"] != status:
        return False
    observed = found.get("observed_generation")
    return observed is None or observed >= resource.get("generation", 0)
