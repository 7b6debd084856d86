import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { must } from '../../../src/lib/assert.ts'
import { withTimeout } from '../../../src/lib/async/with-timeout.ts'
import { NO_ADAPTERS } from '../../fleets/controller/fleet-fixture.ts'
import { type Program, startProgram } from '../../process/program.ts'
import { assertNoLoss } from '../load/assert-no-loss.ts'
import { printLoad } from '../load/print-load.ts'
import { type Load, type LoadResult, startLoad } from '../load/start-load.ts'
import { type DatabaseCluster, startDatabaseCluster } from './database-cluster.ts'
import { hasResource, writeLocally } from './local-write.ts'
import type { Machine } from './network.ts'

/** A fault of the primary's machine, and its end. */
export interface Fault {
  readonly name: string
  /** Whether the machine continues, so that clients on it can write. */
  readonly isolates: boolean
  readonly inject: (machine: Machine) => Promise<void>
  readonly end: (machine: Machine, cluster: DatabaseCluster) => Promise<void>
}

interface Options {
  readonly fault: Fault
  readonly rounds: number
  readonly isSynchronous: boolean
}

const SERVERS = 2
const WRITERS = 8
const WATCHES = 3
const PAUSE_MS = 20
/** Target between the fault and the first acknowledged write. A busy machine may exceed it. */
const TARGET_SECONDS = 15
/** The drill fails without a write in this time. */
const MAX_RECOVERY_MS = 60_000
/** How long a fault continues after the recovery, while the former primary is still wrong. */
const FAULT_MS = 3000
/** Load between two faults. */
const CALM_MS = 2000

/** Repeats a fault of the primary under load, and verifies what survived. */
export async function surviveFailovers(
  options: Options,
  print: (line: string) => void,
): Promise<void> {
  const { isSynchronous } = options
  await using cluster = await startDatabaseCluster({ isSynchronous })
  const servers = await startServers(cluster.url, isSynchronous)
  await using _servers = disposeAll(servers)
  const origins = await Promise.all(
    servers.map(async (server) => `http://127.0.0.1:${(await server.ready()).port}`),
  )
  let requests = 0
  const load = await startLoad({
    origin: () => must(origins[(requests += 1) % origins.length], 'a server'),
    name: 'failover',
    writers: WRITERS,
    watches: WATCHES,
    pauseMs: PAUSE_MS,
  })
  const recoveries = await failOverRepeatedly(options, { cluster, load, print }).catch(
    async (error: unknown) => {
      await load.finish()
      throw error
    },
  )
  const result = await load.finish()
  printLoad(result, print)
  printRecoveries(recoveries, print)
  verify(result, options)
}

interface Running {
  readonly cluster: DatabaseCluster
  readonly load: Load
  readonly print: (line: string) => void
}

/** Returns the seconds of each recovery. */
async function failOverRepeatedly(
  options: Options,
  { cluster, load, print }: Running,
): Promise<readonly number[]> {
  const recoveries: number[] = []
  for (let round = 1; round <= options.rounds; round += 1) {
    const { seconds, isolated } = await failOver(options, cluster, load)
    if (isolated !== null) print(`  a write on the disconnected machine: ${isolated}`)
    print(`  ${options.fault.name} ${round}: ${seconds.toFixed(1)} s until a write is acknowledged`)
    recoveries.push(seconds)
  }
  return recoveries
}

async function startServers(url: string, isSynchronous: boolean): Promise<readonly Program[]> {
  const env = {
    ...NO_ADAPTERS,
    DATABASE_URL: url,
    DATABASE_OPTIONS: `synchronous=${isSynchronous}`,
    WATCHES: 'heartbeat=1s',
  }
  const servers: Program[] = []
  // The first one migrates the database.
  for (let index = 0; index < SERVERS; index += 1) {
    const server = startProgram(env)
    servers.push(server)
    await server.ready()
  }
  return servers
}

function disposeAll(programs: readonly Program[]): AsyncDisposable {
  return {
    [Symbol.asyncDispose]: async () => {
      await Promise.all(programs.map((program) => program[Symbol.asyncDispose]()))
    },
  }
}

interface Failover {
  /** From the fault to the first acknowledged write. */
  readonly seconds: number
  /** The outcome of a write on the machine of the former primary; null without one. */
  readonly isolated: string | null
}

async function failOver(
  { fault, isSynchronous }: Options,
  cluster: DatabaseCluster,
  load: Load,
): Promise<Failover> {
  await sleep(CALM_MS)
  const primary = await cluster.primary()
  const start = performance.now()
  await fault.inject(primary)
  const recovery = load.ledger.nextAcknowledged()
  const isolated = fault.isolates ? writeLocally(primary, cluster.logs) : null
  const recovered = must(await withTimeout(recovery, MAX_RECOVERY_MS), 'a write after the fault')
  await sleep(FAULT_MS)
  await fault.end(primary, cluster)
  await cluster.untilHealthy()
  const successor = await cluster.primary()
  assert.notEqual(successor.name, primary.name, 'the primary did not change')
  const seconds = (recovered - start) / 1000
  if (isolated === null) return { seconds, isolated }
  const { id, isAcknowledged } = await isolated
  const survived = await hasResource(successor, id)
  if (isSynchronous)
    assert.ok(survived || !isAcknowledged, 'the former primary acknowledged a write')
  const outcome = isAcknowledged ? 'acknowledged' : 'not acknowledged'
  return { seconds, isolated: `${outcome}, ${survived ? 'survived' : 'not in the database'}` }
}

function printRecoveries(seconds: readonly number[], print: (line: string) => void): void {
  const sorted = seconds.toSorted((one, other) => one - other)
  const median = must(sorted[Math.floor(sorted.length / 2)], 'a recovery')
  const longest = must(sorted.at(-1), 'a recovery')
  print(
    `  recovery: median ${median.toFixed(1)} s, ` +
      `longest ${longest.toFixed(1)} s of ${sorted.length}`,
  )
  print(`  target ${TARGET_SECONDS} s: ${longest < TARGET_SECONDS ? 'met' : 'exceeded'}`)
}

/** Without synchronous replication, writes may be lost; the watches then have to list again. */
function verify(result: LoadResult, { isSynchronous, rounds }: Options): void {
  const resets = result.watches.map(({ connections }) => connections.resets)
  if (isSynchronous) {
    assertNoLoss(result)
    assert.deepEqual(
      resets,
      Array.from(result.watches, () => 0),
      'watches had to list again',
    )
    return
  }
  assert.ok(
    resets.every((count) => count >= rounds),
    `watches listed again only ${resets.join(', ')} times`,
  )
}
