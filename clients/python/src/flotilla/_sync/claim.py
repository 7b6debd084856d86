# Generated from flotilla/_async by `npm run openapi`.
"""Claims of members."""

from __future__ import annotations

import logging
import math
import os
import socket
import threading
import time
from collections.abc import Mapping
from datetime import datetime
from typing import Any, Literal

from .._core.deadline import Deadline
from .._core.segment import FLEETS, segment
from .._core.selection import without_none
from ..errors import ApiError, ClientClosed, Conflict, FlotillaError, LeaseLost, NotFound
from ..retry import is_transient
from ..snapshot import parse_time
from .plane import Plane
from .runtime import Background, Signal, sleep
from .transport import Transport

LOG = logging.getLogger("flotilla.claim")

Then = Literal["Recycle", "Delete", "Keep"]


class Claim:
    """A claimed member: no other client can claim it until its release or the end of its lease.

    Use it as a context manager. It claims a member, renews the lease in the background, and
    releases the member at the end. `cluster_id` is the name of the member's cluster.
    """

    def __init__(
        self,
        transport: Transport,
        fleet: str,
        request: Mapping[str, Any],
        *,
        then: Then,
        wait: float,
        tls: Any,
    ) -> None:
        self._transport = transport
        self._fleet = fleet
        self._request = dict(request)
        self._then = then
        self._wait = wait
        self._tls = tls
        self._claim: dict[str, Any] | None = None
        self._stopping = Signal()
        self._renewals: Background | None = None
        self._valid_until = math.inf
        self._is_lost = False
        self._kept = False

    def __repr__(self) -> str:
        member = self._claim["clusterID"] if self._claim else None
        return f"{type(self).__name__}(fleet={self._fleet!r}, cluster_id={member!r})"

    def __enter__(self) -> Claim:
        return self.acquire()

    def __exit__(self, type_: object, error: BaseException | None, trace: object) -> None:
        try:
            self.release()
        except FlotillaError:
            # The lease ends by itself. The caller's exception is more important.
            if error is None:
                raise

    @property
    def _held(self) -> dict[str, Any]:
        if self._claim is None:
            raise RuntimeError("the claim was not acquired: use 'with fleet.claim()'")
        return self._claim

    @property
    def cluster_id(self) -> str:
        """The name of the claimed cluster."""
        return str(self._held["clusterID"])

    @property
    def uid(self) -> str:
        """The ID of the claimed cluster."""
        return str(self._held["uid"])

    @property
    def claim_id(self) -> str:
        """The ID of the claim."""
        return str(self._held["claimID"])

    @property
    def holder(self) -> str:
        """The holder of the claim."""
        return str(self._held["holder"])

    @property
    def kept(self) -> bool:
        """Whether the holder before has released the member with `Keep`: its content is there."""
        return self._kept

    @property
    def expires_time(self) -> datetime | None:
        """The end of the lease by the server's clock, or None if it has no end."""
        text = self._held.get("expiresTime")
        return parse_time(text) if text else None

    @property
    def is_lost(self) -> bool:
        """Whether the lease has ended, so another client may use the member."""
        return self._is_lost or time.monotonic() >= self._valid_until

    @property
    def plane(self) -> Plane:
        """The plane of the claimed cluster."""
        return Plane(self._transport, self.uid, tls=self._tls)

    def check(self) -> None:
        """Raises LeaseLost if the lease has ended."""
        if self.is_lost:
            raise LeaseLost(f"the lease on '{self.cluster_id}' of fleet '{self._fleet}' has ended")

    def acquire(self) -> Claim:
        """Claims a member and starts to renew its lease. Raises Conflict if none is left."""
        deadline = Deadline(self._wait)
        failures = 0
        while True:
            sent = time.monotonic()
            try:
                claim = self._post("claim", self._request)
                break
            except Conflict as error:
                failures += 1
                delay = self._transport.options.retry.delay(failures, error.retry_after)
                if deadline.limit(delay) < delay:
                    raise
                sleep(delay)
        self._accept(claim, sent)
        self._kept = bool(claim.get("kept", False))
        if self._ttl is not None:
            self._renewals = Background(self._renew_regularly, f"renew {self.cluster_id}")
        return self

    @property
    def _ttl(self) -> float | None:
        ttl = self._request.get("ttlSeconds")
        return None if ttl is None else float(ttl)

    def _accept(self, claim: dict[str, Any], sent: float) -> None:
        self._claim = claim
        self._valid_until = math.inf if self._ttl is None else sent + self._ttl

    def renew(self) -> None:
        """Extends the lease by its duration. Raises LeaseLost if it has ended."""
        body = {
            "clusterID": self.cluster_id,
            "claimID": self.claim_id,
            **without_none(ttlSeconds=self._request.get("ttlSeconds")),
        }
        sent = time.monotonic()
        try:
            claim = self._post("renew", body, idempotent=True)
        except (Conflict, NotFound) as error:
            self._is_lost = True
            raise LeaseLost(str(error)) from error
        self._accept(claim, sent)

    def release(self, then: Then | None = None) -> None:
        """Ends the claim. `Recycle` resets the member to its template; ending twice is no error."""
        self._stopping.set()
        renewals, self._renewals = self._renewals, None
        if renewals is not None:
            renewals.stop()
        if self._claim is None or self._valid_until == -math.inf:
            return
        body = {
            "clusterID": self.cluster_id,
            "claimID": self.claim_id,
            "then": then or self._then,
        }
        try:
            self._post("release", body, idempotent=True)
        except (Conflict, NotFound):
            self._is_lost = True  # The lease has ended before.
        self._valid_until = -math.inf

    def _renew_regularly(self) -> None:
        interval = max(0.2, (self._ttl or 0.0) / 3)
        while not self._stopping.wait(interval):
            try:
                self.renew()
            except (ClientClosed, LeaseLost):
                return
            except ApiError as error:
                if not is_transient(error):
                    self._is_lost = True
                    return
            except Exception as error:
                # Such as a failure of the function that returns the token.
                LOG.warning("the lease on '%s' was not renewed: %s", self.cluster_id, error)

    def _post(self, verb: str, body: Any, *, idempotent: bool = False) -> dict[str, Any]:
        path = f"{FLEETS}/{segment(self._fleet)}/{verb}"
        answer: dict[str, Any] = self._transport.json(
            "POST", path, body=body, idempotent=idempotent
        )
        return answer


def default_holder() -> str:
    """A name for the caller: host, process and thread."""
    return f"{socket.gethostname()}-{os.getpid()}-{threading.get_ident() % 100000}"
