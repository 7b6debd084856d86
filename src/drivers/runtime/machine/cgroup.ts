import { mkdir, readdir, readFile, rmdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Limits } from '../../proto/snapshot_driver_pb.ts'
import { errorCode } from '../../../lib/error-code.ts'
import type { CgroupRoot } from './cgroup-root.ts'

const FREEZE_TIMEOUT_MS = 10_000
/** Freezing takes 1 to 2 ms, so the first reads come without a pause. */
const EAGER_READS = 20
const POLL_MS = 1
const CPU_PERIOD_US = 100_000
const REMOVE_ATTEMPTS = 50

/** Creates the cgroup of an instance with its limits, and returns its path. */
export async function createCgroup(
  root: CgroupRoot,
  name: string,
  limits: Limits | undefined,
): Promise<string> {
  const cgroup = path.join(root.path, name)
  await mkdir(cgroup, { recursive: true })
  const set = (controller: string, file: string, value: string): Promise<void> | undefined =>
    root.controllers.includes(controller) ? writeFile(path.join(cgroup, file), value) : undefined
  if (limits === undefined) return cgroup
  if (limits.memoryBytes > 0n) await set('memory', 'memory.max', `${limits.memoryBytes}`)
  if (limits.maxProcesses > 0n) await set('pids', 'pids.max', `${limits.maxProcesses}`)
  if (limits.cpuMillis > 0n) {
    const quota = (Number(limits.cpuMillis) * CPU_PERIOD_US) / 1000
    await set('cpu', 'cpu.max', `${Math.max(1000, Math.round(quota))} ${CPU_PERIOD_US}`)
  }
  return cgroup
}

/** Whether every process of the cgroup is frozen; false if the cgroup does not exist. */
export async function isCgroupFrozen(cgroup: string): Promise<boolean> {
  const events = await readFile(path.join(cgroup, 'cgroup.events'), 'utf8').catch(() => '')
  return /^frozen 1$/m.test(events)
}

/** Freezes or thaws all processes of a cgroup, and returns when the kernel has done so. */
export async function setFrozen(cgroup: string, frozen: boolean): Promise<void> {
  await writeFile(path.join(cgroup, 'cgroup.freeze'), frozen ? '1' : '0')
  const deadline = performance.now() + FREEZE_TIMEOUT_MS
  for (let reads = 0; (await isCgroupFrozen(cgroup)) !== frozen; reads += 1) {
    if (performance.now() > deadline) {
      const state = frozen ? 'freeze' : 'thaw'
      throw new Error(`the processes of ${cgroup} did not ${state} in ${FREEZE_TIMEOUT_MS} ms`)
    }
    if (reads > EAGER_READS) await sleep(POLL_MS)
  }
}

/** The pids in a cgroup and its children; none if it does not exist. */
export async function cgroupMembers(cgroup: string): Promise<readonly number[]> {
  const text = await readFile(path.join(cgroup, 'cgroup.procs'), 'utf8').catch(() => '')
  const own = text
    .split('\n')
    .map(Number)
    // Processes of other namespaces have the pid 0.
    .filter((pid) => pid > 0)
  const nested = await Promise.all(
    (await childCgroups(cgroup)).map((name) => cgroupMembers(path.join(cgroup, name))),
  )
  return [...own, ...nested.flat()]
}

async function childCgroups(cgroup: string): Promise<readonly string[]> {
  const entries = await readdir(cgroup, { withFileTypes: true }).catch(() => [])
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name)
}

/** Kills all processes of a cgroup, including frozen ones. */
export async function killCgroup(cgroup: string): Promise<void> {
  const done = await writeFile(path.join(cgroup, 'cgroup.kill'), '1').then(
    () => true,
    () => false,
  )
  if (done) return
  // Linux before 5.14 has no cgroup.kill.
  for (const pid of await cgroupMembers(cgroup)) {
    try {
      process.kill(pid, 'SIGKILL')
    } catch {
      // The process has ended.
    }
  }
}

/** Removes an empty cgroup and its children. Killed processes leave it with a short delay. */
export async function removeCgroup(cgroup: string): Promise<void> {
  for (const name of await childCgroups(cgroup)) await removeCgroup(path.join(cgroup, name))
  for (let attempt = 1; ; attempt += 1) {
    try {
      await rmdir(cgroup)
      return
    } catch (error) {
      if (errorCode(error) === 'ENOENT') return
      if (errorCode(error) !== 'EBUSY' || attempt === REMOVE_ATTEMPTS) throw error
    }
    await sleep(10)
  }
}
