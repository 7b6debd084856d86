"""An adapter in an own process. Run: python adapter_process.py URL SEARCH FILE."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path
from typing import Any

from flotilla import Client
from flotilla.adapter import Adapter, Result

URL, SEARCH, FILE = sys.argv[1:]


def reconcile(cluster: dict[str, Any]) -> Result:
    """Records the call as a line of the file, then works for a moment."""
    with Path(FILE).open("a") as calls:
        calls.write(f"{cluster['id']}/{cluster['generation']} {os.getpid()}\n")
    time.sleep(0.05)
    return Result()


Path(f"{FILE}.{os.getpid()}").touch()  # It is about to start.
with Client(URL) as client:
    Adapter(client, "dns", reconcile, search=SEARCH, heartbeat=600.0, lease_seconds=20).run()
