import { open, stat } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { hasEnded, readIfPresent } from 'flotilla/programs'
import { killTree } from '../machine/kill-tree.ts'
import { identifyProcess, type ProcessIdentity } from '../machine/process-identity.ts'
import { spawnDetached } from '../machine/spawn-detached.ts'
import type { SandboxUser } from '../hosted-drivers.ts'
import type { InstancePaths } from '../sandbox-layout.ts'

export const START_TIMEOUT_MS = 30_000
/** Pauses grow with the wait, so that starts on a busy machine do not delay each other by polls. */
const POLL_MS = { least: 3, most: 50, ofWait: 0.1 }

interface Launched {
  readonly shim: ProcessIdentity | null
  /** Null if the workload has already ended. */
  readonly init: ProcessIdentity | null
}

interface LaunchOptions {
  readonly user: SandboxUser | null
  readonly onShimExit: () => void
}

/**
 * Starts the shim of an instance as a separate session and returns when the workload's first process
 * has its pid.
 */
export async function launch(
  command: readonly string[],
  paths: InstancePaths,
  { user, onShimExit }: LaunchOptions,
): Promise<Launched> {
  const output = await open(paths.output, 'a', 0o600)
  try {
    // The user may open /dev/stdout again.
    if (user !== null) await output.chown(user.uid, user.gid)
    const { child, pid } = await spawnDetached(command, output)
    child.once('exit', onShimExit)
    try {
      const shim = await identifyProcess(pid)
      return { shim, init: await awaitInit(paths, () => hasEnded(child)) }
    } catch (error) {
      // Without a cgroup, nothing else names the processes of a start that has not ended.
      await killTree(pid, () => !hasEnded(child))
      throw error
    }
  } finally {
    await output.close()
  }
}

/** Waits for the pid of an instance's first process; null if the shim ends first. */
export async function awaitInit(
  paths: Pick<InstancePaths, 'output' | 'pidFile'>,
  hasShimEnded: () => boolean | Promise<boolean>,
  timeoutMs = START_TIMEOUT_MS,
): Promise<ProcessIdentity | null> {
  const start = performance.now()
  for (;;) {
    const ended = await hasShimEnded()
    const pid = await readPid(paths.pidFile)
    if (pid !== null) return identifyProcess(pid)
    if (ended) return null
    const waitedMs = performance.now() - start
    if (waitedMs > timeoutMs) {
      throw new Error(`the workload did not start in ${timeoutMs} ms: see ${paths.output}`)
    }
    await sleep(Math.min(POLL_MS.most, Math.max(POLL_MS.least, waitedMs * POLL_MS.ofWait)))
  }
}

/** The pid in a line, or in the description by bwrap, when the instance has a complete file system. */
async function readPid(pidFile: string): Promise<number | null> {
  const text = (await readIfPresent(pidFile)) ?? ''
  const alone = /^(\d+)\n/.exec(text)?.[1]
  if (alone !== undefined) return Number(alone)
  const described = /"child-pid": (\d+)[^]*\}/.exec(text)?.[1]
  if (described === undefined) return null
  const ready = await stat(`${pidFile}.ready`).catch(() => null)
  return ready === null || ready.size === 0 ? null : Number(described)
}
