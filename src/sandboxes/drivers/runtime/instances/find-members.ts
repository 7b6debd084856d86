import { readFile } from 'node:fs/promises'
import { createBatcher } from 'flotilla'
import { descendantsOf, type listProcesses, type ProcessRow } from '../machine/list-processes.ts'
import { isAlive } from '../machine/process-identity.ts'
import type { InstanceRecord } from '../records/sandbox-record.ts'
import { markOf, processMark } from '../machine/process-mark.ts'

type Instance = Pick<InstanceRecord, 'id' | 'init' | 'sandboxUid'>

const MAX_BATCH_SIZE = 10_000
const TIMEOUT_MS = 60_000

/**
 * Finds the processes of instances without a cgroup: the first process, its descendants, and processes
 * that have left them, which have the mark of the instance, or the ids of instance and sandbox in their
 * environment, as those of earlier versions. Concurrent calls share one pass over the processes of the
 * machine, because a pass costs about 0.2 ms per process.
 */
export function createMemberFinder(
  list: typeof listProcesses,
): (instance: Instance) => Promise<readonly ProcessRow[]> {
  return createBatcher(
    async (instances: readonly Instance[]) => {
      const rows = await list()
      const byMark = rowsByMark(rows)
      const byId = await processesByInstance(rows)
      const members = instances.map(async ({ id, init, sandboxUid }) => {
        const named = byId.get(id) ?? []
        const own = named.filter((each) => sandboxUid === undefined || each.uid === sandboxUid)
        const marked = sandboxUid === undefined ? [] : byMark.get(processMark(sandboxUid, id))
        const found = new Set([...own.map(({ row }) => row), ...(marked ?? [])])
        // A zombie has no row, and another process can have got the pid.
        const first = rows.find(({ pid }) => pid === init?.pid)
        if (first !== undefined && (await isAlive(init))) {
          for (const row of [first, ...descendantsOf(rows, first.pid)]) found.add(row)
        }
        return [...found]
      })
      return Promise.all(members)
    },
    {
      name: 'members of instances',
      maxBatchSize: MAX_BATCH_SIZE,
      timeoutMs: TIMEOUT_MS,
      concurrency: 1,
    },
  )
}

/** A process with the variables of an instance. */
interface NamedProcess {
  readonly row: ProcessRow
  /** The sandbox; empty if its variable was removed. */
  readonly uid: string
}

function rowsByMark(rows: readonly ProcessRow[]): ReadonlyMap<number, readonly ProcessRow[]> {
  const found = new Map<number, ProcessRow[]>()
  for (const row of rows) {
    const mark = markOf(row.pid)
    if (mark !== null) found.set(mark, [...(found.get(mark) ?? []), row])
  }
  return found
}

/** The processes by the id of their instance. */
async function processesByInstance(
  rows: readonly ProcessRow[],
): Promise<ReadonlyMap<string, readonly NamedProcess[]>> {
  const found = new Map<string, NamedProcess[]>()
  await Promise.all(
    rows.map(async (row) => {
      const text = await readFile(`/proc/${row.pid}/environ`, 'utf8').catch(() => '')
      const id = variableIn(text, 'SANDBOX_INSTANCE_ID')
      if (id === '') return
      const uid = variableIn(text, 'SANDBOX_UID')
      found.set(id, [...(found.get(id) ?? []), { row, uid }])
    }),
  )
  return found
}

/** The value of a variable in an environment; empty if it is absent. */
function variableIn(environment: string, name: string): string {
  const prefix = `${name}=`
  const entry = environment.split('\0').find((each) => each.startsWith(prefix))
  return entry === undefined ? '' : entry.slice(prefix.length)
}
