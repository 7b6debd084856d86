"""The status of a fleet."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from .snapshot import parse_time


@dataclass(frozen=True)
class FleetMember:
    """A member of a fleet. `cluster_id` is the name of its cluster, and `uid` the cluster's ID.

    `phase` is `Pending`, `Ready` or `Failed`. `holder` is set while the member is claimed. A member
    with `reset_required` cannot be claimed until `Fleet.recycle`. Only `all_members` sets it.
    """

    cluster_id: str
    phase: str
    message: str = ""
    last_transition_time: datetime | None = None
    uid: str | None = None
    holder: str | None = None
    reset_required: bool = False

    @classmethod
    def parse(cls, document: Mapping[str, Any]) -> FleetMember:
        """The member in a status or a list."""
        time = document.get("lastTransitionTime")
        return cls(
            cluster_id=document["clusterID"],
            phase=document["phase"],
            message=document.get("message", ""),
            last_transition_time=parse_time(time) if time else None,
            uid=document.get("uid"),
            holder=(document.get("claim") or {}).get("holder"),
            reset_required=bool(document.get("resetRequired", False)),
        )


@dataclass(frozen=True)
class FleetCondition:
    """A condition of a fleet: such as Ready, Degraded or ResetRequired."""

    type: str
    status: str
    reason: str = ""
    message: str = ""


@dataclass(frozen=True)
class FleetStatus:
    """The status of a fleet, with its first 1000 members."""

    observed_generation: int = 0
    replicas: int = 0
    ready_replicas: int = 0
    available_replicas: int = 0
    updated_replicas: int = 0
    claimed_replicas: int = 0
    failed_replicas: int = 0
    members: tuple[FleetMember, ...] = ()
    members_truncated: bool = False
    conditions: tuple[FleetCondition, ...] = ()

    @classmethod
    def parse(cls, status: Mapping[str, Any]) -> FleetStatus:
        """The status in a response."""
        return cls(
            observed_generation=status.get("observedGeneration", 0),
            replicas=status.get("replicas", 0),
            ready_replicas=status.get("readyReplicas", 0),
            available_replicas=status.get("availableReplicas", 0),
            updated_replicas=status.get("updatedReplicas", 0),
            claimed_replicas=status.get("claimedReplicas", 0),
            failed_replicas=status.get("failedReplicas", 0),
            members=tuple(FleetMember.parse(one) for one in status.get("members") or ()),
            members_truncated=bool(status.get("membersTruncated", False)),
            conditions=tuple(
                FleetCondition(
                    one["type"], one["status"], one.get("reason", ""), one.get("message", "")
                )
                for one in status.get("conditions") or ()
            ),
        )

    def condition(self, type: str) -> FleetCondition | None:
        """The condition of a type, or None."""
        return next((one for one in self.conditions if one.type == type), None)
