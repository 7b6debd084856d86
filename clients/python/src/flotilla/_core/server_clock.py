"""The server's clock."""

from __future__ import annotations

import email.utils
from collections.abc import Callable, Mapping
from datetime import datetime, timedelta, timezone

TOLERANCE = timedelta(seconds=1.5)


def local_time() -> datetime:
    """The time of this machine."""
    return datetime.now(timezone.utc)


class ServerClock:
    """Estimates the server's time from the `Date` headers of its responses.

    The header has whole seconds, so a skew of up to a second is not corrected, and smaller changes
    of the skew are ignored: the clock must not jump back between two reports.
    """

    def __init__(self, local: Callable[[], datetime] = local_time) -> None:
        self._local = local
        self.skew = timedelta(0)

    def observe(self, headers: Mapping[str, str]) -> None:
        """Updates the skew from the headers of a response that has just arrived."""
        try:
            server = email.utils.parsedate_to_datetime(headers["date"])
        except (KeyError, ValueError):
            return
        skew = server - self._local()
        if abs(skew - self.skew) > TOLERANCE:
            self.skew = skew if abs(skew) > TOLERANCE else timedelta(0)

    def now(self) -> datetime:
        """The current time by the server's clock."""
        return self._local() + self.skew
