import { readFileSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { sendSignalIfOwn } from 'flotilla/programs'

/** A row of the process table. */
export interface ProcessRow {
  readonly pid: number
  readonly parent: number
  readonly session: number
  /** The time of its start, which distinguishes it from a later process with the same pid. */
  readonly start: string
}

/** The start time in `/proc/PID/stat`, counted from the state. */
const START_FIELD = 19

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
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const [state, parent, , session] = fields
  if (state === 'Z' || state === 'X') return null
  return {
    pid,
    parent: Number(parent),
    session: Number(session),
    start: fields[START_FIELD] ?? '',
  }
}

function statOf(pid: number): string | null {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8')
  } catch {
    return null
  }
}

/** Signals a process, unless it has ended and another process has its pid. */
export function signalProcess({ pid, start }: ProcessRow, signal: NodeJS.Signals): void {
  if (readRow(pid)?.start === start) sendSignalIfOwn(pid, signal)
}

/** The processes below `ancestor` in the table. */
export function descendantsOf(
  rows: readonly ProcessRow[],
  ancestor: number,
): readonly ProcessRow[] {
  const children = rows.filter(({ parent }) => parent === ancestor)
  return children.flatMap((child) => [child, ...descendantsOf(rows, child.pid)])
}
