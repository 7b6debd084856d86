from __future__ import annotations

import re
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from conftest import ROOT, Server, eventually
from flotilla import Client

Name = Callable[[str], str]
PACKAGE = ROOT / "clients/python"
EXAMPLES = PACKAGE / "examples"
BLOCKS = re.findall(r"```python\n(.*?)```", (PACKAGE / "README.md").read_text(), re.DOTALL)


def run(server: Server, *args: str) -> str:
    done = subprocess.run(
        [sys.executable, *args], capture_output=True, text=True, timeout=240, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("number", range(len(BLOCKS)))
def test_the_programs_of_the_readme_run(server: Server, number: int) -> None:
    program = BLOCKS[number].replace("http://127.0.0.1:8000", server.url)
    assert run(server, "-c", program)


def test_the_first_program_of_the_readme_has_ten_lines() -> None:
    assert len(BLOCKS[0].splitlines()) == 10


def test_the_rollout_reaches_its_goal_in_every_episode(server: Server) -> None:
    output = run(server, str(EXAMPLES / "rl_rollout.py"), server.url, "4", "8", "3")
    assert "8 episodes in 4 environments" in output
    assert "steps per second" in output


def test_the_adapter_has_less_than_40_lines_and_serves_zones(
    server: Server, client: Client, name: Name, tmp_path: Path
) -> None:
    program = EXAMPLES / "adapter.py"
    assert len(program.read_text().splitlines()) < 40
    cluster = client.clusters.create(name("zone"), {"zone": "rome.example.org"})
    running = subprocess.Popen([sys.executable, str(program), server.url, str(tmp_path / "zones")])
    try:
        client.clusters.wait_for(cluster, timeout=60)
        assert (tmp_path / "zones" / cluster["id"]).read_text() == "rome.example.org"
        client.clusters.delete(cluster)
        client.clusters.wait_until_deleted(cluster, timeout=60)
        assert not (tmp_path / "zones" / cluster["id"]).exists()
    finally:
        running.kill()
        running.wait()


def test_the_dashboard_shows_pages_and_changes(client: Client, server: Server, name: Name) -> None:
    for index in range(25):
        client.clusters.create(name(f"page{index}"))
    output: list[str] = []
    program = str(EXAMPLES / "dashboard_paging.py")
    running = subprocess.Popen(
        [sys.executable, "-u", program, server.url, "1"], stdout=subprocess.PIPE, text=True
    )
    assert running.stdout is not None
    lines = running.stdout
    threading.Thread(target=lambda: output.extend(lines), daemon=True).start()
    eventually(lambda: any("changes" in line for line in output))
    client.clusters.create(name("shown"))
    assert running.wait(30) == 0
    eventually(lambda: any("ADDED" in line for line in output))
    assert any(line.startswith("page 2") for line in output)
    assert sum(name("page")[4:] in line for line in output) >= 25
