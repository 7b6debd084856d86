"""Splits a stream of bytes into lines of JSON."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any


class JsonLines:
    """Collects chunks and yields the JSON of each complete line."""

    def __init__(self) -> None:
        self._rest = b""

    def feed(self, chunk: bytes) -> Iterator[Any]:
        """The documents that a chunk completes. Raises ValueError if a line is not JSON."""
        *lines, self._rest = (self._rest + chunk).split(b"\n")
        for line in lines:
            if line.strip():
                yield json.loads(line)

    def end(self) -> Iterator[Any]:
        """The last document, if the stream has ended without a line break."""
        yield from self.feed(b"\n")
