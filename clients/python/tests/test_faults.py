from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

import flotilla
from conftest import FAST, Server, eventually
from faulty_proxy import FaultyProxy
from flotilla import AsyncClient, Client, Retry, WatchEvent
from flotilla.types.hyperfleet import Cluster

Name = Callable[[str], str]


@pytest.fixture
def proxy(server: Server) -> Iterator[FaultyProxy]:
    one = FaultyProxy(server.port)
    yield one
    one.close()


@pytest.fixture
def client(proxy: FaultyProxy) -> Iterator[Client]:
    with Client(proxy.url, retry=FAST, timeout=5.0, stall_timeout=1.0) as one:
        yield one


class Follower:
    """Collects the events of a watch in a thread."""

    def __init__(self, client: Client, search: str) -> None:
        self.events: list[WatchEvent[Cluster]] = []
        self._watch = client.clusters.watch(search)
        threading.Thread(target=self._run, daemon=True).start()

    def _run(self) -> None:
        for event in self._watch:
            self.events.append(event)

    def names(self, type_: str) -> list[str]:
        return [one.object["name"] for one in list(self.events) if one.type == type_]

    def has_bookmark(self) -> bool:
        return any(one.type == "BOOKMARK" for one in list(self.events))


def test_requests_are_repeated_after_503(proxy: FaultyProxy, client: Client, name: Name) -> None:
    proxy.fail_next = 2
    created = client.clusters.create(name("unavailable"))
    assert client.clusters.get(created)["name"] == name("unavailable")
    assert proxy.connections >= 3


def test_a_create_with_a_lost_response_creates_one_cluster(
    proxy: FaultyProxy, client: Client, name: Name
) -> None:
    proxy.lose_next = 1
    created = client.clusters.create(name("lost"))
    assert client.clusters.get_by_name(name("lost")) == created


def test_a_request_that_could_run_twice_is_not_repeated(
    proxy: FaultyProxy, client: Client, name: Name
) -> None:
    plane = client.plane(client.clusters.create(name("once"))["id"])
    body = {"metadata": {"generateName": "once-"}}
    proxy.cut()
    eventually(lambda: not proxy._open)
    proxy.lose_next = 1
    with pytest.raises(flotilla.Unavailable) as failure:
        plane.request("POST", "/api/v1/namespaces/default/configmaps", body=body)
    assert failure.value.status == 0
    found = plane.request("GET", "/api/v1/namespaces/default/configmaps")["items"]
    assert len(found) == 1


def test_a_conditional_deletion_is_not_repeated(
    proxy: FaultyProxy, client: Client, name: Name
) -> None:
    cluster = client.clusters.create(name("tagged"))
    tag = client.clusters.etag(cluster)
    proxy.cut()
    eventually(lambda: not proxy._open)
    proxy.lose_next = 1
    with pytest.raises(flotilla.Unavailable):
        client.clusters.delete(cluster, if_match=tag)


def test_many_states_are_read_again_after_503(
    proxy: FaultyProxy, client: Client, name: Name
) -> None:
    cluster = client.clusters.create(name("states"))
    proxy.cut()
    eventually(lambda: not proxy._open)
    proxy.fail_next = 2
    assert [one.cluster for one in client.states([cluster["id"]])] == [cluster["id"]]


def test_a_wait_ends_in_time_while_the_server_stalls(proxy: FaultyProxy, name: Name) -> None:
    with Client(proxy.url) as patient, ThreadPoolExecutor() as pool:
        fleet = patient.create_fleet(name("stalled"), 0)
        proxy.stall()
        waiting = pool.submit(fleet.wait_until_deleted, timeout=0.5)
        # The timeout of a request is 30 s.
        failure = waiting.exception(timeout=15)
        proxy.flow()
        assert isinstance(failure, flotilla.WaitTimeout)
        fleet.delete()


def test_an_unreachable_server_raises_unavailable() -> None:
    with (
        Client("http://127.0.0.1:1", retry=Retry(attempts=2, base=0.01)) as client,
        pytest.raises(flotilla.Unavailable) as failure,
    ):
        client.clusters.get("any")
    assert (failure.value.status, failure.value.code) == (0, "unreachable")


def test_a_watch_resumes_after_its_connection_is_cut(
    proxy: FaultyProxy, client: Client, name: Name
) -> None:
    follower = Follower(client, f"labels.run = '{name('cut')}'")
    eventually(follower.has_bookmark)
    for index in range(5):
        proxy.cut()
        client.clusters.create(name(f"cut{index}"), labels={"run": name("cut")})
    wanted = [name(f"cut{index}") for index in range(5)]
    eventually(lambda: follower.names("ADDED") == wanted)
    assert not [one for one in follower.events if one.type == "RESET"]


def test_a_watch_resumes_after_a_stall(
    server: Server, proxy: FaultyProxy, client: Client, name: Name
) -> None:
    follower = Follower(client, f"labels.run = '{name('stall')}'")
    eventually(follower.has_bookmark)
    proxy.stall()
    with Client(server.url) as direct:
        direct.clusters.create(name("stall"), labels={"run": name("stall")})
    before = proxy.connections
    eventually(lambda: proxy.connections > before)
    proxy.flow()
    eventually(lambda: follower.names("ADDED") == [name("stall")])


def test_a_watch_starts_again_after_an_expired_version(client: Client, name: Name) -> None:
    cluster = client.clusters.create(name("expired"))
    search = f"id = '{cluster['id']}'"
    with client.clusters.watch(search, resource_version="00000000.1") as watch:
        first = next(watch)
        second = next(watch)
    assert first.type == "RESET"
    assert (second.type, second.object["id"]) == ("ADDED", cluster["id"])


def test_a_watch_survives_restarts_of_the_server(own_server: Server, name: Name) -> None:
    with Client(own_server.url, retry=Retry(base=0.05, cap=0.5, attempts=100)) as client:
        follower = Follower(client, "name like 'restart%'")
        eventually(follower.has_bookmark)
        client.clusters.create("restart-a")
        eventually(lambda: follower.names("ADDED") == ["restart-a"])
        own_server.restart(kill=True)
        client.clusters.create("restart-b")
        eventually(lambda: follower.names("ADDED")[-1:] == ["restart-b"])


def test_a_wait_survives_a_cut_connection(proxy: FaultyProxy, client: Client, name: Name) -> None:
    cluster = client.clusters.create(name("patience"))

    def change() -> None:
        proxy.cut()
        client.clusters.patch(cluster, labels={"done": "yes"})

    threading.Timer(0.3, change).start()
    found = client.clusters.wait_for(cluster, lambda one: "done" in one["labels"], timeout=20)
    assert found["labels"] == {"done": "yes"}


def test_the_asynchronous_watch_resumes_too(proxy: FaultyProxy, name: Name) -> None:
    async def scenario() -> list[str]:
        seen: list[str] = []
        async with AsyncClient(proxy.url, retry=FAST, stall_timeout=1.0) as client:
            watch = client.clusters.watch(f"labels.run = '{name('async')}'")
            async with watch as events:
                async for event in events:
                    if event.type == "ADDED":
                        seen.append(event.object["name"])
                    if len(seen) == 3:
                        break
                    if event.type in ("BOOKMARK", "ADDED"):
                        proxy.cut()
                        one = name(f"async{len(seen)}")
                        labels = {"run": name("async")}
                        await client.clusters.create(one, labels=labels, idempotency_key=one)
        return seen

    assert asyncio.run(scenario()) == [name(f"async{index}") for index in range(3)]
