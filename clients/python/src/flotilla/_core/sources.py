"""The streams of changes of the two APIs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

from ..events import WatchEvent
from .response_error import document_error

Json = dict[str, Any]


@dataclass(frozen=True)
class HyperfleetSource:
    """A list of the HyperFleet API. Its watch sends the existing objects first."""

    path: str
    query: Mapping[str, Any] = field(default_factory=dict)
    lists_first: ClassVar[bool] = False

    def params(self, version: str) -> Mapping[str, Any]:
        """The parameters of a watch after a version."""
        return {**self.query, "watch": True, "resourceVersion": version or None}

    def event(self, document: Json) -> WatchEvent[Any]:
        """The event in a line of the stream."""
        if document["type"] == "ERROR":
            raise document_error(document["object"])
        return WatchEvent(document["type"], document["object"], document["resource_version"])


@dataclass(frozen=True)
class KubernetesSource:
    """A list of a plane."""

    path: str
    query: Mapping[str, Any] = field(default_factory=dict)
    lists_first: ClassVar[bool] = True

    def params(self, version: str) -> Mapping[str, Any]:
        """The parameters of a watch after a version, or of the list."""
        if version == "":
            return self.query
        return {
            **self.query,
            "watch": True,
            "allowWatchBookmarks": True,
            "resourceVersion": version,
        }

    def event(self, document: Json) -> WatchEvent[Any]:
        """The event in a line of the stream."""
        type_, item = document["type"], document["object"]
        if type_ == "ERROR":
            raise document_error(item)
        version = (item.get("metadata") or {}).get("resourceVersion", "")
        return WatchEvent(type_, {} if type_ == "BOOKMARK" else item, version)


Source = HyperfleetSource | KubernetesSource
"""A list that can be watched. `lists_first` if the watch needs the version of a list."""
