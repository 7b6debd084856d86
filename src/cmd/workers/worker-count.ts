import { readFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import type { Config } from '../config.ts'

const MAX_AUTOMATIC = 8
/** A worker with full caches of a small fleet, measured by `npm run bench -- cores`. */
const BYTES_PER_WORKER = 384 * 1_048_576

/** The part of a machine that a process may use. */
export interface Machine {
  readonly cores: number
  readonly memoryBytes: number
}

/** The number of processes that serve the API; 0 if one process does everything. */
export function workerCount(
  { workers, role }: Pick<Config, 'workers' | 'role'>,
  machine: () => Machine,
): number {
  if (role === 'controllers') return 0
  return workers === 'auto' ? automaticCount(machine()) : workers
}

/** One worker is slower than one process that does everything, so two are the least. */
function automaticCount({ cores, memoryBytes }: Machine): number {
  const background = 1
  const inMemory = Math.floor(memoryBytes / BYTES_PER_WORKER) - background
  const count = Math.min(Math.floor(cores / 2), inMemory, MAX_AUTOMATIC)
  return count < 2 ? 0 : count
}

/** This machine, within the limits of the control group. */
export function thisMachine(groups = '/sys/fs/cgroup'): Machine {
  const limit = process.constrainedMemory()
  const total = os.totalmem()
  return {
    cores: Math.min(os.availableParallelism(), coresOf(groups)),
    // Without a limit, the kernel reports 0 or a huge number.
    memoryBytes: limit > 0 ? Math.min(limit, total) : total,
  }
}

/** The cores of a control group of version 2 or 1; Infinity without a quota. */
function coresOf(groups: string): number {
  const read = (file: string): string => {
    try {
      return readFileSync(path.join(groups, file), 'utf8').trim()
    } catch {
      return ''
    }
  }
  const [quota, period] = read('cpu.max').split(' ')
  const text = quota || read('cpu/cpu.cfs_quota_us')
  const cores = Number(text) / Number(period ?? read('cpu/cpu.cfs_period_us'))
  return cores > 0 ? Math.max(1, Math.floor(cores)) : Infinity
}
