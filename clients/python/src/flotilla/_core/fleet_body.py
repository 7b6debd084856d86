"""Bodies of requests for fleets."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from .selection import without_none

REQUEST = "flotilla.dev/request-id"
"""An annotation that identifies the request that created a fleet."""


def fleet_body(
    name: str,
    request: str,
    *,
    labels: Mapping[str, str] | None,
    annotations: Mapping[str, str] | None,
    **spec: Any,
) -> dict[str, Any]:
    """A Fleet. Members of the spec that are None are omitted."""
    if spec.get("names") is not None and spec.get("namePrefix") is not None:
        raise ValueError("give either names or name_prefix: names are complete")
    return {
        "apiVersion": "kplane.dev/v1",
        "kind": "Fleet",
        "metadata": {
            "name": name,
            "annotations": {**(annotations or {}), REQUEST: request},
            **without_none(labels=labels),
        },
        "spec": without_none(**spec),
    }


def member_names(fleet: Mapping[str, Any]) -> list[str]:
    """The names of all desired members, in order."""
    spec = fleet["spec"]
    names: Sequence[str] | None = spec.get("names")
    if names:
        return list(names)
    prefix = spec.get("namePrefix") or f"{fleet['metadata']['name']}-"
    return [f"{prefix}{index:04d}" for index in range(spec["replicas"])]
