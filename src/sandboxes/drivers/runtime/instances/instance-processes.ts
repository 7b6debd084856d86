import { setTimeout as sleep } from 'node:timers/promises'
import { cgroupMembers, killCgroup } from '../machine/cgroup.ts'
import {
  childrenOf,
  listProcesses,
  type ProcessRow,
  signalProcess,
} from '../machine/list-processes.ts'
import { isAlive } from '../machine/process-identity.ts'
import { createMemberFinder } from './find-members.ts'
import type { InstanceRecord } from '../records/sandbox-record.ts'

type Instance = Pick<InstanceRecord, 'id' | 'init' | 'sandboxUid'>
type KilledInstance = Instance & Pick<InstanceRecord, 'cgroup'>

const KILL_TIMEOUT_MS = 10_000
const STOP_TIMEOUT_MS = 10_000
const POLL_MS = 5

/**
 * Sends a signal to the workload: the children of the instance's first process, a shell. Returns
 * false if the shell has none.
 */
export async function signalWorkload(
  { init }: Pick<InstanceRecord, 'init'>,
  signal: NodeJS.Signals,
): Promise<boolean> {
  // Another process can have got the pid.
  const children = init !== null && (await isAlive(init)) ? await childrenOf(init.pid) : []
  for (const child of children) signalProcess(child, signal)
  return children.length > 0
}

/**
 * Stops all processes of an instance without a cgroup, and returns when no process is left that could
 * start another one. They continue if that fails or takes too long.
 */
export async function stopInstance(instance: Instance): Promise<void> {
  try {
    await stopMembers(instance)
  } catch (error) {
    await continueInstance(instance)
    throw error
  }
}

async function stopMembers(instance: Instance): Promise<void> {
  const deadline = performance.now() + STOP_TIMEOUT_MS
  for (;;) {
    const members = await findMembers(instance)
    const running = members.filter(({ isStopped }) => !isStopped)
    if (running.length === 0) return
    if (performance.now() > deadline) {
      const pids = running.map(({ pid }) => pid).join(', ')
      throw new Error(`processes ${pids} did not stop ${STOP_TIMEOUT_MS} ms after SIGSTOP`)
    }
    for (const member of running) signalProcess(member, 'SIGSTOP')
    // A parent in `vfork` can stop when its child, which has stopped first, has started a program.
    for (const child of awaitedChildren(members)) signalProcess(child, 'SIGCONT')
    await sleep(POLL_MS)
  }
}

function awaitedChildren(members: readonly ProcessRow[]): readonly ProcessRow[] {
  const blocked = new Set(members.filter(({ isBlocked }) => isBlocked).map(({ pid }) => pid))
  return members.filter(({ isStopped, parent }) => isStopped && blocked.has(parent))
}

/** Continues the processes of an instance without a cgroup. */
export async function continueInstance(instance: Instance): Promise<void> {
  for (const member of await findMembers(instance)) signalProcess(member, 'SIGCONT')
}

/** Kills all processes of an instance, frozen ones too, and returns when they have ended. */
export async function killInstance(record: KilledInstance): Promise<void> {
  const deadline = performance.now() + KILL_TIMEOUT_MS
  for (;;) {
    const members = await killMembers(record)
    if (members.length === 0) return
    if (performance.now() > deadline) {
      throw new Error(
        `processes ${members.join(', ')} did not end ${KILL_TIMEOUT_MS} ms after SIGKILL`,
      )
    }
    await sleep(POLL_MS)
  }
}

/** The pids that an instance had, all of which are killed. */
async function killMembers(record: KilledInstance): Promise<readonly number[]> {
  if (record.cgroup !== null) {
    const members = await cgroupMembers(record.cgroup)
    if (members.length > 0) await killCgroup(record.cgroup)
    return members
  }
  const members = await findMembers(record)
  for (const member of members) signalProcess(member, 'SIGKILL')
  return members.map(({ pid }) => pid)
}

const findMembers = createMemberFinder(listProcesses)
