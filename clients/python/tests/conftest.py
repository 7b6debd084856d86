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

ROOT = Path(__file__).resolve().parents[3]
ADAPTERS = {"HYPERFLEET_CLUSTER_ADAPTERS": '["dns"]', "HYPERFLEET_NODEPOOL_ADAPTERS": "[]"}
FAST = Retry(base=0.05, cap=0.5)


class Server:
    """A server from this repository. It keeps its database when it restarts."""

    def __init__(self, folder: str, **env: str) -> None:
        self._env = {"DATA_DIR": folder, **ADAPTERS, **env}
        self._process: subprocess.Popen[str] | None = None
        self.port = 0

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def start(self, port: int = 0) -> Server:
        ports = {"PORT": str(port), "HEALTH_PORT": "0", "METRICS_PORT": "0"}
        self._process = subprocess.Popen(
            ["node", *_program()],
            cwd=ROOT,
            env={**os.environ, **ports, **self._env},
            stdout=subprocess.PIPE,
            text=True,
        )
        assert self._process.stdout is not None
        seen: list[str] = []
        for line in self._process.stdout:
            seen.append(line)
            if '"msg":"ready"' in line:
                self.port = json.loads(line)["port"]
                return self
        raise RuntimeError(f"the server has not started: {''.join(seen)}")

    def stop(self, *, kill: bool = False) -> None:
        if self._process is not None:
            (self._process.kill if kill else self._process.terminate)()
            self._process.communicate()
            self._process = None

    def restart(self, *, kill: bool = False) -> None:
        port = self.port
        self.stop(kill=kill)
        self.start(port)


def _program() -> list[str]:
    compiled = ROOT / "dist/cmd/server.js"
    if os.environ.get("FLOTILLA_DIST") == "1":
        return [str(compiled)]
    return ["--import", "tsx", "src/cmd/server.ts"]


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
        started = Server(folder).start()
        yield started
        started.stop()


@pytest.fixture
def own_server(tmp_path: Path) -> Iterator[Server]:
    """A server that a test may stop and restart."""
    started = Server(str(tmp_path)).start()
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
