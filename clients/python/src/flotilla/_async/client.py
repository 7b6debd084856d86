"""The client of a server."""

from __future__ import annotations

import logging
import random
import uuid
from collections.abc import AsyncGenerator, AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from datetime import datetime
from typing import Any

from .._core.deadline import Deadline
from .._core.fleet_body import REQUEST, fleet_body
from .._core.plane_access import tls_verification
from .._core.response_error import document_error
from .._core.segment import API, FLEETS, plane_path, segment
from .._core.selection import without_none
from ..errors import ApiError, Conflict, NotFound
from ..retry import Retry
from ..snapshot import Snapshot
from ..types.hyperfleet import Cluster, View
from .collection import AsyncRootCollection
from .fleet import AsyncFleet
from .node_pools import AsyncNodePools
from .plane import AsyncPlane
from .runtime import sleep
from .statuses import AsyncStatuses
from .transport import AsyncTransport, Options, Params, Token
from .webhooks import AsyncWebhooks

LOG = logging.getLogger("flotilla.client")

MIN_PAUSE = 0.05
"""Seconds before the creation is repeated for a fleet that was not found."""


class AsyncClient:
    """A client of one server. It has a pool of connections: create one and share it.

    `token` is a bearer token, or a function that returns the current one. `verify_tls` may be the
    path of a file with certificate authorities. `timeout` limits each attempt of a request, and
    `stall_timeout` the silence of a watch.
    """

    def __init__(
        self,
        base_url: str,
        *,
        token: Token = None,
        verify_tls: bool | str = True,
        timeout: float = 30.0,
        stall_timeout: float = 45.0,
        retry: Retry | None = None,
    ) -> None:
        self.base_url = base_url.rstrip("/")
        self._tls = verify_tls
        self._transport = AsyncTransport(
            Options(
                base_url=self.base_url,
                token=token,
                verify=tls_verification(verify_tls),
                timeout=timeout,
                stall_timeout=stall_timeout,
                retry=retry or Retry(),
            )
        )
        self.clusters: AsyncRootCollection[Cluster] = AsyncRootCollection(
            self._transport, f"{API}/clusters", "Cluster"
        )
        self.nodepools = AsyncNodePools(self._transport)
        self.views: AsyncRootCollection[View] = AsyncRootCollection(
            self._transport, f"{API}/views", "View"
        )
        self.statuses = AsyncStatuses(self._transport)
        self.webhooks = AsyncWebhooks(self._transport)

    async def __aenter__(self) -> AsyncClient:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        """Closes all connections."""
        await self._transport.close()

    def resources(self, plural: str, kind: str) -> AsyncRootCollection[dict[str, Any]]:
        """The resources of a configured kind, such as `("widgets", "Widget")`."""
        return AsyncRootCollection(self._transport, f"{API}/{segment(plural)}", kind)

    async def request(
        self, method: str, path: str, *, body: Any = None, params: Params | None = None
    ) -> Any:
        """Sends a request to any path of the server and returns the JSON of the response."""
        return await self._transport.json(method, path, body=body, params=params)

    def server_time(self) -> datetime:
        """The current time by the server's clock, from the `Date` of its responses."""
        return self._transport.clock.now()

    def plane(self, id: str) -> AsyncPlane:
        """The plane of a cluster, by the ID or the name of the cluster. Does no I/O."""
        return AsyncPlane(self._transport, id, tls=self._tls)

    def cluster_base_url(self, id: str) -> str:
        """The URL of the plane of a cluster. Does no I/O."""
        return self.base_url + plane_path(id)

    def kubeconfig(self, id: str) -> dict[str, Any]:
        """A kubeconfig for the plane of a cluster. Written as JSON, kubectl can read it."""
        return self.plane(id).kubeconfig()

    async def states(
        self,
        ids: Sequence[str] | None = None,
        *,
        search: str | None = None,
        resource: str | Sequence[str] | None = None,
        include_empty: bool = False,
        min_resource_version: str | None = None,
        skip_missing: bool = False,
        strict: bool = False,
    ) -> list[Snapshot]:
        """The snapshots of up to 1000 clusters, by ID or name or by search, in one request.

        They contain the clusters, node pools, reports and the objects of planes. Unknown types in
        `resource` are ignored, unless `strict`. Raises NotFound for a missing cluster, unless
        `skip_missing`.
        """
        body = without_none(
            ids=None if ids is None else list(ids),
            search=search,
            resource=resource if resource is None or isinstance(resource, str) else list(resource),
            includeEmpty=include_empty or None,
            minResourceVersion=min_resource_version,
            strict=strict or None,
        )
        if ids is not None and not ids:
            return []
        retry, failures = self._transport.options.retry, 0
        while True:
            try:
                return await self._states(body, skip_missing)
            except ApiError as error:
                failures += 1
                if not retry.permits(error, failures, idempotent=True):
                    raise
                await sleep(retry.delay(failures, error.retry_after))

    async def _states(self, body: dict[str, Any], skip_missing: bool) -> list[Snapshot]:
        snapshots: list[Snapshot] = []
        path = f"{API}/snapshots"
        async with self._transport.stream(path, method="POST", body=body) as documents:
            async for document in documents:
                if "error" not in document:
                    snapshots.append(Snapshot.parse(document))
                elif not skip_missing:
                    raise document_error(document["error"])
        return snapshots

    async def create_fleet(
        self,
        name: str,
        replicas: int,
        name_prefix: str | None = None,
        names: Sequence[str] | None = None,
        template: Mapping[str, Any] | None = None,
        ttl_seconds: int | None = None,
        *,
        ttl_from: str | None = None,
        deletion_policy: str | None = None,
        scale_down_policy: str | None = None,
        update_strategy: Mapping[str, Any] | None = None,
        readiness: str | None = None,
        required_adapters: Sequence[str] | None = None,
        min_ready: int | None = None,
        paused: bool | None = None,
        labels: Mapping[str, str] | None = None,
        annotations: Mapping[str, str] | None = None,
    ) -> AsyncFleet:
        """Creates a fleet of planes. Raises Conflict if the name is taken.

        Members are named `<name_prefix>0000`, `<name_prefix>0001` ..., or have the given `names`.
        Raises ValueError if both are given. `template` is the initial content of a member:
        `labels`, `spec`, `nodePools` and `objects`, or `scenarioRef`.
        """
        request = str(uuid.uuid4())
        body = fleet_body(
            name,
            request,
            labels=labels,
            annotations=annotations,
            replicas=replicas,
            namePrefix=name_prefix,
            names=None if names is None else list(names),
            template=template,
            ttlSeconds=ttl_seconds,
            ttlFrom=ttl_from,
            deletionPolicy=deletion_policy,
            scaleDownPolicy=scale_down_policy,
            updateStrategy=update_strategy,
            readiness=readiness,
            requiredAdapters=None if required_adapters is None else list(required_adapters),
            minReady=min_ready,
            paused=paused,
        )
        try:
            document = await self._transport.json("POST", FLEETS, body=body, idempotent=True)
        except Conflict as conflict:
            # A retry finds the fleet of an attempt whose response was lost.
            try:
                fleet = await self.get_fleet(name)
            except NotFound:
                raise conflict from None
            if (fleet.raw["metadata"].get("annotations") or {}).get(REQUEST) != request:
                raise
            return fleet
        return AsyncFleet(self._transport, document, tls=self._tls)

    async def get_fleet(self, name: str) -> AsyncFleet:
        """Reads a fleet. Raises NotFound."""
        document = await self._transport.json("GET", f"{FLEETS}/{segment(name)}")
        return AsyncFleet(self._transport, document, tls=self._tls)

    async def list_fleets(self, label_selector: str | None = None) -> list[AsyncFleet]:
        """All fleets, or those that a selector in the syntax of Kubernetes selects."""
        return [fleet async for fleet in self._fleets(label_selector)]

    async def _fleets(self, label_selector: str | None) -> AsyncGenerator[AsyncFleet, None]:
        token = None
        while True:
            params: Params = {"labelSelector": label_selector, "limit": 100, "continue": token}
            page = await self._transport.json("GET", FLEETS, params=params)
            for item in page["items"]:
                yield AsyncFleet(self._transport, item, tls=self._tls)
            token = page["metadata"].get("continue")
            if not token:
                return

    @asynccontextmanager
    async def ephemeral_fleet(
        self,
        name: str,
        replicas: int,
        name_prefix: str | None = None,
        names: Sequence[str] | None = None,
        template: Mapping[str, Any] | None = None,
        ttl_seconds: int | None = None,
        *,
        delete_members: bool = False,
        timeout: float = 120.0,
        ttl_from: str | None = None,
        deletion_policy: str | None = None,
        scale_down_policy: str | None = None,
        update_strategy: Mapping[str, Any] | None = None,
        readiness: str | None = None,
        required_adapters: Sequence[str] | None = None,
        min_ready: int | None = None,
        paused: bool | None = None,
        labels: Mapping[str, str] | None = None,
        annotations: Mapping[str, str] | None = None,
    ) -> AsyncIterator[AsyncFleet]:
        """A fleet that is deleted at the end of the context, even after an exception.

        Members stay, unless `delete_members`. The end of the context waits until the fleet is
        removed, and with `delete_members` its members too. The creation waits for a fleet of this
        name that is being deleted. Each wait raises WaitTimeout after `timeout` seconds. The other
        arguments are those of `create_fleet`.
        """
        deadline = Deadline(timeout)
        while True:
            try:
                fleet = await self.create_fleet(
                    name,
                    replicas,
                    name_prefix,
                    names,
                    template,
                    ttl_seconds,
                    ttl_from=ttl_from,
                    deletion_policy=deletion_policy,
                    scale_down_policy=scale_down_policy,
                    update_strategy=update_strategy,
                    readiness=readiness,
                    required_adapters=required_adapters,
                    min_ready=min_ready,
                    paused=paused,
                    labels=labels,
                    annotations=annotations,
                )
                break
            except Conflict as conflict:
                await self._wait_for_predecessor(name, conflict, deadline)
        try:
            yield fleet
        except BaseException:
            await self._delete_quietly(fleet, delete_members, timeout)
            raise
        await fleet.delete(members=delete_members)
        await fleet.wait_until_deleted(timeout)

    async def _wait_for_predecessor(
        self, name: str, conflict: Conflict, deadline: Deadline
    ) -> None:
        """Waits for the end of the fleet that has a name. Raises the conflict if it stays."""
        try:
            fleet = await self.get_fleet(name)
        except NotFound:
            # It was removed in the meantime, or the conflict has another cause.
            if deadline.remaining() == 0.0:
                raise conflict from None
            await sleep(deadline.limit(MIN_PAUSE * (1 + random.random())))
            return
        if "deletionTimestamp" not in fleet.raw["metadata"]:
            raise conflict
        await fleet.wait_until_deleted(deadline.remaining())

    async def _delete_quietly(self, fleet: AsyncFleet, members: bool, timeout: float) -> None:
        """Deletes a fleet after an exception, which a failed deletion must not hide."""
        try:
            await fleet.delete(members=members)
            await fleet.wait_until_deleted(timeout)
        except Exception as error:
            LOG.warning("the ephemeral fleet '%s' was not deleted: %s", fleet.name, error)
