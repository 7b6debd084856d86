"""The events of watches."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from .snapshot import Snapshot

T = TypeVar("T")


@dataclass(frozen=True)
class WatchEvent(Generic[T]):
    """A change of an object: `type` is `ADDED`, `MODIFIED`, `DELETED`, `BOOKMARK` or `RESET`.

    A `BOOKMARK` says that all changes up to `resource_version` were sent. A `RESET` says that the
    watch starts again: forget all objects, the existing ones follow as `ADDED`. Both have an empty
    object.
    """

    type: str
    object: T
    resource_version: str


@dataclass(frozen=True)
class StateEvent:
    """A change of the state of a plane.

    `SNAPSHOT` has the complete state in `snapshot`. `ADDED`, `MODIFIED` and `DELETED` have an
    object, with its `group` and `resource`. The stream sends a `SNAPSHOT` first and after every
    reconnection.
    """

    type: str
    group: str
    resource: str
    object: dict[str, Any]
    snapshot: Snapshot | None
    resource_version: str
