import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'

const HEX_DIGITS_OF_48_BITS = 12

/**
 * Marks the processes of an instance without a cgroup: it is their limit of file locks, which Linux
 * has not enforced since 2.4. Daemons inherit it when they leave their session, clear their
 * environment, or overwrite it with a title. A program that wants to hide can lower it.
 */
export function processMark(sandboxUid: string, instanceId: string): number {
  const digest = createHash('sha256').update(`${sandboxUid} ${instanceId}`).digest('hex')
  return Number.parseInt(digest.slice(0, HEX_DIGITS_OF_48_BITS), 16)
}

/** The mark of a process; null if it has none. The kernel never waits for this file. */
export function markOf(pid: number | 'self'): number | null {
  try {
    const limits = readFileSync(`/proc/${pid}/limits`, 'utf8')
    const hard = /^Max file locks\s+\S+\s+(\d+)/m.exec(limits)?.[1]
    return hard === undefined ? null : Number(hard)
  } catch {
    return null
  }
}
