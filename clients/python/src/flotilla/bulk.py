"""The result of a request for many resources."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Generic, Literal, TypeVar

from .errors import ApiError

T = TypeVar("T")


@dataclass(frozen=True)
class BulkResult(Generic[T]):
    """The outcome for one item of a bulk create, in the order of the items.

    `resource` is None unless the item was created. `error` is None unless it failed. An item is
    `aborted` if another one has failed in a request that creates all items or none.
    """

    result: Literal["created", "failed", "aborted"]
    resource: T | None
    error: ApiError | None


@dataclass(frozen=True)
class Upserted(Generic[T]):
    """The outcome of an upsert: the resource, and whether it was `created` or `replaced`."""

    resource: T
    result: Literal["created", "replaced", "unchanged"]
