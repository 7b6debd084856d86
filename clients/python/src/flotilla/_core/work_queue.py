"""The resources that wait for a worker."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable


class WorkQueue:
    """Keys with the time at which they are due. A key is given to one worker at a time.

    Adding a key that a worker has makes it due again when the worker is done. Safe for threads.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._due: dict[str, float] = {}
        self._taken: set[str] = set()
        self._failures: dict[str, int] = {}
        self._lock = threading.Lock()

    def add(self, key: str, delay: float = 0.0) -> None:
        """Makes a key due after a delay, unless it is due earlier."""
        due = self._clock() + delay
        with self._lock:
            self._due[key] = min(due, self._due.get(key, due))

    def take(self) -> str | None:
        """A key that is due and that no worker has, or None."""
        now = self._clock()
        with self._lock:
            for key, due in self._due.items():
                if due <= now and key not in self._taken:
                    del self._due[key]
                    self._taken.add(key)
                    return key
        return None

    def done(self, key: str) -> None:
        """Ends the work on a key after a success."""
        with self._lock:
            self._taken.discard(key)
            self._failures.pop(key, None)

    def failed(self, key: str) -> int:
        """Ends the work on a key after a failure. Returns the number of consecutive failures."""
        with self._lock:
            self._taken.discard(key)
            self._failures[key] = self._failures.get(key, 0) + 1
            return self._failures[key]

    def forget(self, key: str) -> None:
        """Removes a key. A worker that has it keeps it until `done` or `failed`."""
        with self._lock:
            self._due.pop(key, None)
            self._failures.pop(key, None)
