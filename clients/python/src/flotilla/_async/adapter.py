"""Runs an adapter."""

from __future__ import annotations

import logging
import random
from collections.abc import Callable, Mapping
from datetime import timedelta
from typing import Any

from .._core.adapter_result import Reported, condition_of, is_done, overdue_search
from .._core.work_queue import WorkQueue
from ..errors import ApiError, Invalid, NotFound
from ..retry import Retry
from .client import AsyncClient
from .collection import AsyncCollection
from .reconcile import AsyncFunctions, Reconcile
from .runtime import AsyncBackground, AsyncSignal
from .shared_work import AsyncSharedWork, age_of

LOG = logging.getLogger("flotilla.adapter")


class _Removed(Exception):
    """The resource was removed. A NotFound of the adapter's functions is about something else."""


class AsyncAdapter:
    """Calls `reconcile` for every resource that is due, and reports the results.

    `name` is the name of the adapter in its reports. `resources` are the clusters by default.
    `search` selects a part of them, such as `labels.shard = '3'`. Deleted resources are passed to
    `finalize`; without it, the adapter has nothing to remove and finalizes them immediately. Every
    resource gets a report at least every `heartbeat` seconds. `concurrency` is the number of calls
    in progress.

    Both functions get the resource as a dictionary and must succeed when they are repeated. If
    one raises an exception, the call is repeated with backoff.

    Processes with an adapter of one name share the work: the adapter leases it from the server, as
    `Worker` does, and renews the leases. The work of a crashed process is repeated after
    `lease_seconds`. If the server rejects leases, for example because it is too old, the adapter
    finds its work by a watch and a search. Then every process does all the work.
    """

    def __init__(
        self,
        client: AsyncClient,
        name: str,
        reconcile: Reconcile,
        *,
        finalize: Reconcile | None = None,
        resources: AsyncCollection[Any] | None = None,
        search: str | None = None,
        heartbeat: float = 60.0,
        concurrency: int = 8,
        lease_seconds: int = 60,
        retry: Retry | None = None,
        on_report: Callable[[Reported], None] | None = None,
    ) -> None:
        self.name = name
        self._client = client
        self._functions = AsyncFunctions(reconcile, finalize)
        self._resources: AsyncCollection[Any] = resources or client.clusters
        self._search = search
        self._heartbeat = heartbeat
        self._concurrency = concurrency
        self._retry = retry or Retry(base=1.0, cap=60.0)
        self._on_report = on_report
        self._queue = WorkQueue()
        self._reported: dict[str, int] = {}
        self._in_progress: dict[str, int] = {}
        self._stopping = AsyncSignal()
        self._added = AsyncSignal()
        self._shared = AsyncSharedWork(
            client,
            name,
            reconcile,
            finalize=finalize,
            kinds=[self._resources._kind],
            search=search,
            max_age=age_of(heartbeat),
            lease_seconds=lease_seconds,
            concurrency=concurrency,
            retry=self._retry,
            on_report=self._observe,
        )

    async def run(self) -> None:
        """Runs until `stop()` is called."""
        if self._resources._is_root:
            try:
                await self._shared.run()
                return
            except Invalid:
                raise
            except ApiError as error:
                LOG.warning("%s: does not share its work: %s", self.name, error)
        await self._run_alone()

    async def _run_alone(self) -> None:
        parts = [
            AsyncBackground(self._watch, f"{self.name} watch"),
            AsyncBackground(self._find_overdue, f"{self.name} search"),
        ]
        for number in range(self._concurrency):
            parts.append(AsyncBackground(self._work, f"{self.name} worker {number}"))
        try:
            while not await self._stopping.wait(3600.0):
                pass
        finally:
            self.stop()
            for part in parts:
                await part.stop()

    def stop(self) -> None:
        """Ends `run()`. Cancels calls in progress in asyncio. Threads have a second to end."""
        self._shared.stop()
        self._stopping.set()
        self._added.set()

    def _add(self, key: str, delay: float = 0.0) -> None:
        self._queue.add(key, delay)
        self._added.set()

    async def _watch(self) -> None:
        """Queues every existing resource, then every resource with a new generation."""
        failures = 0
        while not self._stopping.is_set():
            try:
                fields = ["id", "generation", "deleted_time", "status"]
                async with self._resources.watch(self._search, fields=fields) as events:
                    async for event in events:
                        if self._stopping.is_set():
                            return
                        failures = 0
                        self._handle(event.type, event.object)
            except Exception as error:
                failures += 1
                LOG.warning("%s: watch: %s", self.name, error)
            await self._stopping.wait(self._retry.delay(max(failures, 1)))

    def _handle(self, type_: str, resource: Mapping[str, Any]) -> None:
        if type_ == "DELETED":
            self._forget(resource["id"])
            return
        if "id" not in resource:
            return
        self._queue.keep(resource["id"])
        # Reports change conditions, but not the generation. The watch can send the change of a
        # report before the response to the report arrives.
        if resource["generation"] not in (
            self._reported.get(resource["id"]),
            self._in_progress.get(resource["id"]),
        ):
            is_known = resource["id"] in self._reported
            is_old = not is_known and is_done(resource, self.name)
            # Resources that an earlier run has finished are spread, so that a start is no burst.
            self._add(resource["id"], random.random() * self._heartbeat if is_old else 0.0)

    async def _find_overdue(self) -> None:
        """Queues resources without a recent report: heartbeats, and work that was missed."""
        failures = 0
        delay = self._heartbeat / 2
        while not await self._stopping.wait(delay):
            try:
                before = self._client.server_time() - timedelta(seconds=self._heartbeat)
                search = overdue_search(condition_of(self.name), before, self._search)
                async for resource in self._resources.list(search, fields="id", page_size=1000):
                    self._add(resource["id"])
                failures, delay = 0, self._heartbeat / 2
            except Exception as error:
                failures += 1
                delay = self._retry.delay(failures)
                LOG.warning("%s: search: %s", self.name, error)

    async def _work(self) -> None:
        while not self._stopping.is_set():
            self._added.clear()
            key = self._queue.take()
            if key is None:
                await self._added.wait(0.5)
            else:
                await self._handle_one(key)

    async def _handle_one(self, key: str) -> None:
        try:
            await self._reconcile_and_report(key)
            self._queue.done(key)
        except _Removed:
            self._queue.done(key)
            self._forget(key)
        except Invalid as error:
            # A repetition fails again. The next heartbeat or change tries once more.
            LOG.error("%s: %s: %s", self.name, key, error)
            self._queue.done(key)
        except Exception as error:
            retry_after = error.retry_after if isinstance(error, ApiError) else None
            failures = self._queue.failed(key)
            if failures is None:
                LOG.info("%s: %s: %s; it has left the search", self.name, key, error)
                return
            delay = self._retry.delay(failures, retry_after)
            LOG.warning("%s: %s: %s; next attempt in %.1f s", self.name, key, error, delay)
            self._add(key, delay)

    async def _reconcile_and_report(self, key: str) -> None:
        # The queue may be long: read the resource now, so that the work follows its current spec.
        try:
            resource = await self._resources.get(key)
        except NotFound as error:
            raise _Removed from error
        self._in_progress[key] = resource["generation"]
        try:
            await self._call_and_report(key, resource)
        finally:
            self._in_progress.pop(key, None)

    async def _call_and_report(self, key: str, resource: Mapping[str, Any]) -> None:
        is_deleted = resource.get("deleted_time") is not None
        result = await self._functions.call(resource)
        if self._stopping.is_set():
            return
        try:
            outcome = await self._client.statuses.report(
                resource,
                self.name,
                result.report_conditions(is_deleted=is_deleted),
                observed_time=self._client.server_time(),
                data=result.data,
            )
        except NotFound as error:
            raise _Removed from error
        generation = resource["generation"]
        self._reported[key] = generation
        if result.again is not None:
            self._queue.repeat(key, result.again)
        self._observe(Reported(resource, generation, result, outcome.discarded))

    def _observe(self, reported: Reported) -> None:
        if reported.discarded:
            name = reported.resource["name"]
            LOG.info("%s: %s: discarded: %s", self.name, name, reported.discarded)
        if self._on_report is not None:
            self._on_report(reported)

    def _forget(self, key: str) -> None:
        self._queue.forget(key)
        self._reported.pop(key, None)
