"""Sends requests, with retries, and opens streams."""

from __future__ import annotations

import json
import math
import ssl
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import httpx

from .._core.deadline import Deadline
from .._core.json_lines import JsonLines
from .._core.request_failure import request_failure
from .._core.response_error import response_error
from .._core.server_clock import ServerClock
from ..errors import ApiError, ClientClosed
from ..retry import Retry
from ..version import __version__
from .runtime import sleep

IDEMPOTENT = frozenset({"GET", "HEAD", "PUT", "DELETE"})
MERGE_PATCH = "application/merge-patch+json"
JSON_PATCH = "application/json-patch+json"

Params = Mapping[str, "str | int | bool | list[str] | None"]
Token = str | Callable[[], str] | None


@dataclass(frozen=True)
class Options:
    """The settings of a client. `stall_timeout` ends streams that send nothing."""

    base_url: str
    token: Token
    verify: bool | ssl.SSLContext
    timeout: float
    stall_timeout: float
    retry: Retry


class AsyncTransport:
    """A pool of connections to one server."""

    def __init__(self, options: Options) -> None:
        self.options = options
        self.clock = ServerClock()
        self._http = httpx.AsyncClient(
            base_url=options.base_url,
            verify=options.verify,
            timeout=options.timeout,
            headers={"User-Agent": f"flotilla-sdk-python/{__version__}"},
            limits=httpx.Limits(max_connections=None, max_keepalive_connections=100),
        )

    async def close(self) -> None:
        """Closes all connections."""
        await self._http.aclose()

    async def request(
        self,
        method: str,
        path: str,
        *,
        params: Params | None = None,
        body: Any = None,
        content_type: str = "application/json",
        headers: Mapping[str, str] | None = None,
        idempotent: bool | None = None,
        deadline: Deadline | None = None,
    ) -> httpx.Response:
        """Sends a request until it succeeds or a retry cannot help. Raises ApiError.

        `idempotent` says whether the request may be processed twice. Requests with an
        `Idempotency-Key` may. Raises WaitTimeout after the deadline.
        """
        limit = deadline or Deadline(None)
        repeatable = method in IDEMPOTENT if idempotent is None else idempotent
        failures = 0
        while True:
            try:
                return await self._attempt(
                    method,
                    path,
                    params=params,
                    body=body,
                    type_=content_type,
                    headers=headers,
                    timeout=limit.limit(self.options.timeout),
                )
            except ApiError as error:
                limit.check()
                failures += 1
                if not self.options.retry.permits(error, failures, idempotent=repeatable):
                    raise
                await sleep(limit.limit(self.options.retry.delay(failures, error.retry_after)))
                limit.check()

    async def _attempt(
        self,
        method: str,
        path: str,
        *,
        params: Params | None,
        body: Any,
        type_: str,
        headers: Mapping[str, str] | None,
        timeout: float,
    ) -> httpx.Response:
        self._check_open()
        sent = {**self._headers(), **(headers or {})}
        if body is not None:
            sent["Content-Type"] = type_
        content = None if body is None else json.dumps(body).encode()
        try:
            response = await self._http.request(
                method,
                path,
                params=_query(params),
                content=content,
                headers=sent,
                timeout=timeout,
            )
        except httpx.TransportError as error:
            raise request_failure(error, self.options.base_url) from error
        self.clock.observe(response.headers)
        if response.is_success or response.status_code == 304:
            return response
        raise response_error(response.status_code, response.headers, response.content)

    async def json(self, method: str, path: str, **options: Any) -> Any:
        """Sends a request and returns the JSON of its response; None if it has no body."""
        response = await self.request(method, path, **options)
        return response.json() if response.content else None

    @asynccontextmanager
    async def stream(
        self,
        path: str,
        *,
        params: Params | None = None,
        method: str = "GET",
        body: Any = None,
        silence: float | None = None,
    ) -> AsyncIterator[AsyncIterator[Any]]:
        """Opens a stream of JSON lines, without retries. Raises ApiError.

        The stream fails if nothing arrives for `silence` seconds, by default `stall_timeout`.
        """
        self._check_open()
        longest = math.inf if silence is None else silence
        timeout = httpx.Timeout(
            min(longest, self.options.timeout), read=min(longest, self.options.stall_timeout)
        )
        content = None if body is None else json.dumps(body).encode()
        headers = {**self._headers(), **({} if body is None else _JSON)}
        try:
            async with self._http.stream(
                method,
                path,
                params=_query(params),
                content=content,
                headers=headers,
                timeout=timeout,
            ) as response:
                self.clock.observe(response.headers)
                if not response.is_success:
                    await response.aread()
                    raise response_error(response.status_code, response.headers, response.content)
                yield _documents(response)
        except httpx.TransportError as error:
            raise request_failure(error, self.options.base_url) from error

    def _check_open(self) -> None:
        if self._http.is_closed:
            raise ClientClosed("the client was closed")

    def _headers(self) -> dict[str, str]:
        token = self.options.token
        value = token() if callable(token) else token
        return {"Authorization": f"Bearer {value}"} if value else {}


_JSON = {"Content-Type": "application/json"}


async def _documents(response: httpx.Response) -> AsyncIterator[Any]:
    lines = JsonLines()
    async for chunk in response.aiter_bytes():
        for document in lines.feed(chunk):
            yield document
    for document in lines.end():
        yield document


def _query(params: Params | None) -> httpx.QueryParams | None:
    """The parameters with values. Lists become several parameters of one name."""
    if params is None:
        return None
    pairs: list[tuple[str, str]] = []
    for name, value in params.items():
        values = value if isinstance(value, list) else [] if value is None else [value]
        pairs.extend((name, _text(one)) for one in values)
    return httpx.QueryParams(tuple(pairs))


def _text(value: str | int | bool) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
