"""The resources of a kind."""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from typing import Any, Generic, TypeVar

from .._core.deadline import Deadline
from .._core.response_error import document_error
from .._core.segment import segment
from .._core.selection import has_condition, joined, quoted, resource_id, without_none
from .._core.sources import HyperfleetSource
from ..bulk import BulkResult, Upserted
from ..errors import ApiError, NotFound
from ..events import WatchEvent
from .pages import AsyncItems, Predicate
from .transport import JSON_PATCH, MERGE_PATCH, AsyncTransport
from .watch import AsyncWatch, follow

T = TypeVar("T")
Resource = str | Mapping[str, Any]
Fields = str | Sequence[str] | None


class AsyncCollection(Generic[T]):
    """The resources of a kind at one path. Methods accept a resource or its ID.

    `search` arguments are TSL expressions, such as `labels.team = 'blue'`. With `fields`, items
    have only the selected fields.
    """

    def __init__(
        self, transport: AsyncTransport, path: str, kind: str, parent: str | None = None
    ) -> None:
        self._transport = transport
        self._path = path
        self._kind = kind
        self._list_path = path if parent is None else parent
        self._is_root = parent is None

    def _one(self, resource: Resource, rest: str = "") -> str:
        return f"{self._path}/{segment(resource_id(resource))}{rest}"

    async def _create(
        self,
        path: str,
        body: dict[str, Any],
        *,
        idempotency_key: str | None,
        dry_run: bool,
    ) -> Any:
        return await self._transport.json(
            "POST",
            path,
            body=body,
            params=dry_run_parameter(dry_run),
            headers={"Idempotency-Key": idempotency_key or str(uuid.uuid4())},
            idempotent=True,
        )

    async def _create_many(
        self,
        path: str,
        items: Sequence[Mapping[str, Any]],
        *,
        atomic: bool,
        idempotency_key: str | None,
        dry_run: bool,
    ) -> Sequence[BulkResult[T]]:
        bodies = [{"kind": self._kind, "spec": {}, **item} for item in items]
        answer = await self._create(
            f"{path}/bulk",
            {"items": bodies, "atomic": atomic},
            idempotency_key=idempotency_key,
            dry_run=dry_run,
        )
        return [bulk_result(item) for item in answer["items"]]

    async def _upsert(
        self, path: str, name: str, body: Mapping[str, Any], if_match: str | None, dry_run: bool
    ) -> Upserted[T]:
        response = await self._transport.request(
            "PUT",
            f"{path}/by-name/{segment(name)}",
            body={"kind": self._kind, "name": name, **body},
            params=dry_run_parameter(dry_run),
            headers=if_match_header(if_match),
            idempotent=if_match is None,
        )
        result: Any = response.headers["x-hyperfleet-upsert"]
        return Upserted(response.json(), result)

    async def get(self, resource: Resource) -> T:
        """Reads a resource. Raises NotFound."""
        body: T = await self._transport.json("GET", self._one(resource))
        return body

    def list(
        self,
        search: str | None = None,
        *,
        order_by: str | None = None,
        fields: Fields = None,
        page_size: int = 100,
        page: int | None = None,
        shard: str | None = None,
    ) -> AsyncItems[T]:
        """The resources that match a search, as an iterator that reads pages as needed.

        `page` limits the list to one page. `order_by` is a list such as `name, created_time desc`.
        `shard` limits the list of a system to one shard.
        """
        query = {
            "search": search,
            "orderBy": order_by,
            "fields": joined(fields),
            "pageSize": page_size,
            "shard": shard,
        }
        return AsyncItems(self._transport, self._list_path, query, number=page)

    def search(self, expression: str, **options: Any) -> AsyncItems[T]:
        """The resources that match a TSL expression. The options are those of `list`."""
        return self.list(expression, **options)

    async def patch(
        self,
        resource: Resource,
        *,
        spec: Mapping[str, Any] | None = None,
        labels: Mapping[str, str] | None = None,
        annotations: Mapping[str, str] | None = None,
        if_match: str | None = None,
        dry_run: bool = False,
    ) -> T:
        """Replaces the spec, the labels or the annotations of a resource.

        With `if_match`, an ETag, the patch raises PreconditionFailed if the resource has changed.
        """
        body = without_none(spec=spec, labels=labels, annotations=annotations)
        return await self._patch(resource, body, "application/json", if_match, dry_run)

    async def merge_patch(
        self,
        resource: Resource,
        patch: Mapping[str, Any],
        *,
        if_match: str | None = None,
        dry_run: bool = False,
    ) -> T:
        """Merges a patch into a resource (RFC 7396): None removes a field."""
        return await self._patch(resource, patch, MERGE_PATCH, if_match, dry_run)

    async def json_patch(
        self,
        resource: Resource,
        operations: Sequence[Mapping[str, Any]],
        *,
        if_match: str | None = None,
        dry_run: bool = False,
    ) -> T:
        """Applies the operations of a JSON Patch (RFC 6902) to a resource."""
        return await self._patch(resource, list(operations), JSON_PATCH, if_match, dry_run)

    async def _patch(
        self, resource: Resource, body: Any, type_: str, if_match: str | None, dry_run: bool
    ) -> T:
        changed: T = await self._transport.json(
            "PATCH",
            self._one(resource),
            body=body,
            content_type=type_,
            params=dry_run_parameter(dry_run),
            headers=if_match_header(if_match),
            # Merging the same values again changes nothing. With an ETag, a repetition would fail.
            idempotent=if_match is None and type_ != JSON_PATCH,
        )
        return changed

    async def delete(
        self, resource: Resource, *, if_match: str | None = None, dry_run: bool = False
    ) -> T | None:
        """Requests the deletion of a resource; the result has a `deleted_time`.

        Adapters finish the deletion. Returns None if the resource does not exist.
        """
        try:
            deleted: T = await self._transport.json(
                "DELETE",
                self._one(resource),
                params=dry_run_parameter(dry_run),
                headers=if_match_header(if_match),
                # A repetition would fail on the version that the first attempt wrote.
                idempotent=if_match is None,
            )
        except NotFound:
            return None
        return deleted

    async def force_delete(self, resource: Resource, reason: str) -> None:
        """Removes a resource that is being deleted, without waiting for its adapters."""
        try:
            await self._transport.json(
                "POST", self._one(resource, "/force-delete"), body={"reason": reason}
            )
        except NotFound:
            return

    async def etag(self, resource: Resource) -> str:
        """The ETag of a resource, for `if_match`. Read it before the resource."""
        response = await self._transport.request("GET", self._one(resource))
        return response.headers["etag"]

    def watch(
        self,
        search: str | None = None,
        *,
        fields: Fields = None,
        resource_version: str = "",
        shard: str | None = None,
    ) -> AsyncWatch[WatchEvent[T]]:
        """Follows the list: existing resources as `ADDED`, a `BOOKMARK`, then all changes.

        With a `resource_version`, only the changes after it. The watch resumes after
        disconnections. After a 410 it sends a `RESET` and starts again. Systems of a sharded
        installation must name a `shard`.
        """
        query = {"search": search, "fields": joined(fields), "shard": shard}
        source = HyperfleetSource(self._list_path, query)
        return AsyncWatch(follow(self._transport, source, version=resource_version))

    async def wait_for(
        self,
        resource: Resource,
        condition: str | Predicate = "Ready",
        *,
        status: str = "True",
        timeout: float = 120.0,
    ) -> T:
        """Waits until a condition has a status at the current generation, and returns the resource.

        `condition` is the type of a condition or a function of the resource. Raises NotFound if
        the resource is removed, and WaitTimeout.
        """
        id_ = resource_id(resource)
        wanted = condition if isinstance(condition, str) else "the condition"
        deadline = Deadline(timeout, f"{self._kind} '{id_}' did not reach {wanted} in {timeout} s")
        source = HyperfleetSource(self._list_path, {"search": f"id = {quoted(id_)}"})
        is_known = False
        async with AsyncWatch(follow(self._transport, source, deadline=deadline)) as events:
            async for event in events:
                if event.type == "DELETED" or (event.type == "BOOKMARK" and not is_known):
                    break
                if event.type in ("BOOKMARK", "RESET"):
                    continue
                is_known = True
                found: Any = event.object
                if (
                    has_condition(found, condition, status)
                    if isinstance(condition, str)
                    else condition(found)
                ):
                    result: T = found
                    return result
        raise NotFound(404, "HYPERFLEET-NTF-001", f"{self._kind} with id='{id_}' not found")

    async def wait_until_deleted(self, resource: Resource, *, timeout: float = 120.0) -> None:
        """Waits until a resource is removed. Raises WaitTimeout."""
        try:
            await self.wait_for(resource, lambda _: False, timeout=timeout)
        except NotFound:
            return


class AsyncRootCollection(AsyncCollection[T]):
    """The resources of a kind without a parent."""

    async def create(
        self,
        name: str,
        spec: Mapping[str, Any] | None = None,
        *,
        labels: Mapping[str, str] | None = None,
        annotations: Mapping[str, str] | None = None,
        references: Sequence[Mapping[str, Any]] | None = None,
        idempotency_key: str | None = None,
        dry_run: bool = False,
    ) -> T:
        """Creates a resource. Raises Conflict if the name is taken.

        Retries use one `Idempotency-Key`, so the resource is created once. Give a key to make
        repeated calls safe as well.
        """
        body = {
            "kind": self._kind,
            "name": name,
            "spec": dict(spec or {}),
            **without_none(labels=labels, annotations=annotations, references=references),
        }
        created: T = await self._create(
            self._path, body, idempotency_key=idempotency_key, dry_run=dry_run
        )
        return created

    async def create_many(
        self,
        items: Sequence[Mapping[str, Any]],
        *,
        atomic: bool = False,
        idempotency_key: str | None = None,
        dry_run: bool = False,
    ) -> Sequence[BulkResult[T]]:
        """Creates up to 1000 resources in one request. The results are in the order of the items.

        Items have `name`, and optionally `spec`, `labels` and `annotations`. If `atomic`, the call
        raises an error and creates nothing if one item fails.
        """
        return await self._create_many(
            self._path, items, atomic=atomic, idempotency_key=idempotency_key, dry_run=dry_run
        )

    async def get_by_name(self, name: str) -> T:
        """Reads the live resource with a name. Raises NotFound."""
        path = f"{self._path}/by-name/{segment(name)}"
        body: T = await self._transport.json("GET", path)
        return body

    async def upsert(
        self,
        name: str,
        spec: Mapping[str, Any] | None = None,
        *,
        labels: Mapping[str, str] | None = None,
        annotations: Mapping[str, str] | None = None,
        if_match: str | None = None,
        dry_run: bool = False,
    ) -> Upserted[T]:
        """Creates the resource with a name, or replaces its spec and its labels."""
        body = {
            "spec": dict(spec or {}),
            **without_none(labels=labels, annotations=annotations),
        }
        return await self._upsert(self._path, name, body, if_match, dry_run)


def bulk_result(item: Mapping[str, Any]) -> BulkResult[Any]:
    """The outcome of an item of a bulk create."""
    error: ApiError | None = None
    if item.get("error") is not None:
        error = document_error(item["error"])
    return BulkResult(item["index"], item["status"], item.get("resource"), error)


def dry_run_parameter(dry_run: bool) -> dict[str, Any]:
    """The parameter of a dry run."""
    return {"dryRun": "All"} if dry_run else {}


def if_match_header(etag: str | None) -> dict[str, str]:
    """The header of a conditional request."""
    return {} if etag is None else {"If-Match": etag}
