"""Shows the clusters page by page, then all changes. Run: python dashboard_paging.py [server]."""

from __future__ import annotations

import sys
from typing import Any

from flotilla import Client

SERVER = sys.argv[1] if len(sys.argv) > 1 else "http://127.0.0.1:8000"
CHANGES = int(sys.argv[2]) if len(sys.argv) > 2 else sys.maxsize
FIELDS = ["name", "labels", "status"]


def line(cluster: Any) -> str:
    """A cluster as a row of the dashboard."""
    conditions = {one["type"]: one["status"] for one in cluster["status"]["conditions"]}
    ready = "ready" if conditions.get("Ready") == "True" else "not ready"
    return f"{cluster['name']:<30} {ready}"


with Client(SERVER) as client:
    version = ""
    clusters = client.clusters.list("deleted_time is null", fields=FIELDS, page_size=20)
    for page in clusters.pages():
        # The watch starts at the first page, so it repeats a change rather than missing one.
        version = version or page.resource_version
        print(f"page {page.number}, {page.total} clusters in total")
        for cluster in page.items:
            print(" ", line(cluster))

    print("changes:")
    seen = 0
    with client.clusters.watch(fields=FIELDS, resource_version=version) as events:
        for event in events:
            if event.type in ("ADDED", "MODIFIED", "DELETED"):
                print(f"  {event.type:<8} {line(event.object)}", flush=True)
                seen += 1
            if seen == CHANGES:
                break
