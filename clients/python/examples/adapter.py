"""An adapter that serves a DNS zone for every cluster. Run: python adapter.py [server] [folder]."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from flotilla import Client
from flotilla.adapter import Adapter, Result

SERVER = sys.argv[1] if len(sys.argv) > 1 else "http://127.0.0.1:8000"
ZONES = Path(sys.argv[2] if len(sys.argv) > 2 else "zones")


def reconcile(cluster: dict[str, Any]) -> Result:
    """Writes the zone of a cluster. A repetition changes nothing."""
    zone = cluster["spec"].get("zone")
    if zone is None:
        return Result(False, "NoZone", "spec.zone is missing")
    (ZONES / cluster["id"]).write_text(zone)
    return Result(True, "ZoneServed", data={"zone": zone})


def finalize(cluster: dict[str, Any]) -> Result:
    """Removes the zone of a deleted cluster."""
    (ZONES / cluster["id"]).unlink(missing_ok=True)
    return Result(False, "ZoneRemoved")


ZONES.mkdir(exist_ok=True)
with Client(SERVER) as client:
    Adapter(client, "dns", reconcile, finalize=finalize, heartbeat=30.0).run()
