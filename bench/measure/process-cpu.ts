import { readFileSync } from 'node:fs'
import { processTree } from './process-tree.ts'

const TICKS_PER_SECOND = 100
const NANOSECONDS = 1e9

/** A reading during which a process started or ended is inconsistent and is repeated. */
const MAX_ATTEMPTS = 50

/**
 * CPU seconds of a process and its descendants, including ended descendants that were waited for.
 * Leaves out the subtree at `except`. Null if unknown.
 */
export function cpuSeconds(pid: number | null, except: number | null = null): number | null {
  if (pid === null) return null
  let before = processTree(pid, except)
  for (let attempt = 1; before.length > 0; attempt += 1) {
    const seconds = before.reduce((sum, member) => sum + ownCpuSeconds(member), 0)
    const after = processTree(pid, except)
    if (attempt === MAX_ATTEMPTS || before.join() === after.join()) return seconds
    before = after
  }
  return null
}

/** CPU seconds of the process itself and of the children that it has waited for. */
function ownCpuSeconds(pid: number): number {
  const stat = readIfPresent(`/proc/${pid}/stat`)
  if (stat === null) return 0
  // The process name in parentheses may contain anything. Field 3 follows it.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const ticks = (field: number): number => Number(fields[field - 3]) / TICKS_PER_SECOND
  const waitedFor = ticks(16) + ticks(17)
  const isSingleThreaded = Number(fields[20 - 3]) === 1
  // Ticks of 10 ms are too coarse for one of many backends. schedstat is precise, but counts only
  // the main thread.
  const fine = isSingleThreaded ? readIfPresent(`/proc/${pid}/schedstat`) : null
  const own = fine === null ? ticks(14) + ticks(15) : Number(fine.split(' ')[0]) / NANOSECONDS
  return own + waitedFor
}

/** CPU seconds of all processes on the machine; null if unknown. */
export function machineCpuSeconds(): number | null {
  const [first = ''] = readIfPresent('/proc/stat')?.split('\n') ?? []
  const [, user, nice, system, , , irq, softirq, steal] = first.split(/ +/).map(Number)
  const parts = [user, nice, system, irq, softirq, steal]
  const ticks = parts.reduce<number>((sum, part) => sum + (part ?? Number.NaN), 0)
  return Number.isNaN(ticks) ? null : ticks / TICKS_PER_SECOND
}

function readIfPresent(path: string): string | null {
  try {
    return readFileSync(path, 'latin1')
  } catch {
    return null
  }
}
