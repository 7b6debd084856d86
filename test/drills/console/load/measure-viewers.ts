import { setTimeout as sleep } from 'node:timers/promises'
import { cpuSeconds } from '../../../../bench/measure/process-cpu.ts'
import { must } from '../../../../src/lib/assert.ts'
import { openViewers } from './open-viewers.ts'

interface Options {
  readonly pid: number
  /** The URLs that the viewers of each page follow, by the name of the page. */
  readonly streams: Readonly<Record<string, string>>
  readonly viewers: number
  readonly seconds: number
}

/** CPU of the server per viewer, in percent of a core, beyond its CPU without viewers. */
export async function measureViewers(options: Options): Promise<Readonly<Record<string, number>>> {
  const { pid, streams, viewers, seconds } = options
  const baseline = await cpuPercent(pid, seconds)
  const costs: Record<string, number> = { 'no viewer': baseline }
  for (const [name, url] of Object.entries(streams)) {
    const open = await openViewers(url, viewers)
    const busy = await cpuPercent(pid, seconds)
    await open.close()
    costs[name] = (busy - baseline) / viewers
  }
  return costs
}

async function cpuPercent(pid: number, seconds: number): Promise<number> {
  const before = must(cpuSeconds(pid), 'the CPU of the server')
  const start = performance.now()
  await sleep(seconds * 1000)
  const used = must(cpuSeconds(pid), 'the CPU of the server') - before
  return (used / ((performance.now() - start) / 1000)) * 100
}
