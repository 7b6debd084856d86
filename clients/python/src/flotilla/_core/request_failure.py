"""Turns failures of the connection into exceptions."""

from __future__ import annotations

import httpx

from ..errors import Unavailable
from ..retry import INTERRUPTED, UNREACHABLE

NOT_SENT = (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout)


def request_failure(error: httpx.TransportError, url: str) -> Unavailable:
    """The exception for a request without a response."""
    code = UNREACHABLE if isinstance(error, NOT_SENT) else INTERRUPTED
    reason = str(error) or type(error).__name__
    return Unavailable(0, code, f"no response from {url}: {reason}")
