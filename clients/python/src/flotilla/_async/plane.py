"""A handle to the plane of a cluster."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Sequence
from typing import Any

from .._core.plane_access import kubeconfig, kubernetes_client
from .._core.response_error import document_error
from .._core.segment import plane_path
from .._core.selection import joined
from ..errors import ApiError, ClientClosed, NotFound
from ..events import StateEvent
from ..retry import is_transient
from ..snapshot import Snapshot
from .runtime import sleep
from .transport import AsyncTransport, Params
from .watch import AsyncWatch


class AsyncPlane:
    """The plane of a cluster. `id` is the ID of the cluster, or its name.

    The handle does no I/O until a method is called.
    """

    def __init__(self, transport: AsyncTransport, id: str, *, tls: Any = True) -> None:
        self._transport = transport
        self._tls = tls
        self.id = id

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.id!r})"

    @property
    def base_url(self) -> str:
        """The URL of the plane, for kubectl and other clients of Kubernetes."""
        return self._transport.options.base_url + plane_path(self.id)

    async def state(
        self,
        resource: str | Sequence[str] | None = None,
        *,
        include_empty: bool = False,
        warm: bool = False,
        min_resource_version: str | None = None,
        strict: bool = False,
    ) -> Snapshot:
        """The state of the cluster and of its plane at one moment.

        `resource` selects types by plural, such as `configmaps`, or by `plural.group`. Unknown
        types are ignored, unless `strict`. `min_resource_version` may be a resource version, an
        `X-Write-Token` or `latest`.

        The server waits up to 10 seconds until it has loaded the cluster. `warm` has no effect.
        """
        params = {
            "resource": joined(resource),
            "includeEmpty": include_empty or None,
            "warm": warm or None,
            "minResourceVersion": min_resource_version,
            "strict": strict or None,
        }
        path = f"{plane_path(self.id)}/snapshot"
        return Snapshot.parse(await self._transport.json("GET", path, params=params))

    def states(self, resource: str | Sequence[str] | None = None) -> AsyncWatch[StateEvent]:
        """Follows the state: a `SNAPSHOT` first and after every reconnection, then all changes.

        The stream ends when the cluster is removed.
        """
        return AsyncWatch(self._follow(resource))

    async def _follow(
        self, resource: str | Sequence[str] | None
    ) -> AsyncGenerator[StateEvent, None]:
        path = f"{plane_path(self.id)}/snapshot"
        params = {"resource": joined(resource), "watch": True}
        failures, retry_after, is_open = 0, None, False
        while True:
            try:
                failures += 1
                async with self._transport.stream(path, params=params) as documents:
                    async for document in documents:
                        failures, is_open = 0, True
                        if document["type"] == "ERROR":
                            raise document_error(document["object"])
                        if document["type"] != "BOOKMARK":
                            yield state_event(document)
            except NotFound:
                if is_open:
                    return
                raise
            except ClientClosed:
                return
            except ApiError as error:
                if not is_transient(error) and error.status != 410:
                    raise
                failures, retry_after = max(failures, 1), error.retry_after
            except ValueError:
                failures = max(failures, 1)  # The connection ended within a line.
            if failures > 0:
                await sleep(self._transport.options.retry.delay(failures, retry_after))
                retry_after = None

    async def is_ready(self) -> bool:
        """Whether the server serves the plane."""
        try:
            await self._transport.request("GET", f"{plane_path(self.id)}/readyz")
        except ApiError as error:
            if error.status == 404 or is_transient(error):
                return False
            raise
        return True

    async def request(
        self,
        method: str,
        path: str,
        *,
        body: Any = None,
        params: Params | None = None,
        content_type: str = "application/json",
    ) -> Any:
        """Sends a request to the plane and returns the JSON of the response.

        `path` starts with `/api` or `/apis`, such as `/api/v1/namespaces/default/configmaps`.
        """
        return await self._transport.json(
            method, plane_path(self.id) + path, body=body, params=params, content_type=content_type
        )

    def kubeconfig(self) -> dict[str, Any]:
        """A kubeconfig for the plane. Written as JSON, it is a valid file for kubectl."""
        token = self._transport.options.token
        value = token() if callable(token) else token
        return kubeconfig(self.id, self.base_url, value, verify=self._tls)

    def kubernetes(self) -> Any:
        """An `ApiClient` of the official package `kubernetes`, configured for the plane.

        Its calls block. Needs the extra: `pip install 'flotilla-sdk[kubernetes]'`.
        """
        return kubernetes_client(self.kubeconfig())


def state_event(document: dict[str, Any]) -> StateEvent:
    """The event in a line of a watched snapshot."""
    is_snapshot = document["type"] == "SNAPSHOT"
    return StateEvent(
        type=document["type"],
        group=document.get("group", "hyperfleet"),
        resource=document.get("resource", ""),
        object={} if is_snapshot else document["object"],
        snapshot=Snapshot.parse(document["object"]) if is_snapshot else None,
        resource_version=document["resource_version"],
    )
