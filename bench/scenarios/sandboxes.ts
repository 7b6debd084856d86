import { chmod, mkdtemp, realpath, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { must } from '../../src/lib/assert.ts'
import { measureCrowd } from '../sandboxes/measure-crowd.ts'
import { measureClasses } from '../sandboxes/measure-classes.ts'
import { measureReferences } from '../sandboxes/measure-references.ts'
import { measureStrategies } from '../sandboxes/measure-strategies.ts'
import { openSandboxApi } from '../sandboxes/sandbox-api.ts'
import type { SandboxBench } from '../sandboxes/sandbox-bench.ts'
import { startServers } from '../servers/start-servers.ts'
import { type Bench, standardDataset } from './bench.ts'

/** A few clusters beside the sandboxes, by which the server is recognized. */
const ROWS = 100
/** More than the default number of sandboxes that are suspended at the same time. */
const CONNECTIONS = 256
const OTHER_CALLER = { localAddress: '127.0.0.2' }
const PARTS: Readonly<Record<string, (bench: SandboxBench) => Promise<void>>> = {
  references: measureReferences,
  classes: measureClasses,
  strategies: measureStrategies,
  crowd: measureCrowd,
}

/** Suspend and resume by strategy and size, beside tar and signals; 200 suspensions at the same time. */
export async function measureSandboxes(bench: Bench): Promise<void> {
  const directory = await realpath(await mkdtemp(path.join(os.tmpdir(), 'bench-sandboxes-')))
  // The users of sandboxes must be able to enter it.
  await chmod(directory, 0o755)
  const env = {
    ROLE: 'all',
    SANDBOX_RUNTIME: 'local',
    SANDBOX_UNISOLATED: 'true',
    SANDBOXD: `dir=${directory}`,
  }
  try {
    const dataset = { ...standardDataset(bench.options), rows: ROWS }
    await using servers = await startServers(bench.sources.slice(0, 1), { dataset, env })
    const { target } = must(servers.list[0], 'a server')
    const connections = CONNECTIONS + (bench.options.sandboxes ?? 0)
    await using api = openSandboxApi(target, connections)
    await using otherCaller = openSandboxApi(target, connections, OTHER_CALLER)
    const drivers = await api.awaitRuntime()
    for (const [driver, reason] of drivers) if (reason === '') await api.createProvider(driver)
    for (const [name, measure] of Object.entries(PARTS)) {
      if (!name.includes(bench.options.only ?? '')) continue
      await measure({
        api,
        directory,
        otherCaller,
        isQuick: bench.options.quick,
        crowd: bench.options.sandboxes,
        fact: (fact, value, unit) => {
          bench.results.facts.push({ scenario: 'sandboxes', name: fact, value, unit })
        },
        omit: (what, reason) => {
          bench.results.omissions.push({ scenario: 'sandboxes', what, reason })
        },
      })
    }
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
}
