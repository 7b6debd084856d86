import { execFile } from 'node:child_process'
import { pause } from 'flotilla'
import { limitsOf } from '../records/stored-limits.ts'
import type { InstanceRecord, SandboxRecord } from '../records/sandbox-record.ts'
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

/**
 * Measures the files of sandboxes with a limit of disk space, and ends instances that exceed it, as
 * kubelet does. A workload can exceed its limit until the next measurement.
 */
export async function limitDisks(state: HostState): Promise<void> {
  /** The times of the next measurements, by the uid of the sandbox. */
  let due = new Map<string, number>()
  while (!state.closing.aborted) {
    const next = new Map<string, number>()
    for (const record of state.records.values()) {
      const { current, sandbox } = record
      if (!isLive(current) || state.closing.aborted) continue
      const began = performance.now()
      const time = due.get(sandbox.uid) ?? 0
      if (began < time) {
        next.set(sandbox.uid, time)
        continue
      }
      await limitDisk(state, record, current).catch((error) => {
        if (state.closing.aborted) return
        state.log.warn({ err: error, sandbox: sandbox.uid }, 'measuring the files failed')
      })
      const ended = performance.now()
      next.set(sandbox.uid, ended + (ended - began) * IDLE_FACTOR)
    }
    due = next
    await pause(INTERVAL_MS, state.closing)
  }
}

async function limitDisk(
  state: HostState,
  { sandbox }: SandboxRecord,
  current: InstanceRecord,
): Promise<void> {
  const limit = limitsOf(current)?.diskBytes ?? 0n
  if (limit === 0n) return
  const { workspace, volumes, ephemeral } = sandboxPaths(state.layout, sandbox.uid)
  const directories = [workspace, volumes, ephemeral]
  const used = (await measure(state, '-k', directories)) * 1024n
  const files = await measure(state, '--inodes', directories)
  const maxFiles = limit / BYTES_PER_FILE
  if (used <= limit && files <= maxFiles) return
  const inMib = (bytes: bigint): string => `${Math.ceil(Number(bytes) / MIB)} MiB`
  await endExceeding(state, {
    uid: sandbox.uid,
    instanceId: current.id,
    message:
      used > limit
        ? `its files use ${inMib(used)}, and ephemeral-storage allows ${inMib(limit)}`
        : `it has ${files} files, and ephemeral-storage of ${inMib(limit)} allows ${maxFiles}`,
  })
}

/**
 * The KiB that directories occupy, or the number of their files. The workloads of an ordinary user can
 * take the rights from their directories. In a user namespace, the user reads them all the same.
 */
async function measure(
  { machine: { isRoot, programs }, closing }: HostState,
  unit: '-k' | '--inodes',
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
