import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { SandboxDriverError } from '../protocol/sandbox-driver-error.ts'
import type { HostedInstance } from '../runtime/hosted-drivers.ts'
import { cgroupMembers } from '../runtime/machine/cgroup.ts'
import { parseCapabilities } from './read-capabilities.ts'

const TIMEOUT_MS = 10_000
const POLL_MS = 5

/**
 * Waits until the workload of an instance, which has no capabilities, has been started. The first
 * process starts as root and outside the workspace, and criu cannot dump it there.
 */
export async function awaitStart(
  { cgroup, user, runDirectory }: Pick<HostedInstance, 'cgroup' | 'user' | 'runDirectory'>,
  signal: AbortSignal,
): Promise<void> {
  if (cgroup === null || user === null) return
  // The shell that reads the environment has its file as an argument until it starts the workload.
  const environment = path.join(runDirectory, 'environment')
  const deadline = performance.now() + TIMEOUT_MS
  for (;;) {
    const members = await cgroupMembers(cgroup)
    if (members.length === 0) return
    const processes = (await Promise.all(members.map(readProcess))).filter(
      (found) => found !== null,
    )
    const isStarted =
      processes.every(({ uid }) => uid === user.uid) &&
      processes.some(({ isPrivileged }) => !isPrivileged) &&
      !processes.some(({ isPrivileged, command }) => !isPrivileged && command.includes(environment))
    if (isStarted) return
    if (performance.now() > deadline) {
      throw new SandboxDriverError('UNAVAILABLE', 'the instance is still starting: try again')
    }
    await sleep(POLL_MS, undefined, { signal })
  }
}

interface InstanceProcess {
  readonly uid: number
  readonly isPrivileged: boolean
  readonly command: string
}

/** A process in the PID namespace of the instance; null for criu, which is outside. */
async function readProcess(pid: number): Promise<InstanceProcess | null> {
  const [status, command] = await Promise.all(
    ['status', 'cmdline'].map((name) => readFile(`/proc/${pid}/${name}`, 'utf8').catch(() => '')),
  )
  if (status === undefined || command === undefined) return null
  const isInside = /^NSpid:\t\d+\t\d+/m.test(status)
  const uid = /^Uid:\t(\d+)/m.exec(status)?.[1]
  if (!isInside || uid === undefined) return null
  return { uid: Number(uid), isPrivileged: parseCapabilities(status).length > 0, command }
}
