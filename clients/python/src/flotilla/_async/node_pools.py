"""Node pools."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from .._core.segment import API, segment
from .._core.selection import resource_id, without_none
from ..bulk import BulkResult, Upserted
from ..events import WatchEvent
from ..types.hyperfleet import NodePool
from .collection import AsyncCollection, Resource
from .pages import AsyncItems
from .transport import AsyncTransport
from .watch import AsyncWatch


class AsyncNodePools(AsyncCollection[NodePool]):
    """The node pools of all clusters, or of one cluster."""

    def __init__(self, transport: AsyncTransport) -> None:
        super().__init__(transport, f"{API}/nodepools", "NodePool")

    def _of(self, cluster: Resource) -> AsyncCollection[NodePool]:
        nested = _nested(cluster)
        return AsyncCollection(self._transport, self._path, self._kind, nested)

    async def create(
        self,
        cluster: Resource,
        name: str,
        spec: Mapping[str, Any] | None = None,
        *,
        labels: Mapping[str, str] | None = None,
        annotations: Mapping[str, str] | None = None,
        idempotency_key: str | None = None,
        dry_run: bool = False,
    ) -> NodePool:
        """Creates a node pool of a cluster. Raises Conflict if the name is taken there."""
        body = {
            "kind": self._kind,
            "name": name,
            "spec": dict(spec or {}),
            **without_none(labels=labels, annotations=annotations),
        }
        created: NodePool = await self._create(
            _nested(cluster), body, idempotency_key=idempotency_key, dry_run=dry_run
        )
        return created

    async def create_many(
        self,
        cluster: Resource,
        items: Sequence[Mapping[str, Any]],
        *,
        atomic: bool = False,
        idempotency_key: str | None = None,
        dry_run: bool = False,
    ) -> Sequence[BulkResult[NodePool]]:
        """Creates up to 1000 node pools of a cluster in one request."""
        return await self._create_many(
            _nested(cluster),
            items,
            atomic=atomic,
            idempotency_key=idempotency_key,
            dry_run=dry_run,
        )

    async def upsert(
        self,
        cluster: Resource,
        name: str,
        spec: Mapping[str, Any] | None = None,
        *,
        labels: Mapping[str, str] | None = None,
        annotations: Mapping[str, str] | None = None,
        if_match: str | None = None,
        dry_run: bool = False,
    ) -> Upserted[NodePool]:
        """Creates the node pool with a name, or replaces its spec and its labels."""
        body = {
            "spec": dict(spec or {}),
            **without_none(labels=labels, annotations=annotations),
        }
        return await self._upsert(_nested(cluster), name, body, if_match, dry_run)

    async def get_by_name(self, cluster: Resource, name: str) -> NodePool:
        """Reads the live node pool of a cluster with a name. Raises NotFound."""
        path = f"{_nested(cluster)}/by-name/{segment(name)}"
        body: NodePool = await self._transport.json("GET", path)
        return body

    def list(
        self, search: str | None = None, *, cluster: Resource | None = None, **options: Any
    ) -> AsyncItems[NodePool]:
        """The node pools that match a search, of one cluster or of all."""
        if cluster is None:
            return super().list(search, **options)
        return self._of(cluster).list(search, **options)

    def watch(
        self, search: str | None = None, *, cluster: Resource | None = None, **options: Any
    ) -> AsyncWatch[WatchEvent[NodePool]]:
        """Follows the node pools of one cluster or of all."""
        if cluster is None:
            return super().watch(search, **options)
        return self._of(cluster).watch(search, **options)


def _nested(cluster: Resource) -> str:
    return f"{API}/clusters/{segment(resource_id(cluster))}/nodepools"
