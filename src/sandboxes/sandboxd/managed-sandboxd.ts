import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { must } from 'flotilla'
import { readIfPresent, sendSignalIfOwn } from 'flotilla/programs'
import {
  identifyProcess,
  isAlive,
  type ProcessIdentity,
} from '../drivers/runtime/machine/process-identity.ts'

/** The argument of a sandboxd that a server has started. It ends its workloads when it stops. */
export const MANAGED_ARGUMENT = '--managed'

const STOP_TIMEOUT_MS = 20_000
const POLL_MS = 50

/** The file with the pid and, in a second line, the start of a sandboxd that a server has started. */
export function managedFile(directory: string): string {
  return path.join(directory, 'managed-pid')
}

/** Records that this process is the sandboxd of the directory and belongs to a server. */
export async function markManaged(directory: string): Promise<void> {
  const { pid, start } = must(await identifyProcess(process.pid), 'the start of this process')
  await writeFile(managedFile(directory), `${pid}\n${start}\n`, { mode: 0o600 })
}

/** The living sandboxd of the directory that a server has started; null if a user has. */
export async function findManaged(directory: string): Promise<ProcessIdentity | null> {
  const [pid = '', start = ''] = ((await readIfPresent(managedFile(directory))) ?? '').split('\n')
  const found = /^[1-9]\d*$/.test(pid) ? await identifyProcess(Number(pid)) : null
  // Another process can have the pid of one that has ended. Earlier versions wrote no start.
  return start === '' || found?.start === start ? found : null
}

/** Whether the last managed sandboxd of the directory, which has ended, has left its workloads. */
export async function wasKilled(directory: string): Promise<boolean> {
  return (await readIfPresent(managedFile(directory))) !== null
}

/** Stops a sandboxd together with its workloads. Kills it if it does not end. */
export async function stopManaged(sandboxd: ProcessIdentity): Promise<void> {
  if (!(await isAlive(sandboxd))) return
  sendSignalIfOwn(sandboxd.pid, 'SIGTERM')
  const deadline = performance.now() + STOP_TIMEOUT_MS
  while (await isAlive(sandboxd)) {
    if (performance.now() > deadline) return sendSignalIfOwn(sandboxd.pid, 'SIGKILL')
    await sleep(POLL_MS)
  }
}
