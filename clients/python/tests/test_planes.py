from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Callable
from datetime import datetime
from typing import Any

import pytest

import flotilla
from conftest import FAST, Server, eventually
from flotilla import AsyncClient, Client, Retry, StateEvent

Name = Callable[[str], str]
CONFIGMAPS = "/api/v1/namespaces/default/configmaps"


def test_a_snapshot_has_the_cluster_and_the_objects_of_its_plane(
    client: Client, name: Name
) -> None:
    cluster = client.clusters.create(name("state"))
    client.nodepools.create(cluster, "workers")
    plane = client.plane(cluster["id"])
    plane.request("POST", CONFIGMAPS, body={"metadata": {"name": "a"}, "data": {"size": "3"}})
    state = plane.state(min_resource_version="latest")
    assert state.cluster == cluster["id"]
    assert isinstance(state.snapshot_time, datetime)
    assert state.snapshot_time.tzinfo is not None
    assert state.live_resources > 0
    assert state.total_items() == sum(len(part.items) for part in state.resources)
    maps = state.by_resource("configmaps")
    assert maps is not None
    assert (maps.group, maps.resource, maps.synced, maps.item_count) == ("", "configmaps", True, 1)
    assert maps.items[0]["data"] == {"size": "3"}
    assert "managedFields" not in maps.items[0]["metadata"]
    assert state.by_resource("nodepools.hyperfleet") == state.by_resource("nodepools")
    assert state.by_resource("pods") is None


def test_a_snapshot_selects_resources(client: Client, name: Name) -> None:
    cluster = client.clusters.create(name("select"))
    plane = client.plane(name("select"))
    state = plane.state(["nodepools", "clusters"], include_empty=True, warm=True)
    assert [part.resource for part in state.resources] == ["clusters", "nodepools"]
    assert plane.state("clusters", warm=True).total_items() == 1
    assert plane.state("pods", warm=True).resources == []
    with pytest.raises(flotilla.Invalid):
        plane.state("pods", strict=True)
    assert (state.cluster, state.id) == (name("select"), cluster["id"])


def test_the_root_plane_has_a_snapshot(client: Client) -> None:
    state = client.plane("root").state("configmaps", include_empty=True)
    assert (state.cluster, state.id) == ("root", "root")
    assert [part.resource for part in state.resources] == ["configmaps"]


def test_a_snapshot_contains_a_write_with_its_token(client: Client, name: Name) -> None:
    cluster = client.clusters.create(name("token"))
    for size in range(5):
        client.clusters.patch(cluster, spec={"size": size})
        part = client.plane(cluster["id"]).state("clusters", min_resource_version="latest")
        found = part.by_resource("clusters")
        assert found is not None
        assert found.items[0]["spec"] == {"size": size}


def test_many_snapshots_come_in_one_call(client: Client, name: Name) -> None:
    ids = [client.clusters.create(name(f"many{index}"))["id"] for index in range(3)]
    assert [one.cluster for one in client.states(ids)] == ids
    names = [name("many2"), name("many0")]
    named = client.states(names, resource="clusters")
    assert [(one.cluster, one.id) for one in named] == [(names[0], ids[2]), (names[1], ids[0])]
    assert client.states([]) == []
    client.plane(ids[0]).request("POST", CONFIGMAPS, body={"metadata": {"name": "a"}})
    assert client.states(ids[:1], resource="configmaps")[0].total_items() == 1
    with pytest.raises(flotilla.Invalid):
        client.states(ids[:1], resource="pods", strict=True)
    with pytest.raises(flotilla.NotFound):
        client.states([ids[0], "absent"])
    assert len(client.states([ids[0], "absent"], skip_missing=True)) == 1
    assert len(client.states(search=f"name like 'many%{name('')}'")) == 3


def test_states_stream_a_snapshot_and_its_changes(client: Client, name: Name) -> None:
    cluster = client.clusters.create(name("stream"))
    plane = client.plane(cluster["id"])
    events: list[StateEvent] = []

    def follow() -> None:
        for event in plane.states():
            events.append(event)

    thread = threading.Thread(target=follow, daemon=True)
    thread.start()
    eventually(lambda: events)
    assert events[0].type == "SNAPSHOT"
    assert events[0].snapshot is not None
    client.nodepools.create(cluster, "workers")
    plane.request("POST", CONFIGMAPS, body={"metadata": {"name": "a"}})
    wanted = {("ADDED", "nodepools"), ("ADDED", "configmaps")}
    eventually(lambda: wanted <= {(one.type, one.resource) for one in events})
    client.clusters.delete(cluster)
    client.clusters.force_delete(cluster, "the test has ended")
    thread.join(30)
    assert not thread.is_alive()


def test_a_handle_does_no_io(client: Client) -> None:
    with Client("http://127.0.0.1:1/", retry=Retry(attempts=1)) as unreachable:
        assert unreachable.plane("a/b").base_url.endswith("/clusters/a%2Fb/control-plane")
        url = "http://127.0.0.1:1/clusters/rome/control-plane"
        assert unreachable.cluster_base_url("rome") == url
        assert unreachable.plane("rome").is_ready() is False


def test_a_plane_is_ready_while_its_cluster_exists(client: Client, name: Name) -> None:
    assert client.plane(name("probe")).is_ready() is False
    client.clusters.create(name("probe"))
    assert client.plane(name("probe")).is_ready() is True


def test_a_missing_cluster_is_not_found(client: Client, name: Name) -> None:
    with pytest.raises(flotilla.NotFound):
        client.plane(name("missing")).state(warm=True)


def test_the_kubeconfig_has_the_address_and_the_token(server: Server) -> None:
    with Client("https://example.org", token=lambda: "secret", verify_tls=False) as client:
        config = client.kubeconfig("rome")
    assert json.loads(json.dumps(config)) == config
    url = "https://example.org/clusters/rome/control-plane"
    assert config["clusters"][0]["cluster"] == {"server": url, "insecure-skip-tls-verify": True}
    assert config["users"][0]["user"] == {"token": "secret"}


def test_the_official_client_is_configured_for_the_plane(client: Client, name: Name) -> None:
    kubernetes: Any = pytest.importorskip("kubernetes")
    client.clusters.create(name("official"))
    core = kubernetes.client.CoreV1Api(client.plane(name("official")).kubernetes())
    core.create_namespaced_config_map("default", {"metadata": {"name": "b"}})
    names = [one.metadata.name for one in core.list_namespaced_config_map("default").items]
    assert names == ["b"]


def test_asynchronous_planes_do_the_same(server: Server, name: Name) -> None:
    async def scenario() -> None:
        async with AsyncClient(server.url, retry=FAST) as client:
            cluster = await client.clusters.create(name("async"))
            plane = client.plane(cluster["id"])
            assert await plane.is_ready()
            state = await plane.state(warm=True)
            assert state.cluster == cluster["id"]
            assert [one.cluster for one in await client.states([cluster["id"]])] == [state.cluster]
            async with plane.states() as events:
                async for event in events:
                    assert event.type == "SNAPSHOT"
                    break

    asyncio.run(scenario())
