"""Creates, lists, reports on, patches and deletes a cluster through the generated client."""

import sys

from flotilla_client import Client
from flotilla_client.api.cluster import (
    create_cluster,
    delete_cluster,
    get_cluster,
    list_clusters,
    patch_cluster,
    report_cluster_status,
)
from flotilla_client.models import (
    AdapterStatus,
    AdapterStatusCreateRequest,
    Cluster,
    ClusterCreateRequest,
    ClusterCreateRequestKind,
    ClusterList,
    ClusterSpec,
    MergePatchRequest,
    MergePatchRequestSpec,
    Problem,
    ReportedCondition,
    ReportedConditionStatus,
)

NAME = "made-in-python"
client = Client(base_url=sys.argv[1])

created = create_cluster.sync(
    client=client,
    body=ClusterCreateRequest(
        kind=ClusterCreateRequestKind.CLUSTER,
        name=NAME,
        spec=ClusterSpec.from_dict({"region": "north"}),
    ),
)
assert isinstance(created, Cluster), created
assert created.generation == 1

page = list_clusters.sync(client=client, search=f"name='{NAME}'")
assert isinstance(page, ClusterList), page
assert page.total == 1
assert [item.id for item in page.items] == [created.id]

report = report_cluster_status.sync(
    created.id,
    client=client,
    body=AdapterStatusCreateRequest(
        adapter="validator",
        observed_generation=created.generation,
        conditions=[
            ReportedCondition(type_="Available", status=ReportedConditionStatus.TRUE)
        ],
    ),
)
assert isinstance(report, AdapterStatus), report
assert report.observed_generation == 1

patched = patch_cluster.sync(
    created.id,
    client=client,
    body=MergePatchRequest(spec=MergePatchRequestSpec.from_dict({"region": "south"})),
)
assert isinstance(patched, Cluster), patched
assert patched.generation == 2

deleted = delete_cluster.sync(created.id, client=client)
assert isinstance(deleted, Cluster), deleted
assert deleted.deleted_time

problem = get_cluster.sync("unknown", client=client)
assert isinstance(problem, Problem), problem
assert problem.code == "HYPERFLEET-NTF-001"
print("ok")
