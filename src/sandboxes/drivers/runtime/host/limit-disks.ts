import { execFile } from 'node:child_process'
import { pause } from 'flotilla'
import { limitsOf } from '../records/stored-limits.ts'
import type { InstanceRecord, SandboxRecord } from '../records/sandbox-record.ts'
import { sandboxPaths } from '../sandbox-layout.ts'
import { type HostState, isLive } from './host-state.ts'
import { endExceeding } from './terminate-instance.ts'

const INTERVAL_MS = 2000
/** A pass waits this many times as long as it took, so that large trees do not occupy the disk. */
const IDLE_FACTOR = 20
const MIB = 1_048_576

/**
 * Measures the files of sandboxes with a limit of disk space, and ends instances that exceed it, as
 * kubelet does. A workload can exceed its limit until the next measurement.
 */
export async function limitDisks(state: HostState): Promise<void> {
  while (!state.closing.aborted) {
    const began = performance.now()
    for (const record of state.records.values()) {
      const { current, sandbox } = record
      if (!isLive(current) || state.closing.aborted) continue
      await limitDisk(state, record, current).catch((error) => {
        if (state.closing.aborted) return
        state.log.warn({ err: error, sandbox: sandbox.uid }, 'measuring the files failed')
      })
    }
    const tookMs = performance.now() - began
    await pause(Math.max(INTERVAL_MS, tookMs * IDLE_FACTOR), state.closing)
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
  const used = await measure([workspace, volumes, ephemeral], state.closing)
  if (used <= limit) return
  const inMib = (bytes: bigint): string => `${Math.ceil(Number(bytes) / MIB)} MiB`
  await endExceeding(state, {
    uid: sandbox.uid,
    instanceId: current.id,
    message: `its files use ${inMib(used)}, and ephemeral-storage allows ${inMib(limit)}`,
  })
}

/** The bytes that directories occupy. Files may vanish meanwhile, and directories may be missing. */
function measure(directories: readonly string[], signal: AbortSignal): Promise<bigint> {
  return new Promise((resolve, reject) => {
    execFile('du', ['-sk', '--', ...directories], { signal }, (error, stdout) => {
      const sizes = [...stdout.matchAll(/^(\d+)\s/gm)].map(([, kib = '0']) => BigInt(kib) * 1024n)
      if (sizes.length === 0 && error !== null) return reject(error)
      return resolve(sizes.reduce((sum, size) => sum + size, 0n))
    })
  })
}
