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
        self._forgotten: set[str] = set()
        self._failures: dict[str, int] = {}
        self._lock = threading.Lock()

    def add(self, key: str, delay: float = 0.0) -> None:
        """Makes a key due after a delay, unless it is due earlier."""
        with self._lock:
            self._forgotten.discard(key)
            self._schedule(key, delay)

    def repeat(self, key: str, delay: float = 0.0) -> None:
        """Makes a key due after a delay for the worker that has it, unless it was removed."""
        with self._lock:
            if key not in self._forgotten:
                self._schedule(key, delay)

    def keep(self, key: str) -> None:
        """Undoes the removal of a key that a worker still has."""
        with self._lock:
            self._forgotten.discard(key)

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
            self._forgotten.discard(key)
            self._failures.pop(key, None)

    def failed(self, key: str) -> int | None:
        """Ends the work on a key after a failure.

        Returns the number of consecutive failures, or None if the key was removed meanwhile.
        """
        with self._lock:
            self._taken.discard(key)
            if key in self._forgotten:
                self._forgotten.discard(key)
                return None
            self._failures[key] = self._failures.get(key, 0) + 1
            return self._failures[key]

    def forget(self, key: str) -> None:
        """Removes a key. A worker that has it keeps it until `done` or `failed`."""
        with self._lock:
            self._due.pop(key, None)
            self._failures.pop(key, None)
            if key in self._taken:
                self._forgotten.add(key)

    def _schedule(self, key: str, delay: float) -> None:
        due = self._clock() + delay
        self._due[key] = min(due, self._due.get(key, due))
