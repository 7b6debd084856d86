"""Rolls out episodes in a fleet of environments, and prints the steps per second.

Every worker claims an environment, takes steps in it, scores each step by a snapshot, and releases
the environment, which returns to its initial content for the next episode.
Run: python rl_rollout.py [server] [environments] [episodes] [steps]
"""

from __future__ import annotations

import asyncio
import sys
import time

from flotilla import AsyncClient, AsyncFleet, AsyncPlane, Snapshot

SERVER = sys.argv[1] if len(sys.argv) > 1 else "http://127.0.0.1:8000"
ENVIRONMENTS, EPISODES, STEPS = (
    int(sys.argv[index]) if len(sys.argv) > index else default
    for index, default in ((2, 64), (3, 128), (4, 20))
)
MAPS = "/api/v1/namespaces/default/configmaps"
TASK = {
    "apiVersion": "v1",
    "kind": "ConfigMap",
    "metadata": {"name": "task", "namespace": "default"},
    "data": {"environment": "${name}", "goal": str(STEPS)},
}


async def step(plane: AsyncPlane, number: int) -> None:
    """The action of an agent: it creates an object."""
    body = {"metadata": {"name": f"step-{number}"}, "data": {"action": str(number)}}
    await plane.request("POST", MAPS, body=body)


def score(state: Snapshot) -> float:
    """The part of the goal that an environment has reached."""
    maps = state.by_resource("configmaps")
    items = maps.items if maps else []
    goal = next(int(one["data"]["goal"]) for one in items if one["metadata"]["name"] == "task")
    steps = [one for one in items if one["metadata"]["name"].startswith("step-")]
    return len(steps) / goal


async def episode(fleet: AsyncFleet) -> float:
    """Plays an episode in a claimed environment. It is reset afterwards."""
    reward = 0.0
    async with fleet.claim(ttl_seconds=60, wait=60.0, then="Recycle") as environment:
        for number in range(STEPS):
            await step(environment.plane, number)
            state = environment.plane.state("configmaps", min_resource_version="latest")
            reward = score(await state)
    return reward


async def main() -> None:
    """Plays all episodes, as many at the same time as there are environments."""
    async with AsyncClient(SERVER, timeout=120.0) as client:
        fleets = client.ephemeral_fleet(
            "rl-rollout", ENVIRONMENTS, template={"objects": [TASK]}, delete_members=True
        )
        async with fleets as fleet:
            await fleet.wait_until_ready(timeout=120)
            slots = asyncio.Semaphore(ENVIRONMENTS)

            async def play() -> float:
                async with slots:
                    return await episode(fleet)

            start = time.perf_counter()
            rewards = await asyncio.gather(*(play() for _ in range(EPISODES)))
            seconds = time.perf_counter() - start
            assert rewards == [1.0] * EPISODES
            print(f"{EPISODES} episodes in {ENVIRONMENTS} environments, {seconds:.1f} s")
            print(f"{EPISODES * STEPS / seconds:.0f} steps per second")


asyncio.run(main())
