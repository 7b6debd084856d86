import { errorMessage } from '../../src/lib/error-message.ts'
import type { FloorOperation } from '../floors/floor-scripts.ts'
import { type PgbenchTask, runPgbench, tryPgbench } from '../floors/run-pgbench.ts'
import type { LoadSession } from '../generator/generator.ts'
import type { Target } from '../generator/messages.ts'
import { treeMegabytes } from '../measure/process-memory.ts'
import type { Pace } from '../command/options.ts'
import type { Measured, Run } from '../results/measurement.ts'
import { runOfLoad } from '../results/run-of-load.ts'
import type { Contender } from '../servers/contender.ts'
import type { Bench } from './bench.ts'
import { type Contestant, takeTurns } from './take-turns.ts'

/** A contestant, and what is written down of it beside its runs. */
export interface Entry extends Contestant {
  readonly variant: string
  readonly measured: Measured
  readonly connections: number
  readonly rows: number
  /** Whose memory is looked at; null where it does not matter. */
  readonly target: Target | null
}

/** Lets entries take turns and writes down what came of it. */
export async function compete(
  { results }: Bench,
  scenario: string,
  entries: readonly Entry[],
  pace: Pace,
): Promise<void> {
  const turns = await takeTurns(entries, pace)
  for (const entry of entries) {
    const { variant, measured, connections, rows, target } = entry
    const runs = turns.get(entry) ?? []
    const peakMemory = target && treeMegabytes('VmHWM', target.pid, target.postgresPid)
    results.measurements.push({
      scenario,
      variant,
      measured,
      connections,
      rows,
      runs,
      peakMemory,
    })
  }
}

interface LoadEntry {
  readonly variant: string
  readonly measured: Measured
  readonly connections: number
  readonly target: Target
  readonly session: LoadSession
  /** Requests a second; null for as many as go. */
  readonly rate?: number
}

/** A server under load. */
export function loadEntry(entry: LoadEntry): Entry {
  const { variant, measured, connections, target, session, rate = null } = entry
  return {
    variant,
    measured,
    connections,
    rows: target.dataset.rows,
    target,
    run: async (timing) => runOfLoad(await session.run({ ...timing, connections, rate })),
  }
}

interface PgbenchEntry {
  readonly variant: string
  readonly operation: FloorOperation
  readonly connections: number
  readonly contender: Contender
}

/** The same statements without a server; null, and the reason written down, where that cannot be. */
export async function pgbenchEntry(
  bench: Bench,
  scenario: string,
  { variant, operation, connections, contender }: PgbenchEntry,
): Promise<Entry | null> {
  const { databaseUrl, target } = contender
  const omit = (reason: string): null => {
    bench.results.omissions.push({ scenario, what: 'pgbench', reason })
    return null
  }
  if (bench.pgbench === null) return omit('pgbench is not installed')
  if (databaseUrl === null) return omit('the database belongs to somebody else')
  let task: PgbenchTask
  try {
    // Here, so that a statement that cannot be had stops no other measurement.
    const { floorScript } = await import('../floors/floor-scripts.ts')
    const script = await floorScript(operation, target.dataset)
    task = { program: bench.pgbench, databaseUrl, postgresPid: target.postgresPid, script }
    await tryPgbench(task)
  } catch (error) {
    return omit(errorMessage(error))
  }
  return {
    variant,
    measured: 'pgbench',
    connections,
    rows: target.dataset.rows,
    target: null,
    run: ({ seconds }) => pgbenchTurn(task, connections, Math.max(1, Math.round(seconds))),
  }
}

async function pgbenchTurn(task: PgbenchTask, connections: number, seconds: number): Promise<Run> {
  const result = await runPgbench(task, { connections, seconds })
  const { transactions, postgresCpu } = result
  return {
    ...NOTHING,
    requests: Math.round(transactions),
    requestsPerSecond: transactions / result.seconds,
    postgresCpu: postgresCpu === null ? null : (postgresCpu * 1e6) / transactions,
  }
}

/** What pgbench does not say. */
const NOTHING: Run = {
  requests: 0,
  requestsPerSecond: 0,
  p50: null,
  p99: null,
  max: null,
  serverCpu: null,
  postgresCpu: null,
  generatorCpu: null,
  othersBusy: null,
  refused: 0,
  operations: [],
}
