import { setTimeout as sleep } from 'node:timers/promises'
import { sendSignalIfOwn } from 'flotilla/programs'
import { cgroupMembers, killCgroup } from '../machine/cgroup.ts'
import { childrenOf, listProcesses } from '../machine/list-processes.ts'
import { createMemberFinder } from './find-members.ts'
import type { InstanceRecord } from '../records/sandbox-record.ts'

const KILL_TIMEOUT_MS = 10_000
const POLL_MS = 5

/**
 * Sends a signal to the workload: the children of the instance's first process, a shell. Returns
 * false if the shell has none.
 */
export async function signalWorkload(
  { init }: Pick<InstanceRecord, 'init'>,
  signal: NodeJS.Signals,
): Promise<boolean> {
  const children = init === null ? [] : await childrenOf(init.pid)
  for (const child of children) sendSignalIfOwn(child, signal)
  return children.length > 0
}

/** Continues the process group of an instance, which drivers stop if it has no cgroup. */
export function continueInstance({ init }: InstanceRecord): void {
  if (init !== null) sendSignalIfOwn(-init.pid, 'SIGCONT')
}

/** Kills all processes of an instance, frozen ones too, and returns when they have ended. */
export async function killInstance(record: InstanceRecord): Promise<void> {
  const deadline = performance.now() + KILL_TIMEOUT_MS
  for (;;) {
    const members = await instanceMembers(record)
    if (members.length === 0) return
    if (performance.now() > deadline) {
      throw new Error(
        `processes ${members.join(', ')} did not end ${KILL_TIMEOUT_MS} ms after SIGKILL`,
      )
    }
    if (record.cgroup !== null) await killCgroup(record.cgroup)
    else for (const pid of members) sendSignalIfOwn(pid, 'SIGKILL')
    await sleep(POLL_MS)
  }
}

/** The pids of an instance. */
export function instanceMembers(record: InstanceRecord): Promise<readonly number[]> {
  return record.cgroup === null ? findMembers(record) : cgroupMembers(record.cgroup)
}

const findMembers = createMemberFinder(listProcesses)
