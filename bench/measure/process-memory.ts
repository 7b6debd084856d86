import { readFileSync } from 'node:fs'
import { processTree } from './process-tree.ts'

/** `VmRSS` is the resident set size, `VmHWM` its peak. */
type MemoryField = 'VmRSS' | 'VmHWM'

/** Memory of a process and its descendants without the subtree at `except`; null if unknown. */
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

/** Memory of a single process; 0 if it has ended. */
function ownMegabytes(field: MemoryField, pid: number): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'latin1')
    const kilobytes = new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1]
    return Number(kilobytes ?? 0) / 1024
  } catch {
    return 0
  }
}
