"""A handle to a fleet."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Mapping
from contextlib import suppress
from typing import Any

from .._core.deadline import Deadline
from .._core.fleet_body import member_names
from .._core.segment import FLEETS, segment
from .._core.selection import without_none
from .._core.sources import KubernetesSource
from ..errors import Conflict, FleetDegraded, FleetTimeout, FlotillaError, NotFound, WaitTimeout
from ..fleet_status import FleetMember, FleetStatus
from .claim import AsyncClaim, Then, default_holder
from .plane import AsyncPlane
from .transport import MERGE_PATCH, AsyncTransport, Params
from .watch import AsyncWatch, follow


class AsyncFleet:
    """A fleet of planes. Iterate over it to get the planes as their members become ready.

    `raw` is the last read Fleet object. `refresh` and the waits update it.
    """

    def __init__(
        self, transport: AsyncTransport, document: Mapping[str, Any], *, tls: Any = True
    ) -> None:
        self._transport = transport
        self._tls = tls
        self.name: str = document["metadata"]["name"]
        self.uid: str | None = document["metadata"].get("uid")
        """Deletions are of this fleet only, never of another one that has its name later."""
        self.raw: Mapping[str, Any] = document
        self.status = FleetStatus.parse(document.get("status") or {})

    def __repr__(self) -> str:
        ready = f"{self.status.ready_replicas}/{self.replicas}"
        return f"{type(self).__name__}({self.name!r}, ready={ready})"

    @property
    def spec(self) -> Mapping[str, Any]:
        """The spec of the fleet."""
        spec: Mapping[str, Any] = self.raw["spec"]
        return spec

    @property
    def replicas(self) -> int:
        """The desired number of members."""
        return int(self.spec["replicas"])

    @property
    def generation(self) -> int:
        """The version of the spec."""
        return int(self.raw["metadata"].get("generation", 0))

    @property
    def members(self) -> list[FleetMember]:
        """The members in the last read status: at most 1000. See `all_members`."""
        return list(self.status.members)

    @property
    def member_names(self) -> list[str]:
        """The names of all desired members, in order."""
        return member_names(self.raw)

    def planes(self) -> list[AsyncPlane]:
        """The planes of all desired members by name, ready or not. Does no I/O.

        `planes()` of the TypeScript client reads the existing members instead.
        """
        return [self.plane(name) for name in self.member_names]

    def plane(self, member: str) -> AsyncPlane:
        """The plane of a member. Does no I/O."""
        return AsyncPlane(self._transport, member, tls=self._tls)

    @property
    def _path(self) -> str:
        return f"{FLEETS}/{segment(self.name)}"

    def _update(self, document: Mapping[str, Any]) -> AsyncFleet:
        self.raw = document
        self.status = FleetStatus.parse(document.get("status") or {})
        return self

    async def refresh(self) -> AsyncFleet:
        """Reads the fleet again. Raises NotFound if it was deleted."""
        return self._update(await self._transport.json("GET", self._path))

    async def scale(self, replicas: int) -> AsyncFleet:
        """Changes the number of members. Does not wait for them."""
        return await self.update(replicas=replicas)

    async def update(self, **spec: Any) -> AsyncFleet:
        """Changes members of the spec, such as `replicas` or `paused`. None removes a member."""
        body = {"spec": spec}
        return self._update(
            await self._transport.json(
                "PATCH", self._path, body=body, content_type=MERGE_PATCH, idempotent=True
            )
        )

    async def delete(self, members: bool | None = False) -> None:
        """Deletes the fleet, and its members if `members`. Deleting twice is not an error,
        and leaves a new fleet of the same name untouched.

        With `members=None`, the `deletionPolicy` of the fleet decides about the members.
        """
        policy = {False: "Orphan", True: "Background", None: None}[members]
        body = {"preconditions": without_none(uid=self.uid)}
        params: Params = {"propagationPolicy": policy}
        try:
            await self._transport.json("DELETE", self._path, params=params, body=body)
        except NotFound:
            return
        except Conflict:
            if await self._is_current():
                raise

    async def _is_current(self) -> bool:
        """Whether the name still belongs to this fleet."""
        try:
            found = await self._transport.json("GET", self._path)
        except NotFound:
            return False
        return self.uid is None or bool(found["metadata"].get("uid") == self.uid)

    async def wait_until_deleted(self, timeout: float | None = 120.0) -> None:
        """Waits until the fleet is removed. Raises WaitTimeout.

        If the deletion includes the members, they are removed before the fleet.
        """
        deadline = Deadline(timeout, f"fleet '{self.name}' was not removed in {timeout} s")
        async with AsyncWatch(follow(self._transport, self._source(), deadline=deadline)) as events:
            is_present = False
            async for event in events:
                if event.type in ("ADDED", "MODIFIED"):
                    is_present = event.object["metadata"].get("uid") == self.uid
                    if not is_present:  # Another fleet has the name now.
                        return
                if event.type == "DELETED" or (event.type == "BOOKMARK" and not is_present):
                    return

    def _source(self) -> KubernetesSource:
        return KubernetesSource(FLEETS, {"fieldSelector": f"metadata.name={self.name}"})

    async def wait_until_ready(
        self, timeout: float = 120.0, *, minimum: int | None = None
    ) -> AsyncFleet:
        """Waits until all members, or at least `minimum`, are ready at the current generation.

        Raises FleetTimeout with the missing members, FleetDegraded as soon as too many members
        have failed, and NotFound if the fleet is deleted.
        """
        try:
            await self._wait_until_ready(Deadline(timeout), minimum)
        except WaitTimeout as error:
            missing = await self._not_ready()
            raise FleetTimeout(
                self.name, self.status.ready_replicas, self._wanted(minimum), missing
            ) from error
        return self

    def _wanted(self, minimum: int | None) -> int:
        return self.replicas if minimum is None else min(minimum, self.replicas)

    async def _wait_until_ready(self, deadline: Deadline, minimum: int | None) -> None:
        is_present = False
        async with AsyncWatch(follow(self._transport, self._source(), deadline=deadline)) as events:
            async for event in events:
                if event.type in ("ADDED", "MODIFIED"):
                    is_present = True
                    self._update(event.object)
                    if self._is_ready(minimum):
                        return
                    self._check_failures(minimum)
                elif event.type == "DELETED" or (event.type == "BOOKMARK" and not is_present):
                    break
        raise NotFound(404, "NotFound", f"fleets.kplane.dev '{self.name}' not found")

    def _is_ready(self, minimum: int | None) -> bool:
        if self.status.observed_generation < self.generation:
            return False
        return self.status.ready_replicas >= self._wanted(minimum)

    def _check_failures(self, minimum: int | None) -> None:
        degraded = self.status.condition("Degraded")
        is_current = self.status.observed_generation >= self.generation
        possible = self.replicas - self.status.failed_replicas
        if degraded is None or degraded.status != "True" or not is_current:
            return
        if possible < self._wanted(minimum):
            failed = {one.cluster_id: one.message for one in self.members if one.phase == "Failed"}
            raise FleetDegraded(self.name, degraded.message or degraded.reason, failed)

    async def _not_ready(self) -> list[str]:
        ready = {one.cluster_id for one in self.members if one.phase == "Ready"}
        if self.status.members_truncated:
            with suppress(FlotillaError):  # The timeout is more important.
                ready = {one.cluster_id async for one in self.all_members(phase="Ready")}
        return [name for name in self.member_names if name not in ready]

    async def all_members(self, phase: str | None = None) -> AsyncGenerator[FleetMember, None]:
        """All members, or those in a phase (`Pending`, `Ready` or `Failed`), page by page."""
        token = None
        while True:
            params = {"phase": phase, "limit": 500, "continue": token}
            page = await self._transport.json("GET", f"{self._path}/members", params=params)
            for item in page["items"]:
                yield FleetMember.parse(item)
            token = page["metadata"].get("continue")
            if not token:
                return

    def __aiter__(self) -> AsyncGenerator[AsyncPlane, None]:
        return self.ready_planes()

    async def ready_planes(self) -> AsyncGenerator[AsyncPlane, None]:
        """The planes of members as they become ready, through a watch.

        Ends after all desired members. Raises FleetDegraded if the remaining ones have failed.
        """
        pending = set(self.member_names)
        failed: dict[str, str] = {}
        if not pending:
            return
        source = KubernetesSource(f"{self._path}/members")
        async with AsyncWatch(follow(self._transport, source)) as events:
            async for event in events:
                if event.type not in ("ADDED", "MODIFIED"):
                    continue
                member = FleetMember.parse(event.object)
                failed.pop(member.cluster_id, None)
                if member.phase == "Failed":
                    failed[member.cluster_id] = member.message
                elif member.phase == "Ready" and member.cluster_id in pending:
                    pending.remove(member.cluster_id)
                    yield self.plane(member.cluster_id)
                if pending <= failed.keys():
                    break
        if pending:
            names = ", ".join(sorted(pending)[:10])
            raise FleetDegraded(self.name, f"members have failed: {names}", failed)

    async def recycle(self, cluster_id: str | None = None) -> list[str]:
        """Asks for the reset of an unclaimed member to its template. Returns the names of members.

        Without a name, it resets all members with `reset_required`, which cannot be claimed before.
        Does not wait for the reset. Raises Conflict if the member is claimed.
        """
        body = without_none(clusterID=cluster_id)
        answer = await self._transport.json(
            "POST", f"{self._path}/recycle", body=body, idempotent=True
        )
        return list(answer["clusterIDs"])

    def claim(
        self,
        holder: str | None = None,
        *,
        ttl_seconds: int | None = 60,
        label_selector: str | None = None,
        cluster_id: str | None = None,
        create_on_empty: bool = False,
        wait: float = 0.0,
        then: Then = "Recycle",
    ) -> AsyncClaim:
        """Claims a ready member, as a context manager that renews the lease and releases.

        If no member is left, the claim waits up to `wait` seconds for one, then raises Conflict.
        `then` decides about the member at the end: `Recycle` resets it to its template, `Delete`
        replaces it, and `Keep` leaves it unchanged. With `ttl_seconds=None` the lease has no end.
        """
        request = without_none(
            holder=holder or default_holder(),
            ttlSeconds=ttl_seconds,
            labelSelector=label_selector,
            clusterID=cluster_id,
            createOnEmpty=create_on_empty or None,
        )
        return AsyncClaim(self._transport, self.name, request, then=then, wait=wait, tls=self._tls)
