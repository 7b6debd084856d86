import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { assertNoLoss } from '../load/assert-no-loss.ts'
import { printLoad } from '../load/print-load.ts'
import { startLoad } from '../load/start-load.ts'
import { type Fault, type FaultName, FAULTS, scheduleFaults } from './fault-schedule.ts'
import { injectFault, type Machines } from './inject-fault.ts'
import { assertFlat, type MemorySample, printMemory, sampleMemory } from './memory.ts'
import { startSoakedPostgres } from './soaked-postgres.ts'
import { startSoakedServers } from './soaked-servers.ts'

interface Options {
  /** A soak takes longer until every fault has happened. */
  readonly seconds: number
  readonly seed: number
  /** A folder on a small file system. */
  readonly folder: string
  readonly print: (line: string) => void
}

const MAX_RECOVERY_MS = 60_000
/** Shorter soaks look for losses only: their caches do not fill up, however many writes they send. */
const MANY_WRITES_SECONDS = 300
/** The effects of a kill need some time. */
const NOTICED_MS = 1000

/** Injects random faults under load. No acknowledged write is lost, and no event is missed. */
export async function soak({ seconds, seed, folder, print }: Options): Promise<void> {
  await using postgres = await startSoakedPostgres(folder)
  await using servers = await startSoakedServers(folder)
  const machines: Machines = { postgres, servers }
  const { origin } = servers.balancer
  const load = await startLoad({
    origin: () => origin,
    name: 'soak',
    writers: 8,
    watches: 4,
    pauseMs: seconds < MANY_WRITES_SECONDS ? 200 : 30,
    finishMs: 120_000,
  })
  const samples: MemorySample[] = []
  const ended = new AbortController()
  const sampling = sampleMemory(servers, { ledger: load.ledger, samples }, ended.signal)
  const start = performance.now()
  const elapsed = (): number => (performance.now() - start) / 1000
  const counts = new Map<FaultName, number>()
  let longestGapMs = 0
  const possible = FAULTS.filter((name) => servers.canStepClocks || name !== 'step clock')
  if (!servers.canStepClocks) print('  without clock steps, which need libfaketime')
  for (const { pauseMs, faults: scheduled } of scheduleFaults(seed)) {
    await sleep(pauseMs)
    if (elapsed() >= seconds && possible.every((name) => counts.has(name))) break
    const faults = scheduled.filter(({ name }) => possible.includes(name))
    if (faults.length === 0) continue
    for (const { name } of faults) counts.set(name, 1 + (counts.get(name) ?? 0))
    load.ledger.takeLongestGapMs()
    await Promise.all(faults.map((fault) => injectFault(machines, fault)))
    await sleep(NOTICED_MS)
    const recovered = load.ledger.nextAcknowledged()
    const isRecovered = await Promise.race([recovered, sleep(MAX_RECOVERY_MS, null)])
    assert.ok(isRecovered !== null, `no write within ${MAX_RECOVERY_MS / 1000} s after a fault`)
    const gapMs = load.ledger.takeLongestGapMs()
    longestGapMs = Math.max(longestGapMs, gapMs)
    print(
      `  ${elapsed().toFixed(0).padStart(5)} s  ${faults.map(describe).join(' and ')}: ` +
        `${(gapMs / 1000).toFixed(1)} s without an acknowledged write`,
    )
  }
  ended.abort()
  await sampling
  await Promise.all(servers.servers.map((server) => server.ready()))
  const result = await load.finish()
  print(`  faults: ${[...counts].map(([name, count]) => `${count} x ${name}`).join(', ')}`)
  print(`  longest time without an acknowledged write: ${(longestGapMs / 1000).toFixed(1)} s`)
  printLoad(result, print)
  printMemory(samples, print)
  assertNoLoss(result)
  assert.deepEqual(servers.crashes, [], 'servers ended by themselves')
  assertFlat(samples, print)
}

function describe({ name, server, durationMs }: Fault): string {
  const target = name.endsWith('server') || name === 'step clock' ? ` ${server + 1}` : ''
  const isInstant = name.startsWith('kill') || name === 'step clock'
  return name + target + (isInstant ? '' : ` for ${(durationMs / 1000).toFixed(1)} s`)
}
