"""When requests are sent again."""

from __future__ import annotations

import random
from dataclasses import dataclass

from .errors import ApiError, TooManyRequests, Unavailable


@dataclass(frozen=True)
class Retry:
    """The limits of retries: up to `attempts` requests, with delays from `base` to `cap` seconds.

    Half of each delay is random, so that clients do not return together after an outage. If the
    server asks for a longer delay than `longest_wait`, the error is raised instead.
    """

    attempts: int = 6
    base: float = 0.2
    cap: float = 10.0
    longest_wait: float = 60.0

    def delay(self, failures: int, retry_after: float | None = None) -> float:
        """The seconds to wait after a number of consecutive failures, from 1."""
        whole = min(self.cap, self.base * 2.0 ** min(failures - 1, 30))
        return max(retry_after or 0.0, whole / 2 + random.random() * whole / 2)

    def permits(self, error: ApiError, failures: int, *, idempotent: bool) -> bool:
        """Whether to send a request again after it has failed a number of times."""
        if failures >= self.attempts or (error.retry_after or 0.0) > self.longest_wait:
            return False
        return is_transient(error) and (idempotent or was_not_processed(error))


def is_transient(error: ApiError) -> bool:
    """Whether a later attempt can succeed."""
    return isinstance(error, TooManyRequests | Unavailable)


def was_not_processed(error: ApiError) -> bool:
    """Whether the server certainly did not process the request."""
    return isinstance(error, TooManyRequests) or error.code == UNREACHABLE


UNREACHABLE = "unreachable"
"""The code of errors without a connection: the server has not seen the request."""

INTERRUPTED = "interrupted"
"""The code of errors after which it is unknown whether the server processed the request."""
