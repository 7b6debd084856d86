from __future__ import annotations

import asyncio
from collections.abc import Callable
from datetime import datetime, timezone

import pytest

import flotilla
from conftest import FAST, Server
from flotilla import AsyncClient, Client

Name = Callable[[str], str]
READY = {"Available": "True", "Applied": "True", "Health": "True"}


def test_creates_reads_patches_and_deletes_a_cluster(client: Client, name: Name) -> None:
    created = client.clusters.create(name("rome"), {"size": 1}, labels={"team": "blue"})
    assert created["generation"] == 1
    assert client.clusters.get(created["id"])["spec"] == {"size": 1}
    assert client.clusters.get(created) == client.clusters.get_by_name(name("rome"))

    patched = client.clusters.patch(created, spec={"size": 2})
    assert patched["generation"] == 2
    merged = client.clusters.merge_patch(created, {"spec": {"zone": "a"}})
    assert merged["spec"] == {"size": 2, "zone": "a"}
    operations = [{"op": "replace", "path": "/spec/size", "value": 3}]
    assert client.clusters.json_patch(created, operations)["spec"]["size"] == 3

    deleted = client.clusters.delete(created)
    assert deleted is not None
    assert deleted["deleted_time"]
    client.clusters.force_delete(created, "the test has ended")
    assert client.clusters.delete(created) is None
    client.clusters.force_delete(created, "twice is not an error")


def test_a_stale_etag_raises_precondition_failed(client: Client, name: Name) -> None:
    cluster = client.clusters.create(name("etag"))
    etag = client.clusters.etag(cluster)
    client.clusters.patch(cluster, labels={"a": "1"}, if_match=etag)
    with pytest.raises(flotilla.PreconditionFailed) as failure:
        client.clusters.patch(cluster, labels={"a": "2"}, if_match=etag)
    assert failure.value.status == 412
    assert failure.value.code == "HYPERFLEET-CNF-002"


def test_errors_have_the_code_the_violations_and_the_request_id(client: Client, name: Name) -> None:
    with pytest.raises(flotilla.Invalid) as failure:
        client.clusters.create("X")
    error = failure.value
    assert (error.status, error.code) == (400, "HYPERFLEET-VAL-000")
    assert {one["field"] for one in error.errors} == {"name"}
    assert error.request_id
    with pytest.raises(flotilla.NotFound):
        client.clusters.get("absent")
    client.clusters.create(name("taken"))
    with pytest.raises(flotilla.Conflict):
        client.clusters.create(name("taken"))


def test_errors_of_planes_have_the_reason_of_their_status(client: Client, name: Name) -> None:
    plane = client.plane(client.clusters.create(name("status"))["id"])
    with pytest.raises(flotilla.NotFound) as failure:
        plane.request("GET", "/api/v1/namespaces/default/configmaps/absent")
    assert failure.value.code == "NotFound"
    assert 'configmaps "absent" not found' in failure.value.message


def test_a_create_with_the_same_key_returns_the_same_cluster(client: Client, name: Name) -> None:
    first = client.clusters.create(name("key"), idempotency_key=name("key"))
    assert client.clusters.create(name("key"), idempotency_key=name("key")) == first


def test_a_dry_run_stores_nothing(client: Client, name: Name) -> None:
    client.clusters.create(name("dry"), dry_run=True)
    with pytest.raises(flotilla.NotFound):
        client.clusters.get_by_name(name("dry"))


@pytest.mark.parametrize("order_by", [None, "name desc"])
def test_lists_iterate_over_all_pages(client: Client, name: Name, order_by: str | None) -> None:
    label = name("page")
    for index in range(7):
        client.clusters.create(name(f"page{index}"), labels={"run": label})
    items = client.clusters.list(f"labels.run = '{label}'", page_size=3, order_by=order_by)
    names = [item["name"] for item in items]
    assert len(names) == len(set(names)) == 7
    pages = list(items.pages())
    assert [len(page.items) for page in pages] == [3, 3, 1]
    assert [page.total for page in pages] == [7, 7, 7]
    assert items.first() in items.all()
    assert len(client.clusters.search(f"labels.run = '{label}'", page_size=3, page=2).all()) == 3


def test_a_search_error_has_its_position(client: Client) -> None:
    with pytest.raises(flotilla.Invalid) as failure:
        client.clusters.search("labels.team=blue").all()
    assert failure.value.errors[0]["position"] == 12


def test_node_pools_belong_to_a_cluster(client: Client, name: Name) -> None:
    cluster = client.clusters.create(name("pools"))
    pool = client.nodepools.create(cluster, "workers", {"nodes": 3})
    assert client.nodepools.get(pool) == client.nodepools.get_by_name(cluster, "workers")
    assert client.nodepools.list(cluster=cluster).all() == [pool]
    assert pool["id"] in [one["id"] for one in client.nodepools.list(fields="id")]


def test_reports_make_a_cluster_ready(client: Client, name: Name) -> None:
    cluster = client.clusters.create(name("ready"))
    outcome = client.statuses.report(cluster, "dns", READY, data={"zone": "a"})
    assert outcome.discarded is None
    assert client.clusters.wait_for(cluster, "Ready", timeout=20)["id"] == cluster["id"]
    assert client.statuses.get(cluster, "dns")["data"] == {"zone": "a"}
    assert [one["adapter"] for one in client.statuses.list(cluster)] == ["dns"]
    assert client.statuses.wait_for(cluster, "dns", timeout=20)["adapter"] == "dns"
    with pytest.raises(flotilla.NotFound):
        client.statuses.get(cluster, "absent")


def test_a_discarded_report_has_its_reason(client: Client, name: Name) -> None:
    cluster = client.clusters.create(name("discard"))
    client.clusters.patch(cluster, spec={"size": 2})
    assert cluster["generation"] == 1
    stored = client.statuses.create({**cluster, "generation": 2}, "dns", READY)
    assert stored.status is not None
    assert stored.status["observed_generation"] == 2
    outcome = client.statuses.create(cluster["id"], "dns", READY, observed_generation=1)
    assert (outcome.status, outcome.discarded) == (None, "stale-generation")
    with pytest.raises(ValueError, match="observed_generation is required"):
        client.statuses.create(cluster["id"], "dns", READY)


def test_a_wait_ends_with_its_timeout_or_with_the_resource(client: Client, name: Name) -> None:
    cluster = client.clusters.create(name("wait"))
    with pytest.raises(flotilla.WaitTimeout, match=cluster["id"]):
        client.clusters.wait_for(cluster, "Ready", timeout=0.3)
    with pytest.raises(flotilla.NotFound):
        client.clusters.wait_for("absent", timeout=20)
    client.clusters.delete(cluster)
    client.clusters.force_delete(cluster, "the test has ended")
    client.clusters.wait_until_deleted(cluster, timeout=20)


def test_a_wait_accepts_a_function(client: Client, name: Name) -> None:
    cluster = client.clusters.create(name("until"), {"size": 4})
    found = client.clusters.wait_for(cluster, lambda one: one["spec"]["size"] == 4, timeout=20)
    assert found["name"] == name("until")


def test_the_server_time_is_close_to_the_time_of_this_machine(client: Client) -> None:
    client.clusters.list().first()
    assert abs((client.server_time() - datetime.now(timezone.utc)).total_seconds()) < 5


def test_many_clusters_are_created_in_one_request(client: Client, name: Name) -> None:
    client.clusters.create(name("bulk1"))
    items = [{"name": name(f"bulk{index}"), "labels": {"run": "bulk"}} for index in range(3)]
    results = client.clusters.create_many(items)
    assert [(one.index, one.status) for one in results] == [(0, 201), (1, 409), (2, 201)]
    assert results[0].resource is not None
    assert results[0].resource["labels"] == {"run": "bulk"}
    assert isinstance(results[1].error, flotilla.Conflict)

    others = [{"name": name("bulk1")}, {"name": name("bulk9")}]
    with pytest.raises(flotilla.Conflict):
        client.clusters.create_many(others, atomic=True)
    with pytest.raises(flotilla.NotFound):
        client.clusters.get_by_name(name("bulk9"))
    pools = client.nodepools.create_many(results[0].resource, [{"name": "a-1"}, {"name": "a-2"}])
    assert [one.status for one in pools] == [201, 201]


def test_an_upsert_creates_or_replaces(client: Client, name: Name) -> None:
    outcomes = [
        client.clusters.upsert(name("upsert"), {"size": size}, labels={"a": "b"})
        for size in (1, 2, 2)
    ]
    assert [one.result for one in outcomes] == ["created", "replaced", "unchanged"]
    cluster = outcomes[-1].resource
    assert (cluster["spec"], cluster["generation"]) == ({"size": 2}, 2)
    assert client.nodepools.upsert(cluster, "workers").result == "created"
    assert client.nodepools.upsert(cluster, "workers", {"n": 1}).result == "replaced"


def test_each_kind_of_the_server_has_a_collection(client: Client) -> None:
    kinds = client.request("GET", "/api/hyperfleet/v1/kinds")["items"]
    plurals = {kind["plural"] for kind in kinds}
    assert "views" in plurals
    assert plurals <= vars(client).keys()


def test_creates_reads_changes_and_deletes_a_view(client: Client, name: Name) -> None:
    spec = {"kind": "Cluster", "search": "name like 'a%'", "alert": {"more_than": 10_000}}
    created = client.views.create(name("view"), spec, labels={"team": name("blue")})
    assert created["spec"]["search"] == "name like 'a%'"
    assert client.views.get_by_name(name("view"))["id"] == created["id"]
    found = client.views.search(f"labels.team = '{name('blue')}'")
    assert [view["id"] for view in found] == [created["id"]]

    changed = client.views.merge_patch(created, {"spec": {"order": "name asc"}})
    assert changed["spec"]["order"] == "name asc"
    replaced = client.views.upsert(name("view"), {"kind": "NodePool"})
    assert (replaced.result, replaced.resource["id"]) == ("replaced", created["id"])
    assert replaced.resource["spec"] == {"kind": "NodePool"}
    with pytest.raises(flotilla.Invalid):
        client.views.patch(created, spec={"kind": "Cluster", "search": "name ="})

    client.views.delete(created)
    client.views.wait_until_deleted(created)
    with pytest.raises(flotilla.NotFound):
        client.views.get_by_name(name("view"))


def test_the_asynchronous_client_does_the_same(server: Server, name: Name) -> None:
    async def scenario() -> None:
        async with AsyncClient(server.url, retry=FAST) as client:
            cluster = await client.clusters.create(name("async"), {"size": 1})
            view = await client.views.create(name("async"), {"kind": "Cluster"})
            assert (await client.views.get(view))["spec"] == {"kind": "Cluster"}
            await client.nodepools.create(cluster, "workers")
            await client.statuses.report(cluster, "dns", READY)
            ready = await client.clusters.wait_for(cluster, timeout=20)
            assert ready["id"] == cluster["id"]
            names = [one["name"] async for one in client.clusters.list(f"id = '{cluster['id']}'")]
            assert names == [name("async")]
            async for page in client.nodepools.list(cluster=cluster).pages():
                assert page.total == 1
            with pytest.raises(flotilla.NotFound):
                await client.clusters.get("absent")
            await client.clusters.delete(cluster)
            await client.clusters.force_delete(cluster, "the test has ended")

    asyncio.run(scenario())
