import { readFileSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { sendSignalIfOwn } from 'flotilla/programs'

/** A row of the process table. */
export interface ProcessRow {
  readonly pid: number
  readonly parent: number
  readonly session: number
  readonly isStopped: boolean
  /** Whether it waits in the kernel, as a parent in `vfork` does for its child, and ignores signals. */
  readonly isBlocked: boolean
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
export async function childrenOf(pid: number): Promise<readonly ProcessRow[]> {
  const text = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => null)
  // The file is an option of the kernel, and the process may have ended.
  const rows =
    text === null ? await listProcesses() : text.split(' ').filter(Boolean).map(Number).map(readRow)
  return rows.filter((row) => row !== null).filter(({ parent }) => parent === pid)
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
    // `t` is a process that its tracer has stopped.
    isStopped: state === 'T' || state === 't',
    isBlocked: state === 'D',
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

/**
 * Kills the processes of a list, which it reads twice: a process that has the pid of one that has
 * ended is not in the second list.
 */
export async function killListed(list: () => Promise<readonly number[]>): Promise<void> {
  const rows = (await list()).map(readRow)
  const listed = new Set(await list())
  for (const row of rows) if (row !== null && listed.has(row.pid)) signalProcess(row, 'SIGKILL')
}

/** The processes below `ancestor` in the table. */
export function descendantsOf(
  rows: readonly ProcessRow[],
  ancestor: number,
): readonly ProcessRow[] {
  const children = rows.filter(({ parent }) => parent === ancestor)
  return children.flatMap((child) => [child, ...descendantsOf(rows, child.pid)])
}
