"""The end of a wait."""

from __future__ import annotations

import time

from ..errors import WaitTimeout


class Deadline:
    """A moment in the future. Without a timeout it never passes."""

    def __init__(self, timeout: float | None, message: str = "the wait has timed out") -> None:
        self.message = message
        self._end = None if timeout is None else time.monotonic() + timeout

    def remaining(self) -> float | None:
        """The seconds until the deadline, or None if it never passes."""
        return None if self._end is None else max(0.0, self._end - time.monotonic())

    def check(self) -> None:
        """Raises WaitTimeout if the deadline has passed."""
        if self.remaining() == 0.0:
            raise WaitTimeout(self.message)

    def limit(self, seconds: float) -> float:
        """The given seconds, or the seconds until the deadline if these are fewer."""
        remaining = self.remaining()
        return seconds if remaining is None else min(seconds, remaining)

    def is_exceeded_by(self, silence: float | None) -> bool:
        """Whether a stream that may be silent so long could end long after the deadline."""
        remaining = self.remaining()
        return remaining is not None and silence is not None and silence > remaining * 1.25 + 0.05
