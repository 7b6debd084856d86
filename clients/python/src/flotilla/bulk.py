"""The result of a request for many resources."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Generic, Literal, TypeVar

from .errors import ApiError

T = TypeVar("T")


@dataclass(frozen=True)
class BulkResult(Generic[T]):
    """The outcome for one item of a bulk create.

    `index` is the position of the item. `status` is the status of a request that creates only this
    item. Either `resource` or `error` is None.
    """

    index: int
    status: int
    resource: T | None
    error: ApiError | None


@dataclass(frozen=True)
class Upserted(Generic[T]):
    """The outcome of an upsert: the resource, and whether it was `created`, `replaced` or
    `unchanged`."""

    resource: T
    result: Literal["created", "replaced", "unchanged"]
