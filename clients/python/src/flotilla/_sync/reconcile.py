# Generated from flotilla/_async by `npm run openapi`.
"""The functions of an adapter."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from .._core.adapter_result import Result
from .runtime import Outcome

NOTHING_TO_REMOVE = Result(False, "Removed", "the adapter has nothing to remove")

Reconcile = Callable[[dict[str, Any]], Outcome[Result]]


@dataclass(frozen=True)
class Functions:
    """What an adapter does with a resource. Without `finalize`, it has nothing to remove."""

    reconcile: Reconcile
    finalize: Reconcile | None

    def call(self, resource: Mapping[str, Any]) -> Result:
        """Calls the function for a live or a deleted resource."""
        if resource.get("deleted_time") is None:
            return self.reconcile(dict(resource))
        return NOTHING_TO_REMOVE if self.finalize is None else self.finalize(dict(resource))
