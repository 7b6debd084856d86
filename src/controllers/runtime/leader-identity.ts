import { createHash, randomUUID } from 'node:crypto'
import { readlink } from 'node:fs/promises'
import { hostname } from 'node:os'
import { readBootId } from '../../lib/processes/boot-id.ts'
import { errorCode } from '../../lib/error-code.ts'
import { processStart } from '../../lib/processes/process-start.ts'

const WITH_PROCESS = /_(\d+)_([0-9a-f]{16})\.(\d+)_[-0-9a-f]{36}$/

/** A name for this process that no other one has. Other processes of the machine can find it. */
export async function leaderIdentity(): Promise<string> {
  const { pid } = process
  const [table, start] = [await processTable(), await processStart(pid)]
  const ticks = start?.split(' ').at(-1)
  const found = table === null || ticks === undefined ? '' : `_${table.digest}.${ticks}`
  return `${hostname()}_${pid}${found}_${randomUUID()}`
}

/**
 * Whether the process with this identity has certainly ended. False for processes of other machines
 * and containers, whose ids mean nothing here.
 */
export async function hasProcessEnded(identity: string): Promise<boolean> {
  const [, pid, digest, ticks] = WITH_PROCESS.exec(identity) ?? []
  const table = pid === undefined ? null : await processTable()
  if (table === null || table.digest !== digest) return false
  const start = await processStart(Number(pid))
  return start === null ? !exists(Number(pid)) : start !== `${table.boot} ${ticks}`
}

/** A system may hide processes of other users in /proc (`hidepid`), but not from signals. */
function exists(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return errorCode(error) !== 'ESRCH'
  }
}

interface ProcessTable {
  readonly boot: string
  /** Equal only for processes that see each other's ids. */
  readonly digest: string
}

/** The boot of the machine and the namespace of process ids; null on systems without them. */
async function processTable(): Promise<ProcessTable | null> {
  try {
    const boot = await readBootId()
    const namespace = await readlink('/proc/self/ns/pid')
    const digest = createHash('sha256').update(`${boot} ${namespace}`).digest('hex').slice(0, 16)
    return { boot, digest }
  } catch {
    return null
  }
}
