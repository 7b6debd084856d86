"""The functions of an adapter."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from .._core.adapter_result import Result
from .runtime import AsyncOutcome

NOTHING_TO_REMOVE = Result(False, "Removed", "the adapter has nothing to remove")

Reconcile = Callable[[dict[str, Any]], AsyncOutcome[Result]]


@dataclass(frozen=True)
class AsyncFunctions:
    """What an adapter does with a resource. Without `finalize`, it has nothing to remove."""

    reconcile: Reconcile
    finalize: Reconcile | None

    async def call(self, resource: Mapping[str, Any]) -> Result:
        """Calls the function for a live or a deleted resource."""
        if resource.get("deleted_time") is None:
            return await self.reconcile(dict(resource))
        return NOTHING_TO_REMOVE if self.finalize is None else await self.finalize(dict(resource))
