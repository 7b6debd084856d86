import { readlink } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { EmbeddedPostgresError } from './embedded-postgres-error.ts'
import { processCommand, processStart } from '../lib/processes/process-start.ts'
import { sendSignal } from '../lib/processes/send-signal.ts'
import { readIfPresent } from '../lib/files/read-if-present.ts'
import { removeSocketDirectory } from './socket-directory.ts'
import type { Log } from '../lib/log/log.ts'

const TIMEOUT_MS = 10_000
const SOCKET_LINE = 4

/**
 * Stops the server that a dead owner left running on this cluster, and removes its socket. Returns
 * the pid in `postmaster.pid` if it belongs to no such server, so that the next server ignores it.
 */
export async function stopOrphan(cluster: string, log: Log): Promise<number | null> {
  const lines = (await readIfPresent(join(cluster, 'postmaster.pid')))?.split('\n')
  const pid = Number(lines?.[0])
  if (lines === undefined || !Number.isSafeInteger(pid) || pid <= 1) return null
  const orphan = await isServerOf(cluster, pid)
  if (orphan) {
    log.warn({ pid, cluster }, 'stopping the PostgreSQL that a dead Flotilla left')
    await end(pid)
  }
  await removeSocketDirectory(lines[SOCKET_LINE] ?? '')
  return orphan ? null : pid
}

async function isServerOf(cluster: string, pid: number): Promise<boolean> {
  const [program] = await processCommand(pid)
  if (program === undefined) return false
  if (process.platform !== 'linux') return program.includes(cluster)
  return basename(program) === 'postgres' && (await workingDirectory(pid)) === cluster
}

async function workingDirectory(pid: number): Promise<string | null> {
  try {
    return await readlink(`/proc/${pid}/cwd`)
  } catch {
    // The process has ended, or belongs to another user.
    return null
  }
}

async function end(pid: number): Promise<void> {
  const start = await processStart(pid)
  if (start === null) return
  for (const signal of ['SIGINT', 'SIGQUIT'] as const) {
    sendSignal(pid, signal)
    const deadline = Date.now() + TIMEOUT_MS
    while (Date.now() < deadline) {
      if ((await processStart(pid)) !== start) return
      await sleep(20)
    }
  }
  throw new EmbeddedPostgresError(
    `PostgreSQL, process ${pid}, does not stop: stop it and try again`,
  )
}
