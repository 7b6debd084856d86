"""The errors that the SDK raises."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any


class FlotillaError(Exception):
    """The base class of all errors of the SDK."""


class ApiError(FlotillaError):
    """A response with an error status.

    `status` is the HTTP status. It is 0 if the server sent no response.
    `code` is the code of the problem, such as `HYPERFLEET-NTF-001`, or the reason of a Kubernetes
    `Status`, such as `NotFound`. `errors` lists the violations of an invalid request.
    `retry_after` is the number of seconds to wait before a retry, if the server sent one.
    """

    def __init__(
        self,
        status: int,
        code: str,
        message: str,
        *,
        request_id: str | None = None,
        errors: Sequence[dict[str, Any]] = (),
        retry_after: float | None = None,
    ) -> None:
        super().__init__(f"{status} {code}: {message}" if status else f"{code}: {message}")
        self.status = status
        self.code = code
        self.message = message
        self.request_id = request_id
        self.errors = list(errors)
        self.retry_after = retry_after


class Invalid(ApiError):
    """400, 413, 415, 422 or 431: the request is invalid. A retry fails again."""


class Unauthorized(ApiError):
    """401: the token is missing, expired or revoked."""


class Forbidden(ApiError):
    """403: the caller lacks a permission."""


class NotFound(ApiError):
    """404: the resource does not exist."""


class Conflict(ApiError):
    """409: the name is taken, or the state of the resource does not allow the request."""


class Expired(ApiError):
    """410: the change log no longer contains the resource version."""


class PreconditionFailed(ApiError):
    """412: the resource has changed since the caller read it."""


class TooManyRequests(ApiError):
    """429: the server limits the rate of requests or the number of watches."""


class Unavailable(ApiError):
    """502, 503 or 504, or no response (status 0): the server cannot serve the request now."""


class ClientClosed(FlotillaError):
    """The client was closed before the request."""


class WaitTimeout(FlotillaError, TimeoutError):
    """A wait has exceeded its timeout."""


class FleetTimeout(WaitTimeout):
    """A fleet was not ready in time. `missing` has the members that are not ready."""

    def __init__(self, fleet: str, ready: int, wanted: int, missing: Sequence[str]) -> None:
        self.fleet = fleet
        self.ready = ready
        self.wanted = wanted
        self.missing = list(missing)
        shown = ", ".join(self.missing[:10]) + (" ..." if len(self.missing) > 10 else "")
        super().__init__(
            f"fleet '{fleet}' has {ready} of {wanted} ready members; not ready: {shown}"
        )


class FleetDegraded(FlotillaError):
    """A fleet cannot become ready. `failed` maps members to the reasons of their failures."""

    def __init__(self, fleet: str, message: str, failed: dict[str, str]) -> None:
        self.fleet = fleet
        self.failed = failed
        super().__init__(f"fleet '{fleet}' is degraded: {message}")


class LeaseLost(FlotillaError):
    """The lease on a claimed member has expired, so another client may use the member."""


BY_STATUS: dict[int, type[ApiError]] = {
    400: Invalid,
    401: Unauthorized,
    403: Forbidden,
    404: NotFound,
    409: Conflict,
    410: Expired,
    412: PreconditionFailed,
    413: Invalid,
    415: Invalid,
    422: Invalid,
    429: TooManyRequests,
    431: Invalid,
    502: Unavailable,
    503: Unavailable,
    504: Unavailable,
}
