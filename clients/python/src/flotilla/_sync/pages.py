# Generated from flotilla/_async by `npm run openapi`.
"""Lists over all their pages."""

from __future__ import annotations

from collections.abc import Generator, Callable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from .._core.selection import both, quoted
from .transport import Transport

T = TypeVar("T")


@dataclass(frozen=True)
class Page(Generic[T]):
    """A page of a list. `total` is the number of all matches, with `total_is_estimate`."""

    number: int
    items: list[T]
    total: int
    total_is_estimate: bool
    resource_version: str


class Items(Generic[T]):
    """The items of a list. Iterate over it, or over its `pages()`.

    Every iteration sends new requests. Without `order_by`, pages are ranges of IDs, so that no item
    is omitted if others are removed between two pages.
    """

    def __init__(
        self,
        transport: Transport,
        path: str,
        query: dict[str, Any],
        *,
        key: str = "id",
        number: int | None = None,
    ) -> None:
        self._transport = transport
        self._path = path
        self._query = query
        self._key = key
        self._number = number

    def __iter__(self) -> Generator[T, None, None]:
        return self._items()

    def _items(self) -> Generator[T, None, None]:
        for page in self.pages():
            for item in page.items:
                yield item

    def all(self) -> list[T]:
        """All items."""
        return [item for item in self]

    def first(self) -> T | None:
        """The first item, or None if the list is empty."""
        page = self._page(1, {**self._query, "pageSize": 1})
        return page.items[0] if page.items else None

    def pages(self) -> Generator[Page[T], None, None]:
        """The pages of the list."""
        if self._number is not None:
            yield self._page(self._number, {**self._query, "page": self._number})
        elif self._query.get("orderBy") is None:
            for page in self._by_key():
                yield page
        else:
            for page in self._by_number():
                yield page

    def _by_key(self) -> Generator[Page[T], None, None]:
        search, number, seen = self._query.get("search"), 0, 0
        query = {**self._query, "orderBy": self._key, "order": "asc"}
        while True:
            number += 1
            page = self._page(number, query)
            total = page.total + seen
            seen += len(page.items)
            yield Page(number, page.items, total, page.total_is_estimate, page.resource_version)
            if not page.items or (seen >= total and not page.total_is_estimate):
                return
            last: Any = page.items[-1]
            query["search"] = both(search, f"{self._key} > {quoted(last[self._key])}")

    def _by_number(self) -> Generator[Page[T], None, None]:
        number, seen = 0, 0
        while True:
            number += 1
            page = self._page(number, {**self._query, "page": number})
            seen += len(page.items)
            yield page
            if not page.items or (seen >= page.total and not page.total_is_estimate):
                return

    def _page(self, number: int, query: dict[str, Any]) -> Page[T]:
        body = self._transport.json("GET", self._path, params=query)
        return Page(
            number,
            body["items"],
            body["total"],
            body.get("total_is_estimate", False),
            body["resource_version"],
        )


Predicate = Callable[[Any], bool]
