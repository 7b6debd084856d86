from __future__ import annotations

import asyncio
import threading
from collections import Counter
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from conftest import FAST, Server, eventually
from faulty_proxy import FaultyProxy
from flotilla import AsyncClient, Client, Invalid, Retry
from flotilla._sync.work_leases import WorkLeases
from flotilla.adapter import AsyncWorker, Reported, Result, Worker

Name = Callable[[str], str]


class Running:
    """A worker for the clusters with a label, in a thread."""

    def __init__(self, client: Client, label: str, *, start: bool = True, **options: Any) -> None:
        self.reports: list[Reported] = []
        options = {"kinds": ["Cluster"], "on_report": self.reports.append, **options}
        search = f"labels.run = '{label}'"
        self.worker = Worker(client, "dns", search=search, retry=Retry(base=0.05), **options)
        self.thread = threading.Thread(target=self.worker.run, daemon=True)
        if start:
            self.thread.start()

    def __enter__(self) -> Running:
        return self

    def __exit__(self, *_: object) -> None:
        self.worker.stop()
        self.thread.join(20)
        assert not self.thread.is_alive()


def leased(client: Client, label: str) -> list[dict[str, Any]]:
    """The clusters with a label that are due now."""
    body = {"kinds": ["Cluster"], "search": f"labels.run = '{label}'", "waitSeconds": 1}
    answer = client.request("POST", "/api/hyperfleet/v1/adapters/dns/lease", body=body)
    items: list[dict[str, Any]] = answer["items"]
    return items


def test_workers_share_the_work_and_finalize_deletions(client: Client, name: Name) -> None:
    label = {"run": name("share")}
    calls: Counter[str] = Counter()

    def reconcile(cluster: dict[str, Any]) -> Result:
        calls[cluster["name"]] += 1
        return Result(data={"zone": cluster["spec"].get("zone")})

    existing = client.clusters.create(name("old"), {"zone": "a"}, labels=label)
    first = Running(client, name("share"), reconcile=reconcile)
    second = Running(client, name("share"), reconcile=reconcile, concurrency=2)
    with first, second:
        clusters = [
            existing,
            *(client.clusters.create(name(f"c{n}"), labels=label) for n in range(8)),
        ]
        for cluster in clusters:
            client.clusters.wait_for(cluster, timeout=30)
        assert calls == Counter({cluster["name"]: 1 for cluster in clusters})
        client.clusters.patch(existing, spec={"zone": "b"})
        client.clusters.wait_for(existing, timeout=30)
        assert client.statuses.get(existing, "dns")["data"] == {"zone": "b"}
        client.clusters.delete(existing)
        client.clusters.wait_until_deleted(existing, timeout=30)


def test_a_failing_call_is_repeated_and_delays_no_others(client: Client, name: Name) -> None:
    attempts: Counter[str] = Counter()

    def reconcile(cluster: dict[str, Any]) -> Result:
        attempts[cluster["name"]] += 1
        if cluster["name"] == name("bad") and attempts[name("bad")] < 2:
            raise ValueError("the zone is locked")
        return Result()

    label = {"run": name("fail")}
    bad = client.clusters.create(name("bad"), labels=label)
    good = client.clusters.create(name("good"), labels=label)
    with Running(client, name("fail"), reconcile=reconcile, concurrency=1):
        client.clusters.wait_for(good, timeout=30)
        client.clusters.wait_for(bad, timeout=30)
    assert attempts == Counter({name("bad"): 2, name("good"): 1})


def test_the_lease_of_long_work_is_renewed(
    client: Client, name: Name, monkeypatch: pytest.MonkeyPatch
) -> None:
    cluster = client.clusters.create(name("long"), labels={"run": name("long")})
    calls: list[str] = []
    renewed = threading.Event()
    renew = WorkLeases.renew

    def observed_renew(leases: WorkLeases, token: str) -> None:
        renew(leases, token)
        renewed.set()

    def reconcile(cluster: dict[str, Any]) -> Result:
        calls.append(cluster["name"])
        assert renewed.wait(60)
        return Result()

    monkeypatch.setattr(WorkLeases, "renew", observed_renew)
    with Running(client, name("long"), reconcile=reconcile, lease_seconds=30):
        client.clusters.wait_for(cluster, timeout=90)
    assert calls == [name("long")]


def test_a_report_can_ask_for_another_call(client: Client, name: Name) -> None:
    client.clusters.create(name("again"), labels={"run": name("again")})
    with Running(client, name("again"), reconcile=lambda _: Result(again=0.2)) as running:
        eventually(lambda: len(running.reports) >= 2)


def test_stopping_reports_the_results_of_calls_in_progress(client: Client, name: Name) -> None:
    cluster = client.clusters.create(name("stop"), labels={"run": name("stop")})
    started, finish = threading.Event(), threading.Event()

    def reconcile(_: dict[str, Any]) -> Result:
        started.set()
        assert finish.wait(20)
        return Result(reason="Finished")

    with Running(client, name("stop"), reconcile=reconcile) as running:
        assert started.wait(20)
        running.worker.stop()
        finish.set()
    assert client.statuses.get(cluster, "dns")["conditions"][0]["reason"] == "Finished"


def test_an_error_that_a_retry_cannot_help_ends_the_worker(client: Client) -> None:
    with pytest.raises(Invalid):
        Worker(client, "dns", lambda _: Result(), kinds=["Nothing"]).run()


def test_a_worker_survives_answers_that_are_not_from_the_server(
    server: Server, client: Client, name: Name
) -> None:
    cluster = client.clusters.create(name("page"), labels={"run": name("page")})
    proxy = FaultyProxy(server.port)
    proxy.answer = b"HTTP/1.1 200 OK\r\nContent-Length: 6\r\nConnection: close\r\n\r\n<html>"
    proxy.fail_next = 1
    with (
        Client(proxy.url, retry=FAST) as behind,
        Running(behind, name("page"), reconcile=lambda _: Result()),
    ):
        client.clusters.wait_for(cluster, timeout=30)
    assert proxy.fail_next == 0
    proxy.close()


class EmptyAnswers(BaseHTTPRequestHandler):
    """Answers every request for work immediately, without work."""

    requests = 0

    def do_POST(self) -> None:
        EmptyAnswers.requests += 1
        self.rfile.read(int(self.headers["Content-Length"]))
        body = b'{"kind": "AdapterWorkList", "size": 0, "items": []}'
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        pass


def test_a_worker_pauses_if_the_server_answers_without_waiting(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    server = ThreadingHTTPServer(("127.0.0.1", 0), EmptyAnswers)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    pauses: list[float] = []
    with Client(f"http://127.0.0.1:{server.server_port}") as client:
        running = Running(client, "empty", reconcile=lambda _: Result(), start=False)
        stopping = running.worker._stopping
        wait = stopping.wait

        def pause(timeout: float) -> bool:
            if timeout > 100:
                return wait(timeout)
            pauses.append(timeout)
            if len(pauses) == 5:
                running.worker.stop()
            return wait(0)

        monkeypatch.setattr(stopping, "wait", pause)
        running.thread.start()
        running.thread.join(20)
    server.shutdown()
    assert EmptyAnswers.requests == len(pauses) == 5
    assert all(1 <= each <= 2 for each in pauses)


def test_an_asynchronous_worker_gives_its_leases_back_when_it_is_cancelled(
    server: Server, client: Client, name: Name
) -> None:
    label = name("cancel")
    client.clusters.create(name("cancel"), labels={"run": label})

    async def scenario() -> None:
        started = asyncio.Event()

        async def reconcile(_: dict[str, Any]) -> Result:
            started.set()
            await asyncio.sleep(60)
            return Result()

        async with AsyncClient(server.url, retry=FAST) as asynchronous:
            search = f"labels.run = '{label}'"
            worker = AsyncWorker(asynchronous, "dns", reconcile, kinds=["Cluster"], search=search)
            running = asyncio.ensure_future(worker.run())
            await asyncio.wait_for(started.wait(), 20)
            running.cancel()
            await asyncio.wait([running])

    asyncio.run(scenario())
    (item,) = eventually(lambda: leased(client, label))
    assert item["attempt"] == 1


def test_an_asynchronous_worker_reports(server: Server, client: Client, name: Name) -> None:
    cluster = client.clusters.create(name("async"), labels={"run": name("async")})

    async def scenario() -> None:
        async def reconcile(_: dict[str, Any]) -> Result:
            return Result(reason="Served")

        async with AsyncClient(server.url, retry=FAST) as asynchronous:
            search = f"labels.run = '{name('async')}'"
            worker = AsyncWorker(asynchronous, "dns", reconcile, kinds=["Cluster"], search=search)
            running = asyncio.ensure_future(worker.run())
            await asynchronous.clusters.wait_for(cluster, timeout=30)
            worker.stop()
            await asyncio.wait_for(running, 20)

    asyncio.run(scenario())
    assert client.statuses.get(cluster, "dns")["conditions"][0]["reason"] == "Served"
