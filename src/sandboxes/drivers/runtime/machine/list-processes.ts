import { readFileSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'

/** A row of the process table. */
export interface ProcessRow {
  readonly pid: number
  readonly parent: number
  readonly session: number
}

/** All living processes of this machine. */
export async function listProcesses(): Promise<readonly ProcessRow[]> {
  const names = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const rows = names.map((name) => readRow(Number(name)))
  return rows.filter((row) => row !== null)
}

/** The children of a process with one thread, such as a shell. */
export async function childrenOf(pid: number): Promise<readonly number[]> {
  const text = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => null)
  if (text !== null) return text.split(' ').filter(Boolean).map(Number)
  // The file is an option of the kernel, and the process may have ended.
  const rows = await listProcesses()
  return rows.filter(({ parent }) => parent === pid).map((row) => row.pid)
}

/** Null if the process has ended. The kernel never waits for these files, so threads would only cost. */
function readRow(pid: number): ProcessRow | null {
  const stat = statOf(pid)
  if (stat === null) return null
  // The name in parentheses may contain spaces and parentheses.
  const [state, parent, , session] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  if (state === 'Z' || state === 'X') return null
  return { pid, parent: Number(parent), session: Number(session) }
}

function statOf(pid: number): string | null {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8')
  } catch {
    return null
  }
}

/** The processes below `ancestor` in the table. */
export function descendantsOf(rows: readonly ProcessRow[], ancestor: number): readonly number[] {
  const children = rows.filter(({ parent }) => parent === ancestor).map(({ pid }) => pid)
  return children.flatMap((pid) => [pid, ...descendantsOf(rows, pid)])
}
