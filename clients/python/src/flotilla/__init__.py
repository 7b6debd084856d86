"""The client of Flotilla: clusters, planes, fleets and adapters.

`Client` is synchronous and `AsyncClient` asynchronous; both have the same methods. A program
written for `kplane` runs after `import flotilla as kplane`.
"""

from __future__ import annotations

from . import adapter, openapi
from ._async.claim import AsyncClaim
from ._async.client import AsyncClient
from ._async.collection import AsyncCollection, AsyncRootCollection
from ._async.fleet import AsyncFleet
from ._async.plane import AsyncPlane
from ._async.watch import AsyncWatch
from ._sync.claim import Claim
from ._sync.client import Client
from ._sync.collection import Collection, RootCollection
from ._sync.fleet import Fleet
from ._sync.plane import Plane
from ._sync.watch import Watch
from .bulk import BulkResult, Upserted
from .errors import (
    ApiError,
    ClientClosed,
    Conflict,
    Expired,
    FleetDegraded,
    FleetTimeout,
    FlotillaError,
    Forbidden,
    Invalid,
    LeaseLost,
    NotFound,
    PreconditionFailed,
    TooManyRequests,
    Unauthorized,
    Unavailable,
    WaitTimeout,
)
from .events import StateEvent, WatchEvent
from .fleet_status import FleetCondition, FleetMember, FleetStatus
from .retry import Retry
from .snapshot import Snapshot, SnapshotResource
from .version import __version__
from .webhooks import InvalidWebhook, verify_webhook

__all__ = [
    "ApiError",
    "AsyncClaim",
    "AsyncClient",
    "AsyncCollection",
    "AsyncFleet",
    "AsyncPlane",
    "AsyncRootCollection",
    "AsyncWatch",
    "BulkResult",
    "Claim",
    "Client",
    "ClientClosed",
    "Collection",
    "Conflict",
    "Expired",
    "Fleet",
    "FleetCondition",
    "FleetDegraded",
    "FleetMember",
    "FleetStatus",
    "FleetTimeout",
    "FlotillaError",
    "Forbidden",
    "Invalid",
    "InvalidWebhook",
    "LeaseLost",
    "NotFound",
    "Plane",
    "PreconditionFailed",
    "Retry",
    "RootCollection",
    "Snapshot",
    "SnapshotResource",
    "StateEvent",
    "TooManyRequests",
    "Unauthorized",
    "Unavailable",
    "Upserted",
    "WaitTimeout",
    "Watch",
    "WatchEvent",
    "__version__",
    "adapter",
    "openapi",
    "verify_webhook",
]
