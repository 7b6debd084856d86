"""The state of a plane at one moment."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any


@dataclass(frozen=True)
class SnapshotResource:
    """The objects of one resource type, such as `configmaps`.

    `synced` is always True: a snapshot is complete or an error.
    """

    group: str
    resource: str
    synced: bool
    item_count: int
    items: list[dict[str, Any]]


@dataclass(frozen=True)
class Snapshot:
    """A cluster with its node pools, its reports and the objects of its plane.

    `cluster` is the ID or the name that the caller used, and `id` the ID. `raw` is the response as
    the server sent it.
    """

    cluster: str
    snapshot_time: datetime
    live_resources: int
    resources: list[SnapshotResource]
    resource_version: str = ""
    id: str = ""
    raw: Mapping[str, Any] = field(default_factory=dict, repr=False, compare=False)

    @classmethod
    def parse(cls, document: Mapping[str, Any]) -> Snapshot:
        """The snapshot in a response."""
        return cls(
            cluster=document["cluster"],
            snapshot_time=parse_time(document["snapshotTime"]),
            live_resources=document["liveResources"],
            resources=[
                SnapshotResource(
                    group=part["group"],
                    resource=part["resource"],
                    synced=part["synced"],
                    item_count=part["itemCount"],
                    items=part["items"],
                )
                for part in document["resources"]
            ],
            resource_version=document.get("resourceVersion", ""),
            id=document.get("id", document["cluster"]),
            raw=document,
        )

    def by_resource(self, name: str, group: str | None = None) -> SnapshotResource | None:
        """The part of a resource type, by plural or `plural.group`; None without such a part."""
        for part in self.resources:
            names = (part.resource, f"{part.resource}.{part.group}")
            if name in names and group in (None, part.group):
                return part
        return None

    def total_items(self) -> int:
        """The number of objects of all types."""
        return sum(part.item_count for part in self.resources)


def parse_time(text: str) -> datetime:
    """A time of the API. Python 3.10 does not accept `Z` and needs 3 or 6 digits of a second."""
    head, dot, fraction = text.removesuffix("Z").partition(".")
    return datetime.fromisoformat(f"{head}{dot}{fraction[:6].ljust(6, '0') if dot else ''}+00:00")
