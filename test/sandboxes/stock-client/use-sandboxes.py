"""Uses two sandboxes of a pool at the same time, with the client of agent-sandbox as it is."""

import json
import sys
from concurrent.futures import ThreadPoolExecutor

from k8s_agent_sandbox import SandboxClient
from k8s_agent_sandbox.models import SandboxDirectConnectionConfig

ROUNDS = 5


def use(sandbox, word):
    """The texts that should all be the word: what the sandbox has read and printed."""
    seen = []
    for index in range(ROUNDS):
        name = f"file-{index}"
        sandbox.files.write(name, word)
        seen.append(sandbox.files.read(name).decode())
        seen.append(sandbox.commands.run(f"cat {name}").stdout)
        seen.append(sandbox.commands.run(f"echo {word} >>log; tail -n 1 log").stdout.strip())
    count = sandbox.commands.run("wc -l <log").stdout.strip()
    names = sorted(each.name for each in sandbox.files.list("."))
    return {"seen": sorted(set(seen)), "lines": int(count), "files": names}


def main(pool, router):
    config = SandboxDirectConnectionConfig(api_url=router)
    with SandboxClient(connection_config=config) as client:
        sandboxes = [client.create_sandbox(warmpool=pool) for _ in range(2)]
        words = ["one", "two"]
        with ThreadPoolExecutor() as threads:
            results = list(threads.map(use, sandboxes, words))
        for sandbox, result in zip(sandboxes, results):
            result["sandbox"] = sandbox.sandbox_id
        print(json.dumps(results))


main(*sys.argv[1:])
