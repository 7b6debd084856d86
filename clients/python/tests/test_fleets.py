from __future__ import annotations

import asyncio
import inspect
import json
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

import flotilla
from conftest import FAST, Server, eventually
from faulty_proxy import FaultyProxy
from flotilla import AsyncClient, Claim, Client, Fleet

Name = Callable[[str], str]
MAPS = "/api/v1/namespaces/default/configmaps"
TEMPLATE = {
    "labels": {"purpose": "test"},
    "objects": [
        {
            "apiVersion": "v1",
            "kind": "ConfigMap",
            "metadata": {"name": "task", "namespace": "default"},
            "data": {"member": "${name}"},
        }
    ],
}


@pytest.fixture
def client(plain_server: Server) -> Iterator[Client]:
    with Client(plain_server.url, retry=FAST) as one:
        yield one


@pytest.fixture
def fleet(client: Client, name: Name) -> Iterator[Fleet]:
    """A fleet of three members with a template, which are ready."""
    with client.ephemeral_fleet(
        name("fleet"), 3, template=TEMPLATE, delete_members=True, scale_down_policy="Delete"
    ) as one:
        yield one.wait_until_ready(timeout=60)


def maps(plane: Any) -> set[str]:
    return {one["metadata"]["name"] for one in plane.request("GET", MAPS)["items"]}


def test_a_fleet_becomes_ready_with_the_content_of_its_template(fleet: Fleet) -> None:
    assert fleet.status.ready_replicas == 3
    assert fleet.status.observed_generation == fleet.generation
    assert [one.phase for one in fleet.members] == ["Ready"] * 3
    names = [f"{fleet.name}-{index:04d}" for index in range(3)]
    assert [one.cluster_id for one in fleet.members] == fleet.member_names == names
    assert [one.cluster_id for one in fleet.all_members()] == names
    assert list(fleet.all_members(phase="Failed")) == []
    for plane in fleet.planes():
        state = plane.state("configmaps", min_resource_version="latest")
        part = state.by_resource("configmaps")
        assert part is not None
        assert [one["data"] for one in part.items] == [{"member": plane.id}]


def test_members_have_given_names(client: Client, name: Name) -> None:
    names = [name("blue"), name("green")]
    with client.ephemeral_fleet(name("names"), 2, names=names, delete_members=True) as fleet:
        fleet.wait_until_ready(timeout=60)
        assert [one.id for one in fleet.planes()] == names
        assert [one.cluster_id for one in fleet.members] == names


def test_iteration_yields_planes_as_members_become_ready(client: Client, name: Name) -> None:
    options: dict[str, Any] = {"name_prefix": name("it") + "-", "delete_members": True}
    with client.ephemeral_fleet(name("iterate"), 5, **options) as fleet:
        assert sorted(plane.id for plane in fleet) == fleet.member_names
    with client.ephemeral_fleet(name("none"), 0) as empty:
        assert list(empty) == []


def test_scaling_changes_the_members(fleet: Fleet) -> None:
    fleet.scale(5)
    assert fleet.wait_until_ready(timeout=60).status.ready_replicas == 5
    fleet.scale(1).wait_until_ready(timeout=60)
    assert fleet.replicas == 1
    assert eventually(lambda: len(fleet.refresh().members) == 1)


def test_fleets_are_listed_and_read(client: Client, fleet: Fleet) -> None:
    assert client.get_fleet(fleet.name).raw["metadata"]["uid"] == fleet.raw["metadata"]["uid"]
    assert fleet.name in [one.name for one in client.list_fleets()]
    assert client.list_fleets("absent=label") == []
    with pytest.raises(flotilla.NotFound):
        client.get_fleet("absent")
    with pytest.raises(flotilla.Conflict):
        client.create_fleet(fleet.name, 1)


def test_names_with_a_prefix_are_an_error(client: Client, name: Name) -> None:
    options: dict[str, Any] = {"names": [name("one")], "name_prefix": "one-"}
    with pytest.raises(ValueError, match="either names or name_prefix"):
        client.create_fleet(name("both"), 1, **options)
    with (
        pytest.raises(ValueError, match="either names or name_prefix"),
        client.ephemeral_fleet(name("both"), 1, **options),
    ):
        pass


def test_options_of_ephemeral_fleets_are_those_of_fleets() -> None:
    def options(method: Callable[..., Any]) -> dict[str, Any]:
        return dict(inspect.signature(method, eval_str=True).parameters)

    for client in (Client, AsyncClient):
        ephemeral = options(client.ephemeral_fleet)
        assert ephemeral.pop("delete_members").annotation is bool
        assert ephemeral.pop("timeout").annotation is float
        assert ephemeral == options(client.create_fleet)


def test_an_invalid_fleet_names_the_fields(client: Client, name: Name) -> None:
    with pytest.raises(flotilla.Invalid) as failure:
        client.create_fleet(name("bad"), 2, names=["one-name"])
    assert failure.value.status == 422
    assert failure.value.errors


def test_a_fleet_that_is_not_ready_in_time_names_the_missing_members(
    server: Server, name: Name
) -> None:
    with (
        Client(server.url, retry=FAST) as client,
        client.ephemeral_fleet(name("slow"), 2, readiness="Conditions") as fleet,
    ):
        eventually(lambda: len(fleet.refresh().members) == 2)
        client.statuses.report(
            client.clusters.get_by_name(fleet.member_names[0]),
            "dns",
            {"Available": "True", "Applied": "True", "Health": "True"},
        )
        fleet.wait_until_ready(timeout=60, minimum=1)
        with pytest.raises(flotilla.FleetTimeout) as failure:
            fleet.wait_until_ready(timeout=1)
        assert failure.value.missing == fleet.member_names[1:]
        assert (failure.value.ready, failure.value.wanted) == (1, 2)


def test_a_degraded_fleet_fails_early(client: Client, name: Name) -> None:
    client.clusters.create(f"{name('taken')}-0000")
    with client.ephemeral_fleet(name("taken"), 2, delete_members=True) as fleet:
        with pytest.raises(flotilla.FleetDegraded) as failure:
            fleet.wait_until_ready(timeout=60)
        assert list(failure.value.failed) == [f"{name('taken')}-0000"]
        fleet.wait_until_ready(timeout=60, minimum=1)
        with pytest.raises(flotilla.FleetDegraded):
            list(fleet)


def test_an_ephemeral_fleet_is_deleted_and_its_members_stay(client: Client, name: Name) -> None:
    with client.ephemeral_fleet(name("stay"), 2) as fleet:
        fleet.wait_until_ready(timeout=60)
    fleet.wait_until_deleted(timeout=60)
    with pytest.raises(flotilla.NotFound):
        fleet.refresh()
    for member in fleet.member_names:
        cluster = client.clusters.get_by_name(member)
        assert "deleted_time" not in cluster


@pytest.mark.parametrize("delete_members", [False, True])
def test_a_name_serves_twenty_ephemeral_fleets_in_a_row(
    client: Client, name: Name, delete_members: bool
) -> None:
    for _ in range(20):
        with client.ephemeral_fleet(name("again"), 1, delete_members=delete_members) as fleet:
            fleet.wait_until_ready(timeout=60)
        with pytest.raises(flotilla.NotFound):
            fleet.refresh()
    found = list(client.clusters.list(f"name='{name('again')}-0000'"))
    assert len(found) == (0 if delete_members else 1)


def test_a_name_serves_twenty_asynchronous_fleets_in_a_row(
    plain_server: Server, name: Name
) -> None:
    async def scenario() -> None:
        async with AsyncClient(plain_server.url, retry=FAST) as client:
            for _ in range(20):
                async with client.ephemeral_fleet(name("again"), 1, delete_members=True):
                    pass

    asyncio.run(scenario())


def test_a_creation_waits_for_a_fleet_that_is_being_deleted(client: Client, name: Name) -> None:
    for _ in range(5):
        client.create_fleet(name("next"), 3).delete(members=True)
        with client.ephemeral_fleet(name("next"), 1) as fleet:
            assert fleet.replicas == 1
    taken = client.create_fleet(name("taken"), 0)
    with pytest.raises(flotilla.Conflict), client.ephemeral_fleet(name("taken"), 1):
        pass
    taken.delete()


class RemovedFleet(BaseHTTPRequestHandler):
    """A server whose fleet exists at each creation and is removed before it is read."""

    creations = 0

    def do_POST(self) -> None:
        type(self).creations += 1
        self.rfile.read(int(self.headers["Content-Length"]))
        self._respond(409, "AlreadyExists")

    def do_GET(self) -> None:
        self._respond(404, "NotFound")

    def _respond(self, code: int, reason: str) -> None:
        body = json.dumps({"kind": "Status", "code": code, "reason": reason, "message": reason})
        self.send_response(code)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body.encode())

    def log_message(self, *_: object) -> None:
        pass


def test_a_fleet_that_is_removed_after_a_conflict_is_a_conflict() -> None:
    server = ThreadingHTTPServer(("127.0.0.1", 0), RemovedFleet)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    with Client(f"http://127.0.0.1:{server.server_port}", retry=FAST) as client:
        with pytest.raises(flotilla.Conflict):
            client.create_fleet("gone", 1)
        # The creation is repeated until the timeout, with pauses of at least 50 ms.
        RemovedFleet.creations = 0
        with pytest.raises(flotilla.Conflict), client.ephemeral_fleet("gone", 1, timeout=0.5):
            pass
        assert RemovedFleet.creations <= 12
    server.shutdown()


def test_the_end_of_a_fleet_waits_no_longer_than_its_timeout(server: Server, name: Name) -> None:
    options: dict[str, Any] = {"readiness": "Conditions", "delete_members": True, "timeout": 0.5}

    def end(client: Client) -> None:
        with client.ephemeral_fleet(name("waits"), 1, **options) as fleet:
            eventually(lambda: fleet.refresh().members)

    with Client(server.url, retry=FAST) as client, pytest.raises(flotilla.WaitTimeout):
        end(client)


def test_an_exception_deletes_the_fleet_and_is_not_hidden(client: Client, name: Name) -> None:
    with (
        pytest.raises(ZeroDivisionError),
        client.ephemeral_fleet(name("raise"), 1) as fleet,
    ):
        _ = 1 / 0
    fleet.wait_until_deleted(timeout=60)


def test_a_failed_deletion_hides_no_exception(server: Server, name: Name) -> None:
    proxy = FaultyProxy(server.port)

    def fail(client: Client) -> None:
        with client.ephemeral_fleet(name("hidden"), 1):
            proxy.close()
            raise ZeroDivisionError

    with (
        Client(proxy.url, retry=flotilla.Retry(attempts=1)) as faulty,
        pytest.raises(ZeroDivisionError),
    ):
        fail(faulty)
    with Client(server.url) as client:
        client.get_fleet(name("hidden")).delete(members=True)


def test_no_failure_of_the_deletion_hides_an_exception(
    client: Client, name: Name, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: Any, **__: Any) -> None:
        raise ValueError("the response is no JSON")

    monkeypatch.setattr(Fleet, "delete", fail)
    with pytest.raises(KeyError), client.ephemeral_fleet(name("hidden"), 0):
        raise KeyError("the caller's")
    monkeypatch.undo()
    client.get_fleet(name("hidden")).delete()


def test_deleting_twice_is_not_an_error(client: Client, name: Name) -> None:
    fleet = client.create_fleet(name("twice"), 1)
    fleet.delete()
    fleet.delete()
    fleet.wait_until_deleted(timeout=60)
    fleet.delete(members=None)


def test_a_fleet_never_deletes_a_successor_of_its_name(client: Client, name: Name) -> None:
    with client.ephemeral_fleet(name("heir"), 0) as first:
        first.wait_until_ready(timeout=60)
        first.delete()
        first.wait_until_deleted(timeout=60)
        second = client.create_fleet(name("heir"), 0)
        first.refresh()
        first.delete(members=True)
    assert "deletionTimestamp" not in second.refresh().raw["metadata"]
    second.delete()


def test_a_conflict_of_the_deletion_is_raised_unless_the_fleet_is_gone(
    server: Server, name: Name
) -> None:
    proxy = FaultyProxy(server.port)
    body = b'{"kind":"Status","code":409,"reason":"Conflict","message":"modified"}'
    head = b"HTTP/1.1 409 Conflict\r\nContent-Type: application/json\r\nConnection: close\r\n"
    proxy.answer = head + b"Content-Length: %d\r\n\r\n" % len(body) + body

    def delete_after_conflict(fleet: Fleet) -> None:
        proxy.cut()
        proxy.fail_next = 1
        fleet.delete()

    with Client(proxy.url, retry=flotilla.Retry(attempts=1)) as client:
        fleet = client.create_fleet(name("kept"), 0)
        with pytest.raises(flotilla.Conflict):
            delete_after_conflict(fleet)
        fleet.delete()
        fleet.wait_until_deleted(timeout=60)
        delete_after_conflict(fleet)
    proxy.close()


def test_a_create_with_a_lost_response_returns_the_fleet(server: Server, name: Name) -> None:
    proxy = FaultyProxy(server.port)
    with Client(proxy.url, retry=FAST) as client:
        proxy.lose_next = 1
        fleet = client.create_fleet(name("lost"), 1)
        fleet.delete(members=True)
    proxy.close()


def test_a_claim_is_exclusive_and_recycles_its_member(fleet: Fleet) -> None:
    fleet.scale(1).wait_until_ready(timeout=60)
    with fleet.claim("worker-1", ttl_seconds=30) as member:
        assert (member.cluster_id, member.holder) == (fleet.member_names[0], "worker-1")
        assert member.expires_time is not None
        member.plane.request("POST", MAPS, body={"metadata": {"name": "mine"}})
        assert maps(member.plane) == {"task", "mine"}
        with pytest.raises(flotilla.Conflict) as failure:
            fleet.claim("worker-2").acquire()
        assert failure.value.retry_after is not None
    assert member.is_lost
    with fleet.claim("worker-2", wait=60.0, then="Keep") as second:
        assert maps(second.plane) == {"task"}
        assert not second.kept
        with pytest.raises(flotilla.Conflict):
            fleet.recycle(second.cluster_id)
    with fleet.claim("worker-3", then="Keep") as third:
        assert third.kept
    assert fleet.recycle() == []
    assert fleet.recycle(fleet.member_names[0]) == fleet.member_names[:1]
    with fleet.claim("worker-4", wait=60.0) as fourth:
        assert not fourth.kept


def test_many_claims_never_share_a_member(fleet: Fleet) -> None:
    claims = [fleet.claim(f"worker-{index}").acquire() for index in range(3)]
    assert sorted(one.cluster_id for one in claims) == fleet.member_names
    eventually(lambda: fleet.refresh().status.claimed_replicas == 3)
    for claim in claims:
        claim.release(then="Keep")
        claim.release()


def await_renewal(member: Claim) -> None:
    last = member.expires_time
    eventually(lambda: member.expires_time != last)


def test_a_lease_is_renewed_in_the_background(fleet: Fleet) -> None:
    with fleet.claim(ttl_seconds=6, cluster_id=fleet.member_names[0]) as member:
        # Together longer than the lease.
        for _ in range(4):
            await_renewal(member)
        member.check()
        assert not member.is_lost


def test_a_lease_that_cannot_be_renewed_is_lost(
    plain_server: Server, fleet: Fleet, client: Client
) -> None:
    proxy = FaultyProxy(plain_server.port)
    with Client(proxy.url, retry=flotilla.Retry(attempts=1), timeout=10.0) as faulty:
        claim = faulty.get_fleet(fleet.name).claim(ttl_seconds=1).acquire()
        proxy.close()
        eventually(lambda: claim.is_lost)
        with pytest.raises(flotilla.LeaseLost):
            claim.check()
    # The server recycles the member after the end of the lease.
    with fleet.claim(cluster_id=claim.cluster_id, wait=60.0) as member:
        assert member.cluster_id == claim.cluster_id


def test_a_released_claim_cannot_be_renewed(fleet: Fleet) -> None:
    claim = fleet.claim(ttl_seconds=None).acquire()
    assert claim.expires_time is None
    claim.release()
    with pytest.raises(flotilla.LeaseLost):
        claim.renew()


def test_a_wait_survives_a_cut_connection(server: Server, name: Name) -> None:
    proxy = FaultyProxy(server.port)
    with (
        Client(proxy.url, retry=FAST, stall_timeout=1.0) as client,
        client.ephemeral_fleet(name("cut"), 1, readiness="Conditions") as fleet,
    ):
        eventually(lambda: fleet.refresh().members)

        def report() -> None:
            proxy.cut()
            with Client(server.url) as direct:
                member = direct.clusters.get_by_name(fleet.member_names[0])
                conditions = {"Available": "True", "Applied": "True", "Health": "True"}
                direct.statuses.report(member, "dns", conditions)

        threading.Timer(0.5, report).start()
        fleet.wait_until_ready(timeout=60)
        assert [plane.id for plane in fleet] == fleet.member_names
    proxy.close()


def test_asynchronous_fleets_do_the_same(plain_server: Server, name: Name) -> None:
    async def scenario() -> None:
        async with AsyncClient(plain_server.url, retry=FAST) as client:
            options: dict[str, Any] = {"template": TEMPLATE, "delete_members": True}
            async with client.ephemeral_fleet(name("async"), 3, **options) as fleet:
                assert sorted([one.id async for one in fleet]) == fleet.member_names
                await fleet.wait_until_ready(timeout=60)
                async with fleet.claim(ttl_seconds=6) as member:
                    first = member.expires_time
                    await asyncio.to_thread(eventually, lambda: member.expires_time != first)
                    state = await member.plane.state(min_resource_version="latest")
                    assert state.by_resource("configmaps") is not None
                await fleet.scale(1)
                await fleet.wait_until_ready(timeout=60)
                assert [one.cluster_id async for one in fleet.all_members()]
                assert fleet.name in [one.name for one in await client.list_fleets()]

    asyncio.run(scenario())
