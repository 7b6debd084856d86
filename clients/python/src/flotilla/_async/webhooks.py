"""Webhooks of a server."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Mapping, Sequence
from typing import Any, Literal

from .._core.segment import API, segment
from .._core.selection import without_none
from ..types.hyperfleet import (
    QueuedDelivery,
    Webhook,
    WebhookDelivery,
    WebhookDeliveryWithPayload,
    WebhookEventName,
    WebhookPatchRequest,
    WebhookWithSecret,
)
from .transport import JSON_PATCH, AsyncTransport, Params

PAGE_SIZE = 1000
DELIVERIES_PER_PAGE = 200


class AsyncWebhooks:
    """Subscriptions that send changes to a URL."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def create(
        self,
        url: str,
        *,
        kinds: Sequence[str] | None = None,
        search: str | None = None,
        events: Sequence[WebhookEventName] | None = None,
        description: str | None = None,
        state: Literal["active", "paused"] | None = None,
    ) -> WebhookWithSecret:
        """Creates a webhook. Keep the secret of the result: no other response contains it."""
        body = without_none(
            url=url,
            kinds=None if kinds is None else [*kinds],
            search=search,
            events=None if events is None else [*events],
            description=description,
            state=state,
        )
        created: WebhookWithSecret = await self._send("POST", _path(), body)
        return created

    async def list(self) -> AsyncGenerator[Webhook, None]:
        """All webhooks, in the order of their creation."""
        page = 1
        while True:
            params: Params = {"page": page, "pageSize": PAGE_SIZE}
            items = (await self._transport.json("GET", _path(), params=params))["items"]
            for item in items:
                yield item
            if len(items) < PAGE_SIZE:
                return
            page += 1

    async def get(self, id: str) -> Webhook:
        """Reads a webhook. Raises NotFound."""
        webhook: Webhook = await self._transport.json("GET", _path(id))
        return webhook

    async def patch(self, id: str, change: WebhookPatchRequest) -> Webhook:
        """Changes fields of a webhook. None restores the default of a field."""
        webhook: Webhook = await self._send("PATCH", _path(id), change)
        return webhook

    async def json_patch(self, id: str, operations: Sequence[Mapping[str, Any]]) -> Webhook:
        """Applies the operations of a JSON Patch (RFC 6902) to a webhook."""
        webhook: Webhook = await self._transport.json(
            "PATCH",
            _path(id),
            body=list(operations),
            content_type=JSON_PATCH,
            idempotent=False,
        )
        return webhook

    async def delete(self, id: str) -> None:
        """Deletes a webhook with its pending deliveries."""
        await self._transport.request("DELETE", _path(id))

    async def rotate_secret(
        self, id: str, *, overlap_seconds: int | None = None
    ) -> WebhookWithSecret:
        """Replaces the secret. Both secrets verify events until the overlap ends."""
        body = without_none(overlap_seconds=overlap_seconds)
        rotated: WebhookWithSecret = await self._send("POST", _path(id, "rotate-secret"), body)
        return rotated

    async def test(self, id: str) -> QueuedDelivery:
        """Sends a `webhook.test` event. Its delivery shows the result."""
        queued: QueuedDelivery = await self._send("POST", _path(id, "test"))
        return queued

    async def deliveries(
        self, id: str, *, state: Literal["pending", "delivered", "dead"] | None = None
    ) -> AsyncGenerator[WebhookDelivery, None]:
        """The deliveries of a webhook, newest first."""
        before: str | None = None
        while True:
            params: Params = {"state": state, "before": before, "limit": DELIVERIES_PER_PAGE}
            page = await self._transport.json("GET", _path(id, "deliveries"), params=params)
            for item in page["items"]:
                yield item
            before = page["next"]
            if before is None:
                return

    async def delivery(self, id: str, delivery_id: str) -> WebhookDeliveryWithPayload:
        """A delivery with its payload."""
        path = _path(id, "deliveries", delivery_id)
        found: WebhookDeliveryWithPayload = await self._transport.json("GET", path)
        return found

    async def redeliver_all(self, id: str) -> int:
        """Sends dead letters again, at most 1000, the oldest first. Returns their number."""
        queued = await self._send("POST", _path(id, "dead-letters", "redeliver"))
        return int(queued["count"])

    async def redeliver(self, id: str, delivery_id: str) -> QueuedDelivery:
        """Sends one dead letter again."""
        path = _path(id, "dead-letters", delivery_id, "redeliver")
        queued: QueuedDelivery = await self._send("POST", path)
        return queued

    async def _send(self, method: str, path: str, body: Any = None) -> Any:
        return await self._transport.json(method, path, body=body, idempotent=False)


def _path(*parts: str) -> str:
    return "/".join([API, "webhooks", *map(segment, parts)])
