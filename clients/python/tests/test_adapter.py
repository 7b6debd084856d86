from __future__ import annotations

import asyncio
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import pytest

from conftest import FAST, Server, eventually
from faulty_proxy import FaultyProxy
from flotilla import AsyncClient, Client, Retry
from flotilla._core.server_clock import ServerClock
from flotilla._sync.work_leases import WorkLeases
from flotilla.adapter import Adapter, AsyncAdapter, Reported, Result

Name = Callable[[str], str]


@pytest.fixture
def proxy(server: Server) -> Iterator[FaultyProxy]:
    one = FaultyProxy(server.port)
    yield one
    one.close()


class Running:
    """An adapter of the clusters with a label, in a thread."""

    def __init__(self, client: Client, label: str, **options: Any) -> None:
        self.reports: list[Reported] = []
        self.adapter = Adapter(
            client,
            "dns",
            search=f"labels.run = '{label}'",
            retry=Retry(base=0.05, cap=0.2),
            on_report=self.reports.append,
            **options,
        )
        self.thread = threading.Thread(target=self.adapter.run, daemon=True)
        self.thread.start()

    def __enter__(self) -> Running:
        return self

    def __exit__(self, *_: object) -> None:
        self.adapter.stop()
        self.thread.join(20)
        assert not self.thread.is_alive()


def serve_zone(cluster: dict[str, Any]) -> Result:
    return Result(True, "ZoneServed", data={"zone": cluster["spec"].get("zone")})


def test_an_adapter_reconciles_changes_and_finalizes(client: Client, name: Name) -> None:
    label = {"run": name("life")}
    existing = client.clusters.create(name("old"), {"zone": "old"}, labels=label)
    with Running(client, name("life"), reconcile=serve_zone):
        client.clusters.wait_for(existing, timeout=30)
        added = client.clusters.create(name("new"), {"zone": "a"}, labels=label)
        client.clusters.wait_for(added, timeout=30)
        client.clusters.patch(added, spec={"zone": "b"})
        client.clusters.wait_for(added, timeout=30)
        assert client.statuses.get(added, "dns")["data"] == {"zone": "b"}
        client.clusters.delete(added)
        client.clusters.wait_until_deleted(added, timeout=30)


def test_finalize_ends_a_deletion_when_everything_is_removed(client: Client, name: Name) -> None:
    cluster = client.clusters.create(name("gone"), labels={"run": name("gone")})
    calls: list[str] = []

    def remove_zone(cluster: dict[str, Any]) -> Result:
        calls.append(cluster["name"])
        return Result(False, "Removing", finalized=len(calls) == 2, again=0.1)

    with Running(client, name("gone"), reconcile=serve_zone, finalize=remove_zone):
        client.clusters.wait_for(cluster, timeout=30)
        client.clusters.delete(cluster)
        client.clusters.wait_until_deleted(cluster, timeout=30)
    assert calls == [name("gone"), name("gone")]


def test_a_failing_reconciliation_is_repeated_and_delays_no_others(
    client: Client, name: Name
) -> None:
    attempts: list[str] = []

    def reconcile(cluster: dict[str, Any]) -> Result:
        attempts.append(cluster["name"])
        if cluster["name"] == name("bad") and attempts.count(name("bad")) < 3:
            raise ValueError("the zone is locked")
        return Result()

    label = {"run": name("fail")}
    bad = client.clusters.create(name("bad"), labels=label)
    good = client.clusters.create(name("good"), labels=label)
    with Running(client, name("fail"), reconcile=reconcile, concurrency=1):
        client.clusters.wait_for(good, timeout=30)
        client.clusters.wait_for(bad, timeout=30)
    assert attempts.count(name("bad")) >= 3


def test_heartbeats_repeat_the_report(client: Client, name: Name) -> None:
    client.clusters.create(name("beat"), labels={"run": name("beat")})
    with Running(client, name("beat"), reconcile=serve_zone, heartbeat=0.4) as running:
        eventually(lambda: len(running.reports) >= 3)
        assert {one.generation for one in running.reports} == {1}


def test_a_discarded_report_is_not_sent_again(client: Client, name: Name) -> None:
    client.clusters.create(name("stale"), labels={"run": name("stale")})

    calls: list[dict[str, Any]] = []

    def report_once(resource: dict[str, Any]) -> Result:
        calls.append(resource)
        return Result(again=1.0) if len(calls) == 1 else Result(available="Unknown")

    with Running(client, name("stale"), reconcile=report_once) as running:
        eventually(lambda: len(running.reports) == 2)
        assert running.reports[1].discarded == "unknown-after-report"
        running.thread.join(1)
        assert len(running.reports) == 2


def test_discarded_work_is_repeated_when_the_adapter_asks_for_it(
    client: Client, name: Name
) -> None:
    client.clusters.create(name("again"), labels={"run": name("again")})

    calls: list[dict[str, Any]] = []

    def report_once(resource: dict[str, Any]) -> Result:
        calls.append(resource)
        return Result(available=True if len(calls) == 1 else "Unknown", again=1.0)

    with Running(client, name("again"), reconcile=report_once, heartbeat=600.0) as running:
        eventually(lambda: len(running.reports) >= 4)
        assert running.reports[3].discarded == "unknown-after-report"


def test_an_adapter_survives_failures_of_the_connection(
    proxy: FaultyProxy, client: Client, name: Name
) -> None:
    label = {"run": name("faults")}
    with (
        Client(proxy.url, retry=Retry(attempts=2, base=0.05), stall_timeout=1.0) as faulty,
        Running(faulty, name("faults"), reconcile=serve_zone, heartbeat=2.0),
    ):
        for index in range(4):
            proxy.cut()
            proxy.fail_next = 3
            cluster = client.clusters.create(name(f"fault{index}"), labels=label)
            client.clusters.wait_for(cluster, timeout=30)


def test_a_failure_of_the_token_occupies_no_place(
    server: Server, client: Client, name: Name
) -> None:
    calls: list[dict[str, Any]] = []
    is_down = threading.Event()

    def token() -> str:
        if is_down.is_set():
            raise OSError("the identity provider does not answer")
        return "token"

    def reconcile(cluster: dict[str, Any]) -> Result:
        calls.append(cluster)
        if len(calls) == 1:
            is_down.set()
        return Result()

    cluster = client.clusters.create(name("token"), labels={"run": name("token")})
    options: dict[str, Any] = {"concurrency": 1, "lease_seconds": 10}
    with (
        Client(server.url, token=token, retry=FAST) as one,
        Running(one, name("token"), reconcile=reconcile, **options) as running,
    ):
        eventually(lambda: calls and not running.adapter._shared._held)
        is_down.clear()
        client.clusters.wait_for(cluster, timeout=60)


def test_the_asynchronous_adapter_does_the_same(server: Server, name: Name) -> None:
    async def reconcile(cluster: dict[str, Any]) -> Result:
        return serve_zone(cluster)

    async def scenario() -> None:
        async with AsyncClient(server.url, retry=FAST) as client:
            search = f"labels.run = '{name('aio')}'"
            adapter = AsyncAdapter(client, "dns", reconcile, search=search)
            running = asyncio.ensure_future(adapter.run())
            cluster = await client.clusters.create(name("aio"), labels={"run": name("aio")})
            await client.clusters.wait_for(cluster, timeout=30)
            await client.clusters.delete(cluster)
            await client.clusters.wait_until_deleted(cluster, timeout=30)
            adapter.stop()
            await asyncio.wait_for(running, 20)

    asyncio.run(scenario())


def test_processes_share_the_work_and_take_over_that_of_a_killed_one(
    server: Server, client: Client, name: Name, tmp_path: Path
) -> None:
    works, label = 180, {"run": name("share")}
    clusters = [{"name": name(f"s{n}"), "labels": label} for n in range(works)]
    record = tmp_path / "calls"
    record.touch()
    program = [sys.executable, str(Path(__file__).with_name("adapter_process.py"))]
    selection = f"labels.run = '{name('share')}'"
    missing = f"{selection} and status.conditions.DnsSuccessful is null"
    with ExitStack() as stack:
        killed, other = (
            stack.enter_context(subprocess.Popen([*program, server.url, selection, str(record)]))
            for _ in range(2)
        )
        stack.callback(other.kill)
        stack.callback(killed.kill)
        eventually(lambda: all(Path(f"{record}.{one.pid}").exists() for one in (killed, other)))
        client.clusters.create_many(clusters)
        eventually(lambda: calls_of(record, killed) and calls_of(record, other))
        eventually(lambda: len(record.read_text().splitlines()) >= works / 3)
        killed.kill()
        eventually(lambda: not list(client.clusters.list(missing, fields="id")), timeout=120)
    calls = Counter(line.split()[0] for line in record.read_text().splitlines())
    assert len(calls) == works
    # Only the calls that were in progress are repeated: at most eight.
    assert calls.total() - works <= 8


def calls_of(record: Path, process: subprocess.Popen[bytes]) -> int:
    return sum(line.endswith(f" {process.pid}") for line in record.read_text().splitlines())


def test_the_change_of_a_report_in_progress_is_no_new_work(monkeypatch: pytest.MonkeyPatch) -> None:
    cluster = {"id": "a", "generation": 2, "status": {"conditions": []}}
    taken: list[str | None] = []

    def reconcile(_: dict[str, Any]) -> Result:
        adapter._handle("MODIFIED", cluster)
        taken.append(adapter._queue.take())
        raise ValueError("the zone is locked")

    adapter = Adapter(Client("http://127.0.0.1:1"), "dns", reconcile)
    monkeypatch.setattr(adapter._resources, "get", lambda _: cluster)
    with pytest.raises(ValueError, match="locked"):
        adapter._reconcile_and_report("a")
    adapter._handle("MODIFIED", cluster)
    assert [*taken, adapter._queue.take()] == [None, "a"]


@pytest.mark.parametrize("returns", [False, True])
def test_work_on_a_resource_that_leaves_the_search_is_not_repeated(
    monkeypatch: pytest.MonkeyPatch, returns: bool
) -> None:
    cluster = {"id": "a", "generation": 2, "status": {"conditions": []}}

    def reconcile(_: dict[str, Any]) -> Result:
        adapter._handle("DELETED", cluster)
        if returns:
            adapter._handle("ADDED", cluster)
        raise ValueError("the zone is locked")

    adapter = Adapter(Client("http://127.0.0.1:1"), "dns", reconcile, retry=Retry(base=0.0))
    monkeypatch.setattr(adapter._resources, "get", lambda _: cluster)
    adapter._handle("ADDED", cluster)
    assert adapter._queue.take() == "a"
    adapter._handle_one("a")
    assert adapter._queue.take() == ("a" if returns else None)


def test_an_adapter_works_with_a_server_without_leases(
    client: Client, name: Name, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(WorkLeases, "_path", lambda *_: "/api/hyperfleet/v1/unknown")
    cluster = client.clusters.create(name("alone"), labels={"run": name("alone")})
    with Running(client, name("alone"), reconcile=serve_zone) as running:
        client.clusters.wait_for(cluster, timeout=30)
        client.clusters.delete(cluster)
        client.clusters.wait_until_deleted(cluster, timeout=30)
    assert [one.discarded for one in running.reports] == [None, None]


def test_a_reconciliation_that_fails_with_not_found_is_repeated(client: Client, name: Name) -> None:
    attempts: list[str] = []

    def reconcile(cluster: dict[str, Any]) -> Result:
        attempts.append(cluster["name"])
        if len(attempts) < 3:
            client.clusters.get("01900000-0000-7000-8000-000000000000")
        return Result()

    cluster = client.clusters.create(name("other"), labels={"run": name("other")})
    with Running(client, name("other"), reconcile=reconcile, heartbeat=600.0):
        client.clusters.wait_for(cluster, timeout=30)
    assert len(attempts) == 3


def test_an_adapter_survives_failures_of_the_token(
    server: Server, client: Client, name: Name
) -> None:
    failures = [OSError("the file is being replaced")]

    def token() -> str:
        if failures:
            raise failures.pop()
        return ""

    with (
        Client(server.url, retry=FAST, token=token) as own,
        Running(own, name("token"), reconcile=serve_zone, heartbeat=600.0),
    ):
        eventually(lambda: not failures)
        cluster = client.clusters.create(name("token"), labels={"run": name("token")})
        client.clusters.wait_for(cluster, timeout=30)


def test_the_clock_never_jumps_back_within_a_second() -> None:
    times = iter([0.05, 0.95])
    start = datetime(2026, 1, 1, tzinfo=timezone.utc)
    clock = ServerClock(lambda: start + timedelta(seconds=next(times)))
    clock.observe({"date": "Thu, 01 Jan 2026 01:00:00 GMT"})
    skew = clock.skew
    clock.observe({"date": "Thu, 01 Jan 2026 01:00:00 GMT"})
    assert clock.skew == skew


def test_the_clock_follows_the_date_of_the_server() -> None:
    local = datetime(2026, 1, 1, tzinfo=timezone.utc)
    clock = ServerClock(lambda: local)
    clock.observe({"date": "Thu, 01 Jan 2026 01:00:00 GMT"})
    assert clock.now() == local + timedelta(hours=1)
    clock.observe({"date": "Thu, 01 Jan 2026 00:00:01 GMT"})
    assert clock.now() == local
    clock.observe({"date": "yesterday"})
    assert clock.now() == local
