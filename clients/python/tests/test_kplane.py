"""The quickstart of kplane's SDK and every call of it, after `import flotilla as kplane`."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Iterator
from datetime import datetime
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import pytest

import flotilla as kplane
from conftest import Server

Name = Callable[[str], str]


@pytest.fixture(scope="module")
def kplane_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder: Path = tmp_path_factory.mktemp("kplane")
    started = Server(str(folder / "data"), PLANES_ON_FIRST_ACCESS="true").start()
    yield started
    started.stop()


def score_state(state: kplane.Snapshot) -> int:
    return state.total_items()


def test_the_quickstart_runs(kplane_server: Server, name: Name) -> None:
    client = kplane.Client(kplane_server.url, token="secret", verify_tls=False)

    snap = client.plane(name("team-alpha")).state(warm=True)
    print(snap.cluster, snap.live_resources, snap.total_items())

    with client.ephemeral_fleet(name("rl-rollout"), replicas=8) as fleet:
        fleet.wait_until_ready(timeout=120)
        scores = [score_state(plane.state()) for plane in fleet.planes()]
    assert len(scores) == 8
    client.close()


def test_every_call_of_a_plane_runs(kplane_server: Server, name: Name) -> None:
    client = kplane.Client(kplane_server.url, token="secret", verify_tls=True)
    plane = client.plane(name("team-beta"))
    assert plane.is_ready()
    assert plane.state().resources
    assert plane.state(resource="pods").resources == []
    filtered = plane.state(resource=["pods", "configmaps"], include_empty=True)
    assert filtered.total_items() == 0
    snap = plane.state(warm=True)
    assert plane.is_ready()

    assert isinstance(snap.cluster, str)
    assert isinstance(snap.snapshot_time, datetime)
    assert isinstance(snap.live_resources, int)
    assert all(isinstance(one, kplane.SnapshotResource) for one in snap.resources)
    assert snap.by_resource("pods") is None
    clusters = snap.by_resource("clusters")
    assert clusters is not None
    assert (clusters.group, clusters.resource, clusters.synced) == ("hyperfleet", "clusters", True)
    assert clusters.item_count == len(clusters.items) == 1


def test_every_call_of_a_fleet_runs(kplane_server: Server, name: Name) -> None:
    client = kplane.Client(kplane_server.url)
    fleet = client.create_fleet(name("fleet"), replicas=3, name_prefix=name("m") + "-")
    fleet.wait_until_ready(timeout=120)
    assert fleet.status.ready_replicas == 3
    assert [member.phase for member in fleet.members] == ["Ready"] * 3
    assert [plane.id for plane in fleet.planes()] == [f"{name('m')}-000{n}" for n in range(3)]
    assert len(list(fleet)) == 3
    fleet.refresh()
    assert client.get_fleet(name("fleet")).name == name("fleet")
    assert name("fleet") in [one.name for one in client.list_fleets()]
    url = f"{kplane_server.url}/clusters/x/control-plane"
    assert client.cluster_base_url("x") == url
    fleet.delete()
    named = client.create_fleet(name("named"), replicas=1, names=[name("one")], ttl_seconds=3600)
    named.wait_until_ready()
    named.delete()


def test_the_asynchronous_quickstart_runs(kplane_server: Server, name: Name) -> None:
    async def scenario() -> None:
        async with kplane.AsyncClient(kplane_server.url, token="secret") as client:
            plane = client.plane(name("gamma"))
            snap = await plane.state(warm=True)
            assert snap.total_items() > 0
            assert await plane.is_ready()
            async with client.ephemeral_fleet(name("rollout"), replicas=4) as fleet:
                await fleet.wait_until_ready(timeout=120)
                states = await asyncio.gather(*(one.state() for one in fleet.planes()))
                assert len(states) == 4
                assert len([one async for one in fleet]) == 4
            created = await client.create_fleet(name("created"), replicas=1)
            await created.wait_until_ready(timeout=120)
            await created.refresh()
            await created.delete()

    asyncio.run(scenario())


def test_the_embedded_document_equals_that_of_the_server(kplane_server: Server) -> None:
    def read(path: str) -> Any:
        with urlopen(kplane_server.url + path) as response:
            return response.read().decode()

    assert kplane.openapi.spec_yaml() == read("/openapi/kplane.yaml")
    pytest.importorskip("yaml")
    assert kplane.openapi.load_spec() == json.loads(read("/openapi/kplane.json"))
    assert kplane.openapi.load_spec()["openapi"].startswith("3.1.")
    operations = {
        operation["operationId"]
        for path in kplane.openapi.load_spec()["paths"].values()
        for operation in path.values()
        if isinstance(operation, dict) and "operationId" in operation
    }
    assert {"getSnapshot", "listFleets", "createFleet", "getFleet", "patchFleet"} <= operations
