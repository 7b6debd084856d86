import { setTimeout as sleep } from 'node:timers/promises'
import { reportCpu, startCpuMeter } from './cpu-meter.ts'
import { openFleetApi } from './fleet-api.ts'
import type { FleetBench } from './fleet-bench.ts'

const FULL = { fleets: 1000, seconds: 60 }
const QUICK = { fleets: 100, seconds: 5 }
const CONNECTIONS = 16
/** Pause before the measurement, for work that follows the creation. */
const QUIET_MS = 3000

/** The CPU of a server and its database while many fleets of one member have nothing to do. */
export async function measureIdle(bench: FleetBench): Promise<void> {
  const { fleets, seconds } = bench.isQuick ? QUICK : FULL
  await measureCpu(bench, 'no fleets', seconds)
  await inParallel(bench, { fleets, phase: 'creation' }, async (name, api) => {
    await api.create(name, 1)
    await bench.watch.until(name, ({ readyReplicas }) => readyReplicas === 1)
  })
  await measureCpu(bench, `${fleets} quiet fleets`, seconds)
  await inParallel(bench, { fleets, phase: 'deletion' }, async (name, api) => {
    await api.remove(name)
    await bench.watch.until(name, ({ isDeleted }) => isDeleted)
  })
}

async function measureCpu(bench: FleetBench, what: string, seconds: number): Promise<void> {
  await sleep(QUIET_MS)
  const cpu = startCpuMeter(bench)
  await sleep(seconds * 1000)
  reportCpu(bench, cpu(), { what, divisor: seconds / 60, unit: 'ms per minute' })
}

type FleetTask = (name: string, api: FleetBench['api']) => Promise<void>

async function inParallel(
  bench: FleetBench,
  { fleets, phase }: { readonly fleets: number; readonly phase: string },
  run: FleetTask,
): Promise<void> {
  await using api = openFleetApi(bench.target, CONNECTIONS)
  const start = performance.now()
  await Promise.all(Array.from({ length: fleets }, (_item, index) => run(`quiet-${index}`, api)))
  bench.fact(`${phase} of ${fleets} fleets of one member`, performance.now() - start, 'ms')
}
