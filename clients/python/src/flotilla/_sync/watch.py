# Generated from flotilla/_async by `npm run openapi`.
"""Follows lists and resumes after disconnections."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any, Generic, TypeVar

from .._core.deadline import Deadline
from .._core.sources import Source
from ..errors import ApiError, ClientClosed, Expired
from ..events import WatchEvent
from ..retry import is_transient
from .runtime import sleep
from .transport import Transport

T = TypeVar("T")


class Watch(Generic[T]):
    """An iterator of events. Leaving its context, or `close()`, closes the connection."""

    def __init__(self, events: Generator[T, None, None]) -> None:
        self._events = events

    def __iter__(self) -> Watch[T]:
        return self

    def __next__(self) -> T:
        return self._events.__next__()

    def __enter__(self) -> Watch[T]:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Closes the connection."""
        self._events.close()


def follow(
    transport: Transport,
    source: Source,
    *,
    version: str = "",
    deadline: Deadline | None = None,
) -> Generator[WatchEvent[Any], None, None]:
    """The events of a list, over as many connections as necessary.

    After a 410, and if a connection ends during the existing objects, the list starts again with
    a `RESET`. The events end when the client is closed. Raises ApiError if a retry cannot help,
    and WaitTimeout after the deadline.
    """
    limit = deadline or Deadline(None)
    failures, is_partial, retry_after = 0, False, None
    while True:
        if is_partial and version == "":
            is_partial = False
            yield WatchEvent("RESET", {}, "")
        try:
            if version == "" and source.lists_first:
                listed = _list(transport, source, limit)
                is_partial = True
                for event in listed:
                    yield event
                version = listed[-1].resource_version
            silence = limit.remaining()
            failures += 1
            with transport.stream(
                source.path, params=source.params(version), silence=silence
            ) as documents:
                for document in documents:
                    event = source.event(document)
                    failures, is_partial = 0, True
                    version = event.resource_version or version
                    yield event
                    limit.check()
                    if version and limit.is_exceeded_by(silence):
                        break
        except Expired:
            version, is_partial, retry_after = "", True, None
            failures += 1
        except ClientClosed:
            return
        except ApiError as error:
            if not is_transient(error):
                raise
            retry_after = error.retry_after
            failures = max(failures, 1)
        except ValueError:
            failures = max(failures, 1)  # The connection ended within a line.
        limit.check()
        if failures > 0:
            sleep(limit.limit(transport.options.retry.delay(failures, retry_after)))
            retry_after = None


def _list(
    transport: Transport, source: Source, limit: Deadline
) -> list[WatchEvent[Any]]:
    """All objects of a list as events, then a bookmark with the version of the list."""
    events: list[WatchEvent[Any]] = []
    token, version = None, ""
    while True:
        query = {**source.params(""), "limit": 500, "continue": token}
        page = transport.json("GET", source.path, params=query, deadline=limit)
        version = version or page["metadata"]["resourceVersion"]
        events.extend(WatchEvent("ADDED", item, "") for item in page["items"])
        token = page["metadata"].get("continue")
        if not token:
            return [*events, WatchEvent("BOOKMARK", {}, version)]
