# Generated from flotilla/_async by `npm run openapi`.
"""The client of a server."""

from __future__ import annotations

import logging
import random
import uuid
from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager
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
from .collection import RootCollection
from .fleet import Fleet
from .node_pools import NodePools
from .plane import Plane
from .runtime import sleep
from .statuses import Statuses
from .transport import Transport, Options, Params, Token
from .webhooks import Webhooks

LOG = logging.getLogger("flotilla.client")

MIN_PAUSE = 0.05
"""Seconds before the creation is repeated for a fleet that was not found."""


class Client:
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
        self._transport = Transport(
            Options(
                base_url=self.base_url,
                token=token,
                verify=tls_verification(verify_tls),
                timeout=timeout,
                stall_timeout=stall_timeout,
                retry=retry or Retry(),
            )
        )
        self.clusters: RootCollection[Cluster] = RootCollection(
            self._transport, f"{API}/clusters", "Cluster"
        )
        self.nodepools = NodePools(self._transport)
        self.views: RootCollection[View] = RootCollection(
            self._transport, f"{API}/views", "View"
        )
        self.statuses = Statuses(self._transport)
        self.webhooks = Webhooks(self._transport)

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Closes all connections."""
        self._transport.close()

    def resources(self, plural: str, kind: str) -> RootCollection[dict[str, Any]]:
        """The resources of a configured kind, such as `("widgets", "Widget")`."""
        return RootCollection(self._transport, f"{API}/{segment(plural)}", kind)

    def request(
        self, method: str, path: str, *, body: Any = None, params: Params | None = None
    ) -> Any:
        """Sends a request to any path of the server and returns the JSON of the response."""
        return self._transport.json(method, path, body=body, params=params)

    def server_time(self) -> datetime:
        """The current time by the server's clock, from the `Date` of its responses."""
        return self._transport.clock.now()

    def plane(self, id: str) -> Plane:
        """The plane of a cluster, by the ID or the name of the cluster. Does no I/O."""
        return Plane(self._transport, id, tls=self._tls)

    def cluster_base_url(self, id: str) -> str:
        """The URL of the plane of a cluster. Does no I/O."""
        return self.base_url + plane_path(id)

    def kubeconfig(self, id: str) -> dict[str, Any]:
        """A kubeconfig for the plane of a cluster. Written as JSON, kubectl can read it."""
        return self.plane(id).kubeconfig()

    def states(
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
                return self._states(body, skip_missing)
            except ApiError as error:
                failures += 1
                if not retry.permits(error, failures, idempotent=True):
                    raise
                sleep(retry.delay(failures, error.retry_after))

    def _states(self, body: dict[str, Any], skip_missing: bool) -> list[Snapshot]:
        snapshots: list[Snapshot] = []
        path = f"{API}/snapshots"
        with self._transport.stream(path, method="POST", body=body) as documents:
            for document in documents:
                if "error" not in document:
                    snapshots.append(Snapshot.parse(document))
                elif not skip_missing:
                    raise document_error(document["error"])
        return snapshots

    def create_fleet(
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
    ) -> Fleet:
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
            document = self._transport.json("POST", FLEETS, body=body, idempotent=True)
        except Conflict as conflict:
            # A retry finds the fleet of an attempt whose response was lost.
            try:
                fleet = self.get_fleet(name)
            except NotFound:
                raise conflict from None
            if (fleet.raw["metadata"].get("annotations") or {}).get(REQUEST) != request:
                raise
            return fleet
        return Fleet(self._transport, document, tls=self._tls)

    def get_fleet(self, name: str) -> Fleet:
        """Reads a fleet. Raises NotFound."""
        document = self._transport.json("GET", f"{FLEETS}/{segment(name)}")
        return Fleet(self._transport, document, tls=self._tls)

    def list_fleets(self, label_selector: str | None = None) -> list[Fleet]:
        """All fleets, or those that a selector in the syntax of Kubernetes selects."""
        return [fleet for fleet in self._fleets(label_selector)]

    def _fleets(self, label_selector: str | None) -> Generator[Fleet, None, None]:
        token = None
        while True:
            params: Params = {"labelSelector": label_selector, "limit": 100, "continue": token}
            page = self._transport.json("GET", FLEETS, params=params)
            for item in page["items"]:
                yield Fleet(self._transport, item, tls=self._tls)
            token = page["metadata"].get("continue")
            if not token:
                return

    @contextmanager
    def ephemeral_fleet(
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
    ) -> Iterator[Fleet]:
        """A fleet that is deleted at the end of the context, even after an exception.

        Members stay, unless `delete_members`. The end of the context waits until the fleet is
        removed, and with `delete_members` its members too. The creation waits for a fleet of this
        name that is being deleted. Each wait raises WaitTimeout after `timeout` seconds. The other
        arguments are those of `create_fleet`.
        """
        deadline = Deadline(timeout)
        while True:
            try:
                fleet = self.create_fleet(
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
                self._wait_for_predecessor(name, conflict, deadline)
        try:
            yield fleet
        except BaseException:
            self._delete_quietly(fleet, delete_members, timeout)
            raise
        fleet.delete(members=delete_members)
        fleet.wait_until_deleted(timeout)

    def _wait_for_predecessor(
        self, name: str, conflict: Conflict, deadline: Deadline
    ) -> None:
        """Waits for the end of the fleet that has a name. Raises the conflict if it stays."""
        try:
            fleet = self.get_fleet(name)
        except NotFound:
            # It was removed in the meantime, or the conflict has another cause.
            if deadline.remaining() == 0.0:
                raise conflict from None
            sleep(deadline.limit(MIN_PAUSE * (1 + random.random())))
            return
        if "deletionTimestamp" not in fleet.raw["metadata"]:
            raise conflict
        fleet.wait_until_deleted(deadline.remaining())

    def _delete_quietly(self, fleet: Fleet, members: bool, timeout: float) -> None:
        """Deletes a fleet after an exception, which a failed deletion must not hide."""
        try:
            fleet.delete(members=members)
            fleet.wait_until_deleted(timeout)
        except Exception as error:
            LOG.warning("the ephemeral fleet '%s' was not deleted: %s", fleet.name, error)
