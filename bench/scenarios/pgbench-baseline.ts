import { errorMessage } from '../../src/lib/error-message.ts'
import type { BaselineOperation } from '../baselines/baseline-scripts.ts'
import { type PgbenchTask, runPgbench, tryPgbench } from '../baselines/run-pgbench.ts'
import type { Sample } from '../results/measurement.ts'
import type { ServerUnderTest } from '../servers/server-under-test.ts'
import type { Bench } from './bench.ts'
import type { Subject } from './measure-in-rounds.ts'

interface PgbenchBaseline {
  readonly variant: string
  readonly operation: BaselineOperation
  readonly connections: number
  /** The server whose database pgbench runs in. */
  readonly server: ServerUnderTest
}

/** The statements of an operation without a server. Records an omission and returns null if pgbench cannot run them. */
export async function pgbenchBaseline(
  bench: Bench,
  scenario: string,
  { variant, operation, connections, server }: PgbenchBaseline,
): Promise<Subject | null> {
  const { databaseUrl, target } = server
  const omit = (reason: string): null => {
    bench.results.omissions.push({ scenario, what: 'pgbench', reason })
    return null
  }
  if (bench.pgbench === null) return omit('pgbench is not installed')
  let task: PgbenchTask
  try {
    // Imported lazily: if the storage layer changes incompatibly, only this baseline is omitted.
    const { baselineScript } = await import('../baselines/baseline-scripts.ts')
    const script = await baselineScript(operation, target.dataset)
    task = { program: bench.pgbench, databaseUrl, postgresPid: target.postgresPid, script }
    await tryPgbench(task)
  } catch (error) {
    return omit(errorMessage(error))
  }
  return {
    variant,
    name: 'pgbench',
    connections,
    rows: target.dataset.rows,
    target: null,
    sample: ({ seconds }) => samplePgbench(task, connections, Math.max(1, Math.round(seconds))),
  }
}

async function samplePgbench(
  task: PgbenchTask,
  connections: number,
  seconds: number,
): Promise<Sample> {
  const result = await runPgbench(task, { connections, seconds })
  const { transactions, postgresCpu } = result
  return {
    ...UNKNOWN,
    requests: Math.round(transactions),
    requestsPerSecond: transactions / result.seconds,
    postgresCpu: postgresCpu === null ? null : (postgresCpu * 1e6) / transactions,
  }
}

/** The figures that pgbench does not report. */
const UNKNOWN: Sample = {
  requests: 0,
  requestsPerSecond: 0,
  p50: null,
  p99: null,
  max: null,
  serverCpu: null,
  postgresCpu: null,
  generatorCpu: null,
  otherCpus: null,
  rejected: 0,
  operations: [],
}
