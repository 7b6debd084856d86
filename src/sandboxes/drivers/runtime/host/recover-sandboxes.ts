import { readFile, readlink } from 'node:fs/promises'
import path from 'node:path'
import { fileExists } from 'flotilla/programs'
import { recoverRestore } from '../../process/restore-staging.ts'
import { killInstance } from '../instances/instance-processes.ts'
import { awaitInit, START_TIMEOUT_MS } from '../instances/launch.ts'
import { shimDirectory } from '../instances/shim-command.ts'
import { createCgroup, killCgroup, removeCgroup } from '../machine/cgroup.ts'
import { type CgroupRoot, listCgroups } from '../machine/cgroup-root.ts'
import { killTree } from '../machine/kill-tree.ts'
import { listProcesses } from '../machine/list-processes.ts'
import { identifyProcess, isAlive, type ProcessIdentity } from '../machine/process-identity.ts'
import type { InstanceRecord, SandboxRecord } from '../records/sandbox-record.ts'
import { limitsOf } from '../records/stored-limits.ts'
import { instancePaths, sandboxPaths } from '../sandbox-layout.ts'
import { recoverCheckpoint } from './checkpoint-instance.ts'
import { cgroupLimits, type HostState, isLive, saveInstance, saveRecord } from './host-state.ts'
import { findExit, finishInstance, releaseInstance } from './record-exit.ts'

/** Records of removed sandboxes hold their fence until no delayed call can arrive. */
const TOMBSTONE_MS = 7 * 86_400_000
/** The run directory of an instance in that of all sandboxes. */
const RUN_DIRECTORY = /^([^/]+)\/run\/([^/]+)$/

/** Reads the records and finds the instances that outlived the last runtime of this directory. */
export async function recoverSandboxes(state: HostState): Promise<void> {
  const expired = state.clock().getTime() - TOMBSTONE_MS
  for (const record of await state.store.readAll()) {
    if (record.removedAt !== null && record.removedAt < expired) {
      await state.store.remove(record.sandbox.uid)
      continue
    }
    state.records.set(record.sandbox.uid, record)
    await finishRestore(state, record)
    if (isLive(record.current)) await recoverInstance(state, record, record.current)
  }
  if (state.machine.cgroups === null) await killUnknownShims(state)
  else await killUnknownCgroups(state, state.machine.cgroups)
}

/** Finishes the exchange of files that the end of the last runtime interrupted. */
async function finishRestore(state: HostState, { sandbox }: SandboxRecord): Promise<void> {
  try {
    await recoverRestore(sandboxPaths(state.layout, sandbox.uid).directory)
  } catch (error) {
    // The next restore tries again. Other sandboxes are not affected.
    state.log.warn({ err: error, sandbox: sandbox.uid }, 'cannot finish a restore')
  }
}

async function recoverInstance(
  state: HostState,
  record: SandboxRecord,
  current: InstanceRecord,
): Promise<void> {
  const run =
    current.phase === 'Starting' && current.bootId === state.machine.bootId
      ? await findStarted(state, record, current)
      : current
  if (run === null) {
    await killInstance(current)
    await releaseInstance(state, record, current)
    await saveRecord(state, { ...record, current: record.previous, previous: null })
    return
  }
  const exit = await findExit(state, record, run)
  const { uid } = record.sandbox
  if (exit === null) {
    await restoreCgroups(state, run)
    await saveInstance(state, record, run)
    await recoverCheckpoint(state, record, run)
    state.log.info({ sandbox: uid, instance: run.id, pid: run.init?.pid }, 'found again')
  } else {
    await finishInstance(state, { record, current: run }, exit)
  }
}

/** Creates cgroups that an earlier version did not have, which commands beside the workload join. */
async function restoreCgroups(state: HostState, run: InstanceRecord): Promise<void> {
  const { cgroups } = state.machine
  if (cgroups === null || run.cgroup === null) return
  const limits = cgroupLimits(state, run.isolationClass, limitsOf(run))
  await createCgroup(cgroups, path.basename(run.cgroup), limits)
}

/**
 * Finds an instance whose start was interrupted; null if no process was started, or if it does not
 * become ready in the time of a start: a workload must not keep the runtime from starting.
 */
async function findStarted(
  state: HostState,
  record: SandboxRecord,
  current: InstanceRecord,
): Promise<InstanceRecord | null> {
  const files = instancePaths(sandboxPaths(state.layout, record.sandbox.uid), current.id)
  const shim = await findShim(files.directory)
  if (shim === null) return null
  const passedMs = state.clock().getTime() - current.startedAt
  const leftMs = Math.min(Math.max(START_TIMEOUT_MS - passedMs, 0), START_TIMEOUT_MS)
  try {
    const init = await awaitInit(files, async () => !(await isAlive(shim)), leftMs)
    // A restore that failed has no pid. The snapshot is still there for another start.
    if (!(await fileExists(files.pidFile))) return null
    return { ...current, shim, init, phase: 'Running' }
  } catch (error) {
    state.log.warn({ err: error, sandbox: record.sandbox.uid }, 'an interrupted start has failed')
    await killTree(shim.pid, () => isAlive(shim))
    return null
  }
}

async function findShim(runDirectory: string): Promise<ProcessIdentity | null> {
  const namespace = await pidNamespace('self')
  for (const { pid } of await listProcesses()) {
    if ((await shimDirectoryOf(pid)) !== runDirectory) continue
    // A workload can have the arguments of a shim, but not in this namespace.
    if ((await pidNamespace(pid)) === namespace) return identifyProcess(pid)
  }
  return null
}

async function shimDirectoryOf(pid: number): Promise<string | null> {
  const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
  return shimDirectory(command.split('\0'))
}

function pidNamespace(pid: number | 'self'): Promise<string | null> {
  return readlink(`/proc/${pid}/ns/pid`).catch(() => null)
}

/** Ends instances without a cgroup that the records do not contain: the directory was removed. */
async function killUnknownShims({ layout, log, records }: HostState): Promise<void> {
  const namespace = await pidNamespace('self')
  for (const { pid } of await listProcesses()) {
    const directory = await shimDirectoryOf(pid)
    if (directory === null) continue
    const within = path.relative(layout.sandboxesDirectory, directory)
    const [, uid = '', id = ''] = RUN_DIRECTORY.exec(within) ?? []
    const current = records.get(uid)?.current ?? null
    if (id === '' || (current?.id === id && isLive(current))) continue
    const shim = await identifyProcess(pid)
    // It may have ended since its arguments were read.
    if (shim === null || (await shimDirectoryOf(pid)) !== directory) continue
    if ((await pidNamespace(pid)) !== namespace) continue
    await killTree(pid, () => isAlive(shim))
    // A process that takes long to end must not keep the runtime from starting.
    await killInstance({ id, sandboxUid: uid, init: null, cgroup: null }).catch((error: unknown) =>
      log.warn({ err: error, sandbox: uid }, 'cannot end the processes of an instance'),
    )
  }
}

/** Ends the processes of instances that the records do not contain. */
async function killUnknownCgroups(state: HostState, cgroups: CgroupRoot): Promise<void> {
  const live = [...state.records.values()].map(({ current }) => current).filter(isLive)
  const known = new Set(live.map(({ cgroup }) => cgroup))
  for (const name of await listCgroups(cgroups)) {
    const cgroup = path.join(cgroups.path, name)
    if (known.has(cgroup)) continue
    await killCgroup(cgroup)
    // A process that takes long to end must not keep the runtime from starting.
    await removeCgroup(cgroups, cgroup).catch((error: unknown) =>
      state.log.warn({ err: error, cgroup }, 'cannot remove a cgroup'),
    )
  }
}
