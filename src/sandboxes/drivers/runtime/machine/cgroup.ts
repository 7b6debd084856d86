import { mkdir, readdir, readFile, rmdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { errorCode, unreachable } from 'flotilla'
import type { Limits } from '../../generated/proto/snapshot_driver_pb.ts'
import { type CgroupRoot, type Controller, listCgroups } from './cgroup-root.ts'
import { killListed } from './list-processes.ts'

const FREEZE_TIMEOUT_MS = 10_000
/** Freezing takes 1 to 2 ms, so the first reads come without a pause. */
const EAGER_READS = 20
const POLL_MS = 1
const CPU_PERIOD_US = 100_000
const REMOVE_ATTEMPTS = 50

/** Without a limit, a workload that starts processes without end would take those of the machine. */
export const DEFAULT_PROCESSES = 4096n

/** Creates the cgroup of an instance with its limits, and returns its path. */
export async function createCgroup(
  root: CgroupRoot,
  name: string,
  limits: Limits | undefined,
): Promise<string> {
  const cgroup = path.join(root.path, name)
  await mkdir(cgroup, { recursive: true })
  for (const controller of root.controllers) {
    const legacy = root.legacy.get(controller)
    const directory = legacy === undefined ? cgroup : path.join(legacy, name)
    await mkdir(directory, { recursive: true })
    const isLegacy = legacy !== undefined
    for (const [file, value] of limitFiles(controller, isLegacy, limits)) {
      await writeFile(path.join(directory, file), value)
    }
    // Swap would let the workload exceed its limit. Kernels without swap do not have the file.
    if (controller === 'memory' && limits !== undefined && limits.memoryBytes > 0n) {
      const [file, value] = isLegacy
        ? ['memory.memsw.limit_in_bytes', `${limits.memoryBytes}`]
        : ['memory.swap.max', '0']
      await writeFile(path.join(directory, file), value).catch(() => {})
    }
  }
  return cgroup
}

type LimitFile = readonly [name: string, value: string]

/** The files of a controller that hold the limits, in cgroup v1 (`isLegacy`) or v2. */
function limitFiles(
  controller: Controller,
  isLegacy: boolean,
  limits: Limits | undefined,
): readonly LimitFile[] {
  const { memoryBytes = 0n, cpuMillis = 0n, maxProcesses = 0n } = limits ?? {}
  switch (controller) {
    case 'memory': {
      const file = isLegacy ? 'memory.limit_in_bytes' : 'memory.max'
      return memoryBytes > 0n ? [[file, `${memoryBytes}`]] : []
    }
    case 'pids':
      return [['pids.max', `${maxProcesses || DEFAULT_PROCESSES}`]]
    case 'cpu': {
      if (cpuMillis <= 0n) return []
      const quota = Math.max(1000, Math.round((Number(cpuMillis) * CPU_PERIOD_US) / 1000))
      return isLegacy
        ? [
            ['cpu.cfs_period_us', `${CPU_PERIOD_US}`],
            ['cpu.cfs_quota_us', `${quota}`],
          ]
        : [['cpu.max', `${quota} ${CPU_PERIOD_US}`]]
    }
    default:
      return unreachable(controller)
  }
}

/** The files by which a process joins the cgroup of an instance, in all hierarchies. */
export function joinFiles(root: CgroupRoot, cgroup: string): readonly string[] {
  return [cgroup, ...legacyCgroups(root, cgroup)].map((each) => path.join(each, 'cgroup.procs'))
}

/** The directories of an instance in cgroup v1. */
function legacyCgroups({ legacy }: CgroupRoot, cgroup: string): readonly string[] {
  return [...new Set(legacy.values())].map((root) => path.join(root, path.basename(cgroup)))
}

/** Whether every process of the cgroup is frozen; false if the cgroup does not exist. */
export async function isCgroupFrozen(cgroup: string): Promise<boolean> {
  const events = await readFile(path.join(cgroup, 'cgroup.events'), 'utf8').catch(() => '')
  return /^frozen 1$/m.test(events)
}

/**
 * Freezes or thaws all processes of a cgroup, and returns when the kernel has done so. They continue
 * if freezing takes too long.
 */
export async function setFrozen(cgroup: string, frozen: boolean): Promise<void> {
  const file = path.join(cgroup, 'cgroup.freeze')
  await writeFile(file, frozen ? '1' : '0')
  const deadline = performance.now() + FREEZE_TIMEOUT_MS
  for (let reads = 0; (await isCgroupFrozen(cgroup)) !== frozen; reads += 1) {
    if (performance.now() > deadline) {
      if (frozen) await writeFile(file, '0')
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
  await killListed(() => cgroupMembers(cgroup))
}

/** Removes the empty cgroup of an instance from all hierarchies. */
export async function removeCgroup(root: CgroupRoot, cgroup: string): Promise<void> {
  for (const each of [cgroup, ...legacyCgroups(root, cgroup)]) await removeDirectory(each)
}

/** Removes the cgroups of a runtime that have no processes. */
export async function removeEmptyCgroups(root: CgroupRoot): Promise<void> {
  for (const name of await listCgroups(root)) {
    const cgroup = path.join(root.path, name)
    if ((await cgroupMembers(cgroup)).length > 0) continue
    // The next start of the runtime tries again.
    await removeCgroup(root, cgroup).catch(() => {})
  }
}

/** Removes a cgroup and its children. Killed processes leave it with a short delay. */
async function removeDirectory(cgroup: string): Promise<void> {
  for (const name of await childCgroups(cgroup)) await removeDirectory(path.join(cgroup, name))
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
