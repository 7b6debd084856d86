# Generated from flotilla/_async by `npm run openapi`.
"""Runs a worker of an adapter."""

from __future__ import annotations

import logging
import math
import random
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Any

from .._core.adapter_result import Reported
from ..errors import ApiError, ClientClosed, Conflict, NotFound
from ..retry import Retry, is_transient
from .client import Client
from .reconcile import Functions, Reconcile
from .runtime import Background, Signal
from .work_leases import WorkLeases

MAX_DELAY = 300
MAX_PER_REQUEST = 100
MIN_PAUSE = 1.0


@dataclass
class _Held:
    """A leased resource. `is_open` is true until the lease is completed, given back or lost."""

    item: dict[str, Any]
    is_open: bool = True
    work: Background | None = None

    @property
    def token(self) -> str:
        return str(self.item["lease"]["token"])

    @property
    def attempt(self) -> int:
        return int(self.item["attempt"])


class Worker:
    """Leases the resources that are due for an adapter, reconciles them and reports the results.

    Any number of workers of one adapter can run: no two of them get one resource at the same time.
    The server selects the due resources: new generations, deletions, and reports older than
    `max_age` seconds; without it, reports are not repeated. `kinds` are names such as `Cluster`;
    the default is every kind that requires the adapter. `search` selects a part of the resources.

    A lease lasts `lease_seconds` and is renewed during longer work, so the work of a crashed worker
    is repeated after this time. `reconcile`, `finalize` and `concurrency` are those of an adapter.
    If a function raises an exception, the resource is due again after a growing delay.
    """

    _log = logging.getLogger("flotilla.worker")

    def __init__(
        self,
        client: Client,
        name: str,
        reconcile: Reconcile,
        *,
        finalize: Reconcile | None = None,
        kinds: Sequence[str] | None = None,
        search: str | None = None,
        max_age: int | None = None,
        lease_seconds: int = 60,
        concurrency: int = 8,
        retry: Retry | None = None,
        on_report: Callable[[Reported], None] | None = None,
    ) -> None:
        self.name = name
        self._functions = Functions(reconcile, finalize)
        self._kinds = kinds
        self._search = search
        self._max_age = max_age
        self._lease_seconds = lease_seconds
        self._concurrency = concurrency
        self._retry = retry or Retry(base=1.0, cap=60.0)
        self._on_report = on_report
        self._leases = WorkLeases(client._transport, name, lease_seconds)
        self._held: dict[str, _Held] = {}
        self._stopping = Signal()
        self._ended = Signal()
        self._freed = Signal()
        self._error: ApiError | None = None

    def run(self) -> None:
        """Runs until `stop()` is called. Raises an error of the server that a retry cannot help."""
        lease = Background(self._lease, f"{self.name} lease")
        renew = Background(self._renew, f"{self.name} renew")
        try:
            while not self._stopping.wait(3600.0):
                pass
            lease.stop()
            self._finish()
        finally:
            self.stop()
            self._ended.set()
            lease.stop()
            for held in [*self._held.values()]:
                if held.work is not None:
                    held.work.stop()
            renew.stop()
        if self._error is not None:
            raise self._error

    def _finish(self) -> None:
        """Waits for the calls in progress."""
        for held in [*self._held.values()]:
            if held.work is not None:
                held.work.join()

    def _is_final(self, error: ApiError) -> bool:
        """Whether an error of the server ends the worker."""
        return not is_transient(error)

    def _delay(self, held: _Held, error: Exception | None) -> int:
        """Seconds until work is repeated after a failure or, without one, a discarded report."""
        return int(min(MAX_DELAY, 2 ** min(held.attempt, 10)))

    def stop(self) -> None:
        """Ends `run()` after the calls in progress, whose results are reported."""
        self._stopping.set()
        self._freed.set()

    def _lease(self) -> None:
        failures = 0
        while not self._stopping.is_set():
            self._freed.clear()
            free = self._concurrency - len(self._held)
            if free <= 0:
                self._freed.wait(1.0)
                continue
            start = time.monotonic()
            try:
                items = self._leases.lease(
                    min(free, MAX_PER_REQUEST),
                    kinds=self._kinds,
                    search=self._search,
                    max_age=self._max_age,
                )
            except ClientClosed:
                self.stop()
                return
            except Exception as error:
                if isinstance(error, ApiError) and self._is_final(error):
                    self._error = error
                    self.stop()
                    return
                failures += 1
                self._log.warning("%s: lease: %s", self.name, error)
                retry_after = error.retry_after if isinstance(error, ApiError) else None
                self._stopping.wait(self._retry.delay(failures, retry_after))
                continue
            failures = 0
            for item in items:
                self._start(_Held(item))
            if not items and time.monotonic() - start < max(MIN_PAUSE, self._leases.wait / 2):
                # The server has not waited, for example because it stops.
                self._stopping.wait(MIN_PAUSE * (1 + random.random()))

    def _start(self, held: _Held) -> None:
        if self._stopping.is_set():
            self._give_back(held, None)
            return
        self._held[held.token] = held
        name = f"{self.name} {held.item['resource']['id']}"
        held.work = Background(partial(self._handle, held), name)

    def _renew(self) -> None:
        """Renews all leases three times within their duration."""
        while not self._ended.wait(self._lease_seconds / 3):
            for held in [*self._held.values()]:
                try:
                    self._leases.renew(held.token)
                except Conflict:
                    held.is_open = False
                except Exception as error:
                    self._log.warning("%s: renewal: %s", self.name, error)

    def _handle(self, held: _Held) -> None:
        delay: int | None = None
        try:
            delay = self._reconcile_and_report(held)
        except Exception as error:
            delay = self._delay(held, error)
            self._log.warning("%s: %s: %s", self.name, held.item["resource"]["id"], error)
        finally:
            try:
                self._give_back(held, delay)
            finally:
                self._held.pop(held.token, None)
                self._freed.set()

    def _reconcile_and_report(self, held: _Held) -> int | None:
        """Completes the lease. Returns the delay after a report that the server discarded."""
        resource = held.item["resource"]
        result = self._functions.call(resource)
        if not held.is_open:
            self._log.warning("%s: %s: the lease was lost", self.name, resource["id"])
            return None
        try:
            discarded = self._leases.report(held.item, result)
        except (Conflict, NotFound) as error:
            # Another worker has the resource, or it is removed.
            self._log.info("%s: %s: %s", self.name, resource["id"], error)
            held.is_open = False
            return None
        held.is_open = discarded is not None
        if self._on_report is not None:
            self._on_report(Reported(resource, resource["generation"], result, discarded))
        if discarded is None:
            return None
        delay = self._delay(held, None)
        return delay if result.again is None else min(delay, max(1, math.ceil(result.again)))

    def _give_back(self, held: _Held, delay: int | None) -> None:
        """Gives an open lease back. If that fails, the lease ends by itself."""
        if held.is_open:
            # Also errors of the function that returns the token.
            with suppress(Exception):
                self._leases.give_back(held.token, delay)
