import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { must } from '../../src/lib/assert.ts'
import { cpuSeconds } from '../measure/process-cpu.ts'
import { databaseOf } from '../servers/postgres-server.ts'
import { temporaryDirectory } from '../servers/temporary-directory.ts'
import type { PgbenchScript } from './pgbench-script.ts'

/** A script and the database that it runs in. */
export interface PgbenchTask {
  readonly program: string
  readonly databaseUrl: string
  readonly postgresPid: number | null
  readonly script: PgbenchScript
}

export interface PgbenchResult {
  readonly seconds: number
  readonly transactions: number
  /** CPU seconds of PostgreSQL; null where it is not on this machine. */
  readonly postgresCpu: number | null
}

interface Sample {
  readonly time: number
  readonly cpu: number | null
  /** Transactions since the sample before. */
  readonly transactions: number
}

let runs = 0

/** Far longer than is measured: it is ended when enough has been seen. */
const LONGEST_SECONDS = 600

/** Runs a script with prepared statements for whole seconds, after one of warming up. */
export async function runPgbench(
  task: PgbenchTask,
  { connections, seconds }: { readonly connections: number; readonly seconds: number },
): Promise<PgbenchResult> {
  const limits = [`--client=${connections}`, `--time=${LONGEST_SECONDS}`, '--progress=1']
  return between(await samplesOf(task, limits, seconds + 1))
}

/** Runs a script once; rejects with what pgbench says where it cannot. */
export async function tryPgbench(task: PgbenchTask): Promise<void> {
  await samplesOf(task, ['--client=1', '--transactions=1'], 0)
}

/** Ends pgbench when it has reported so often; 0 lets it end by itself. */
async function samplesOf(
  task: PgbenchTask,
  limits: readonly string[],
  enough: number,
): Promise<readonly Sample[]> {
  using directory = temporaryDirectory()
  const file = path.join(directory.path, 'script.sql')
  writeFileSync(file, task.script.text)
  const child = spawn(task.program, [...parameters(task, file), ...limits], {
    env: { PATH: process.env['PATH'], ...connectionSettings(new URL(task.databaseUrl)) },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const closed = once(child, 'close')
  const samples: Sample[] = []
  const said: string[] = []
  createInterface({ input: must(child.stderr, 'standard error') }).on('line', (line) => {
    const progress = /^progress: ([\d.]+) s, ([\d.]+) tps/.exec(line)
    if (progress === null) {
      said.push(line)
      return
    }
    const cpu = cpuSeconds(task.postgresPid)
    samples.push({ time: Number(progress[1]), cpu, transactions: Number(progress[2]) })
    if (samples.length === enough) child.kill('SIGTERM')
  })
  await closed
  if (samples.length < enough || (enough === 0 && child.exitCode !== 0)) {
    throw new Error(`pgbench failed: ${said.join('; ')}`)
  }
  return samples
}

function parameters({ script }: PgbenchTask, file: string): string[] {
  runs += 1
  const variables = { ...script.variables, i: '0', run: String(100_000 + runs) }
  return [
    '--no-vacuum',
    '--protocol=prepared',
    '--jobs=1',
    `--file=${file}`,
    ...Object.entries(variables).map(([name, value]) => `--define=${name}=${value}`),
  ]
}

function connectionSettings(url: URL): Record<string, string> {
  return {
    PGHOST: url.searchParams.get('host') ?? url.hostname,
    PGPORT: url.port === '' ? '5432' : url.port,
    PGUSER: decodeURIComponent(url.username),
    PGPASSWORD: decodeURIComponent(url.password),
    PGDATABASE: databaseOf(url.href),
  }
}

/** From the first line of progress to the last one: connecting and ending are not measured. */
function between(samples: readonly Sample[]): PgbenchResult {
  const [first, ...rest] = samples
  const last = rest.at(-1)
  if (first === undefined || last === undefined) throw new Error('two samples are needed')
  let time = first.time
  let transactions = 0
  for (const sample of rest) {
    transactions += sample.transactions * (sample.time - time)
    time = sample.time
  }
  const postgresCpu = first.cpu === null || last.cpu === null ? null : last.cpu - first.cpu
  return { seconds: last.time - first.time, transactions, postgresCpu }
}
