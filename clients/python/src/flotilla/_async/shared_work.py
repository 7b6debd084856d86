"""The work of an adapter, shared with its other processes."""

from __future__ import annotations

import logging
import math

from ..errors import ApiError, Invalid
from .worker import AsyncWorker, _Held

LONGEST_AGE = 604_800
NO_LEASES = frozenset({403, 404, 405, 409, 501})
"""The statuses of servers that permit the adapter no leases."""
LONGEST_DELAY = 86_400


class AsyncSharedWork(AsyncWorker):
    """Leases the work of an adapter. `stop()` waits for no calls, and failures follow `retry`."""

    _log = logging.getLogger("flotilla.adapter")

    async def _finish(self) -> None:
        pass

    def _is_final(self, error: ApiError) -> bool:
        """Whether the server permits no leases, or the options are invalid. Others may pass."""
        return error.status in NO_LEASES or isinstance(error, Invalid)

    def _delay(self, held: _Held, error: Exception | None) -> int:
        if error is None or isinstance(error, Invalid):
            # A repetition fails again. The next heartbeat or change tries once more.
            return min(LONGEST_DELAY, self._max_age or LONGEST_DELAY)
        retry_after = error.retry_after if isinstance(error, ApiError) else None
        delay = self._retry.delay(held.attempt, retry_after)
        return min(LONGEST_DELAY, max(1, math.ceil(delay)))


def age_of(heartbeat: float) -> int:
    """The age at which reports expire, in the whole seconds that the server accepts."""
    return int(min(LONGEST_AGE, max(1.0, heartbeat)))
