"""What the synchronous client needs of threads. `_async/runtime.py` has the same for asyncio."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Annotated, TypeVar

sleep = time.sleep

T = TypeVar("T")
Outcome = Annotated[T, "the result of a callback"]
"""The result of a callback."""


class Signal:
    """A flag that can be waited for."""

    def __init__(self) -> None:
        self._event = threading.Event()

    def set(self) -> None:
        """Raises the flag."""
        self._event.set()

    def clear(self) -> None:
        """Lowers the flag."""
        self._event.clear()

    def is_set(self) -> bool:
        """Whether the flag is up."""
        return self._event.is_set()

    def wait(self, timeout: float) -> bool:
        """Waits until the flag is up or the time is over. Returns whether it is up."""
        return self._event.wait(timeout)


class Background:
    """Work that runs beside the caller. It must end when its signal is set."""

    def __init__(self, work: Callable[[], None], name: str) -> None:
        self._thread = threading.Thread(target=work, name=name, daemon=True)
        self._thread.start()

    def is_running(self) -> bool:
        """Whether the work has not ended."""
        return self._thread.is_alive()

    def stop(self) -> None:
        """Waits for the end of the work for up to a second. Its signal must be set."""
        if self._thread is not threading.current_thread():
            self._thread.join(1.0)

    def join(self) -> None:
        """Waits for the end of the work."""
        self._thread.join()
