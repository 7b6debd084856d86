"""What the asynchronous client needs of asyncio. `_sync/runtime.py` has the same for threads."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress

sleep = asyncio.sleep
AsyncOutcome = Awaitable
"""The result of a callback."""


class AsyncSignal:
    """A flag that can be waited for."""

    def __init__(self) -> None:
        self._event = asyncio.Event()

    def set(self) -> None:
        """Raises the flag."""
        self._event.set()

    def clear(self) -> None:
        """Lowers the flag."""
        self._event.clear()

    def is_set(self) -> bool:
        """Whether the flag is up."""
        return self._event.is_set()

    async def wait(self, timeout: float) -> bool:
        """Waits until the flag is up or the time is over. Returns whether it is up."""
        with suppress(asyncio.TimeoutError):
            await asyncio.wait_for(self._event.wait(), timeout)
        return self._event.is_set()


class AsyncBackground:
    """Work that runs beside the caller. It must end when its signal is set."""

    def __init__(self, work: Callable[[], Awaitable[None]], name: str) -> None:
        self._task = asyncio.ensure_future(work())
        self._task.set_name(name)

    def is_running(self) -> bool:
        """Whether the work has not ended."""
        return not self._task.done()

    async def stop(self) -> None:
        """Cancels the work and waits for its end. Ignores its exceptions."""
        self._task.cancel()
        await asyncio.wait([self._task])

    async def join(self) -> None:
        """Waits for the end of the work."""
        await asyncio.wait([self._task])
