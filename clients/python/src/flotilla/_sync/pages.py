# Generated from flotilla/_async by `npm run openapi`.
"""Lists over all their pages."""

from __future__ import annotations

from collections.abc import Generator, Callable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from .._core.selection import both, quoted
from ..errors import Invalid
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

    Every iteration sends new requests and follows the cursors of the server. Without `order_by`,
    items come in the order of their IDs, so that none is omitted if others change or are removed
    between two pages.
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
        search, number, seen = self._query.get("search"), 1, 0
        query = {**self._query, "orderBy": self._key, "order": "asc"}
        page, after = self._read(number, query)
        total = page.total
        while True:
            seen += len(page.items)
            yield Page(number, page.items, total, page.total_is_estimate, page.resource_version)
            if after is None or not page.items:
                return
            if not after and seen >= total and not page.total_is_estimate:
                return
            number += 1
            following = self._after(number, query, after)
            if following is None:
                last: Any = page.items[-1]
                query["search"] = both(search, f"{self._key} > {quoted(last[self._key])}")
                following = self._read(number, query)
                total = following[0].total + seen
            else:
                total = following[0].total
            page, after = following

    def _by_number(self) -> Generator[Page[T], None, None]:
        number, seen = 1, 0
        page, after = self._read(number, {**self._query, "page": number})
        while True:
            seen += len(page.items)
            yield page
            if after is None or not page.items:
                return
            if not after and seen >= page.total and not page.total_is_estimate:
                return
            number += 1
            following = self._after(number, self._query, after)
            if following is None:
                following = self._read(number, {**self._query, "page": number})
            page, after = following

    def _after(
        self, number: int, query: dict[str, Any], after: str
    ) -> tuple[Page[T], str | None] | None:
        """The page after a cursor. None without one, and if an older server rejects it."""
        if not after:
            return None
        try:
            return self._read(number, {**query, "after": after})
        except Invalid:
            return None

    def _page(self, number: int, query: dict[str, Any]) -> Page[T]:
        return (self._read(number, query))[0]

    def _read(self, number: int, query: dict[str, Any]) -> tuple[Page[T], str | None]:
        """A page and its cursor: None on the last page, empty if the list has no cursors."""
        body = self._transport.json("GET", self._path, params=query)
        page: Page[T] = Page(
            number,
            body["items"],
            body["total"],
            body.get("total_is_estimate", False),
            body["resource_version"],
        )
        return page, body.get("next", "")


Predicate = Callable[[Any], bool]
