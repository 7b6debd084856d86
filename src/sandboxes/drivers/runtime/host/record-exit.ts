import { rm } from 'node:fs/promises'
import { fileExists } from 'flotilla/programs'
import type { Instance } from '../../generated/proto/snapshot_driver_pb.ts'
import { runningInit } from '../instances/init-containers.ts'
import { killInstance } from '../instances/instance-processes.ts'
import { type InstanceExit, readExit, unknownExit } from '../instances/read-exit.ts'
import { removeCgroup } from '../machine/cgroup.ts'
import { isAlive } from '../machine/process-identity.ts'
import { removeTree } from '../machine/remove-tree.ts'
import type { InstanceRecord, RecordedRun, SandboxRecord } from '../records/sandbox-record.ts'
import { instancePaths, type SandboxPaths, sandboxPaths } from '../sandbox-layout.ts'
import { releaseNetwork } from './start/instance-network.ts'
import { type HostState, isLive, saveInstance } from './host-state.ts'

/** The message of instances that ended without an end of the workload, as by a reboot. */
const WORKLOAD_LOST = 'WorkloadLost'
const MEMORY_LOST = `${WORKLOAD_LOST}: its memory could not be restored after a checkpoint`
const SIGTERM = { code: 143, signal: 15 }

/** Records the end of an instance if it has ended. Failures are logged; the next check retries. */
export async function recordExit(state: HostState, uid: string, instanceId: string): Promise<void> {
  try {
    await state.owners.run({ uid, fence: null, signal: state.closing }, async () => {
      const record = state.records.get(uid)
      const current = record?.current ?? null
      if (record === undefined || !isLive(current) || current.id !== instanceId) return
      const exit = await findExit(state, record, current)
      if (exit !== null) await finishInstance(state, { record, current }, exit)
    })
  } catch (error) {
    if (state.closing.aborted) return
    state.log.warn({ err: error, sandbox: uid, instance: instanceId }, 'recording an exit failed')
  }
}

/** How an instance ended; null while it is alive. */
export async function findExit(
  state: HostState,
  record: SandboxRecord,
  current: InstanceRecord,
): Promise<InstanceExit | null> {
  if (current.bootId !== state.machine.bootId) {
    return unknownExit(state.clock().getTime(), WORKLOAD_LOST)
  }
  const paths = instancePaths(sandboxPaths(state.layout, record.sandbox.uid), current.id)
  const { exitFile, lostFile } = paths
  const exit = await readExit(exitFile)
  if (exit !== null) return (await fileExists(lostFile)) ? { ...exit, message: MEMORY_LOST } : exit
  // The shim writes the status after the workload has ended.
  if ((await isAlive(current.init)) || (await isAlive(current.shim))) return null
  const late = await readExit(exitFile)
  return late ?? unknownExit(state.clock().getTime(), 'the exit status is unknown')
}

/** Removes what the wall of an instance has left after the end of its processes. */
export async function releaseInstance(
  state: HostState,
  record: SandboxRecord,
  run: InstanceRecord,
): Promise<void> {
  const offered = state.walls.find(({ name }) => name === run.isolationClass)
  const { directory } = instancePaths(sandboxPaths(state.layout, record.sandbox.uid), run.id)
  await offered?.wall?.release?.(directory)
  await releaseNetwork(state, run)
}

/** Ends the remaining processes of an instance and records how it ended. */
export async function finishInstance(
  state: HostState,
  { record, current }: RecordedRun,
  exit: InstanceExit,
): Promise<Instance> {
  const isThisBoot = current.bootId === state.machine.bootId
  if (isThisBoot) {
    await killInstance(current)
    const { cgroups } = state.machine
    if (cgroups !== null && current.cgroup !== null) await removeCgroup(cgroups, current.cgroup)
  }
  const paths = sandboxPaths(state.layout, record.sandbox.uid)
  const files = instancePaths(paths, current.id)
  await releaseInstance(state, record, current)
  const failedInit = await initMessage(paths, current)
  await rm(files.pidFile, { force: true })
  // They can contain secrets.
  await rm(files.environmentFile, { force: true })
  await removeTree(paths.contents)
  state.log.info(
    { sandbox: record.sandbox.uid, instance: current.id, code: exit.code, reason: exit.message },
    'ended',
  )
  return saveInstance(state, record, {
    ...current,
    phase: 'Exited',
    shim: null,
    init: null,
    finishedAt: exit.finishedAt,
    ...endOf(current, { ...exit, message: exit.message || failedInit }),
  })
}

/** Which init container has not ended well; empty if the workload had started. */
async function initMessage(paths: SandboxPaths, { health }: InstanceRecord): Promise<string> {
  if (health?.initDigest === undefined) return ''
  const name = await runningInit(paths, health.initDigest)
  return name === null ? '' : `the init container ${name} has not succeeded`
}

/** A failed probe has recorded why it ends the instance, which is then no success. */
function endOf({ message }: InstanceRecord, exit: InstanceExit) {
  const end = exit.code === 0 && message !== '' ? SIGTERM : exit
  return { exitCode: end.code, exitSignal: end.signal, message: exit.message || message }
}
