from __future__ import annotations

import json
import os
import subprocess
import tempfile
import time
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from flotilla import Client, Retry

ROOT = Path(os.environ.get("FLOTILLA_ROOT") or Path(__file__).resolve().parents[3])
# The drill of the repository names a bundle, which starts in a third of the time.
PROGRAM = (os.environ.get("FLOTILLA_SERVER") or "src/tools/start.mjs").split()
ADAPTERS = {"HYPERFLEET_CLUSTER_ADAPTERS": '["dns"]', "HYPERFLEET_NODEPOOL_ADAPTERS": "[]"}
FAST = Retry(base=0.05, cap=0.5)


class Server:
    """A server from this repository. It keeps its database when it restarts."""

    def __init__(self, folder: str, **env: str) -> None:
        self._env = {"DATA_DIR": folder, **ADAPTERS, **env}
        self._process: subprocess.Popen[bytes] | None = None
        self.port = 0

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def start(self, port: int = 0) -> Server:
        ports = {"PORT": str(port), "HEALTH_PORT": "0", "METRICS_PORT": "0"}
        log = Path(self._env["DATA_DIR"]).with_suffix(".log")
        with log.open("w") as output:
            self._process = subprocess.Popen(
                ["node", *PROGRAM],
                cwd=ROOT,
                env={**os.environ, **ports, **self._env},
                stdout=output,
                stderr=subprocess.STDOUT,
            )
        while self._process.poll() is None:
            ready = [line for line in log.read_text().splitlines() if '"msg":"ready"' in line]
            if ready:
                self.port = json.loads(ready[0])["port"]
                return self
            time.sleep(0.05)
        raise RuntimeError(f"the server has not started: {log.read_text()}")

    def stop(self, *, kill: bool = False) -> None:
        if self._process is not None:
            (self._process.kill if kill else self._process.terminate)()
            self._process.wait()
            self._process = None

    def restart(self, *, kill: bool = False) -> None:
        port = self.port
        self.stop(kill=kill)
        self.start(port)


@pytest.fixture(scope="session")
def server() -> Iterator[Server]:
    """A server that all tests share. `FLOTILLA_URL` names a server that runs already."""
    given = os.environ.get("FLOTILLA_URL")
    if given:
        shared = Server("")
        shared.port = int(given.rsplit(":", 1)[1])
        yield shared
        return
    with tempfile.TemporaryDirectory(prefix="flotilla-python-") as folder:
        started = Server(f"{folder}/data").start()
        yield started
        started.stop()


@pytest.fixture(scope="session")
def plain_server(server: Server) -> Iterator[Server]:
    """A shared server whose clusters need no adapters, so that deletions wait for none."""
    if os.environ.get("FLOTILLA_URL"):
        yield server
        return
    with tempfile.TemporaryDirectory(prefix="flotilla-python-") as folder:
        started = Server(f"{folder}/data", HYPERFLEET_CLUSTER_ADAPTERS="[]").start()
        yield started
        started.stop()


@pytest.fixture
def own_server(tmp_path: Path) -> Iterator[Server]:
    """A server that a test may stop and restart."""
    started = Server(str(tmp_path / "data")).start()
    yield started
    started.stop()


@pytest.fixture
def client(server: Server) -> Iterator[Client]:
    with Client(server.url, retry=FAST) as one:
        yield one


@pytest.fixture
def name() -> Callable[[str], str]:
    """Makes names that no other test uses."""
    suffix = uuid.uuid4().hex[:8]
    return lambda prefix: f"{prefix}-{suffix}"


def eventually(check: Callable[[], Any], timeout: float = 30.0) -> Any:
    """Repeats a check until its result is true, and returns the result."""
    end = time.monotonic() + timeout
    while True:
        result = check()
        if result:
            return result
        if time.monotonic() > end:
            raise AssertionError("the condition was not reached in time")
        time.sleep(0.05)
