import { readFileSync } from 'node:fs'
import { processTree } from './process-tree.ts'

/** `VmRSS` is what a process holds of memory, `VmHWM` the most that it has ever held. */
type MemoryField = 'VmRSS' | 'VmHWM'

/** Of a process and its descendants, without those below `except`; null where it cannot be known. */
export function treeMegabytes(
  field: MemoryField,
  pid: number | null,
  except: number | null = null,
): number | null {
  if (pid === null) return null
  const tree = processTree(pid, except)
  if (tree.length === 0) return null
  return tree.reduce((sum, member) => sum + ownMegabytes(field, member), 0)
}

/** Of one process; 0 where it has ended. */
export function ownMegabytes(field: MemoryField, pid: number): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'latin1')
    const kilobytes = new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1]
    return Number(kilobytes ?? 0) / 1024
  } catch {
    return 0
  }
}
