import { execFile } from 'node:child_process'
import { pause } from 'flotilla'
import { limitsOf } from '../records/stored-limits.ts'
import type { RecordedRun } from '../records/sandbox-record.ts'
import { sandboxPaths } from '../sandbox-layout.ts'
import { type HostState, isLive } from './host-state.ts'
import { endExceeding } from './terminate-instance.ts'

const INTERVAL_MS = 2000
/**
 * The pause of a sandbox is this many times as long as its measurement took, so that large trees do
 * not occupy the disk. It does not delay other sandboxes.
 */
const IDLE_FACTOR = 20
const MIB = 1_048_576
/** Empty files occupy no bytes, and file systems have a limit of files. */
const BYTES_PER_FILE = 4096n

/** Of the options of du. Each takes a walk through all files, so they take turns. */
type Unit = '-k' | '--inodes'

interface Measurement {
  readonly time: number
  readonly unit: Unit
}

/**
 * Measures the files of sandboxes with a limit of disk space, and ends instances that exceed it, as
 * kubelet does. A workload can exceed its limit until the next measurement of the unit.
 */
export async function limitDisks(state: HostState): Promise<void> {
  /** The next measurements, by the uid of the sandbox. */
  let due = new Map<string, Measurement>()
  while (!state.closing.aborted) {
    const next = new Map<string, Measurement>()
    for (const record of state.records.values()) {
      const { current, sandbox } = record
      if (!isLive(current) || state.closing.aborted) continue
      const began = performance.now()
      const measurement = due.get(sandbox.uid) ?? { time: 0, unit: '-k' }
      const { time, unit } = measurement
      if (began < time) {
        next.set(sandbox.uid, measurement)
        continue
      }
      await limitDisk(state, { record, current }, unit).catch((error) => {
        if (state.closing.aborted) return
        state.log.warn({ err: error, sandbox: sandbox.uid }, 'measuring the files failed')
      })
      const ended = performance.now()
      next.set(sandbox.uid, {
        time: ended + (ended - began) * IDLE_FACTOR,
        unit: unit === '-k' ? '--inodes' : '-k',
      })
    }
    due = next
    await pause(INTERVAL_MS, state.closing)
  }
}

async function limitDisk(
  state: HostState,
  { record: { sandbox }, current }: RecordedRun,
  unit: Unit,
): Promise<void> {
  const limit = limitsOf(current)?.diskBytes ?? 0n
  if (limit === 0n) return
  const { workspace, volumes, ephemeral } = sandboxPaths(state.layout, sandbox.uid)
  const measured = await measure(state, unit, [workspace, volumes, ephemeral])
  const message =
    unit === '-k' ? exceededSpace(measured * 1024n, limit) : exceededFiles(measured, limit)
  if (message === null) return
  await endExceeding(state, { uid: sandbox.uid, instanceId: current.id, message })
}

function exceededSpace(used: bigint, limit: bigint): string | null {
  if (used <= limit) return null
  return `its files use ${inMib(used)}, and ephemeral-storage allows ${inMib(limit)}`
}

function exceededFiles(files: bigint, limit: bigint): string | null {
  const allowed = limit / BYTES_PER_FILE
  if (files <= allowed) return null
  return `it has ${files} files, and ephemeral-storage of ${inMib(limit)} allows ${allowed}`
}

function inMib(bytes: bigint): string {
  return `${Math.ceil(Number(bytes) / MIB)} MiB`
}

/**
 * The KiB that directories occupy, or the number of their files. The workloads of an ordinary user can
 * take the rights from their directories. In a user namespace, the user reads them all the same.
 */
async function measure(
  { machine: { isRoot, programs }, closing }: HostState,
  unit: Unit,
  directories: readonly string[],
): Promise<bigint> {
  const command = ['-s', unit, '--', ...directories]
  if (!isRoot && programs.unshare !== undefined) {
    const inNamespace = ['--user', '--map-root-user', '--', 'du', ...command]
    const size = await sumOf(programs.unshare, inNamespace, closing).catch(() => null)
    if (size !== null) return size
  }
  return sumOf('du', command, closing)
}

/** The sum of the sizes in the output. Files may vanish meanwhile, and directories may be missing. */
function sumOf(program: string, args: readonly string[], signal: AbortSignal): Promise<bigint> {
  return new Promise((resolve, reject) => {
    execFile(program, args, { signal }, (error, stdout) => {
      const sizes = [...stdout.matchAll(/^(\d+)\s/gm)].map(([, size = '0']) => BigInt(size))
      if (sizes.length === 0 && error !== null) return reject(error)
      return resolve(sizes.reduce((sum, size) => sum + size, 0n))
    })
  })
}
