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

/** A script and its database. */
export interface PgbenchTask {
  readonly program: string
  readonly databaseUrl: string
  readonly postgresPid: number | null
  readonly script: PgbenchScript
}

export interface PgbenchResult {
  readonly seconds: number
  readonly transactions: number
  /** CPU seconds of PostgreSQL; null if it runs on another machine. */
  readonly postgresCpu: number | null
}

interface Reading {
  readonly time: number
  readonly cpu: number | null
  /** Transactions per second since the previous reading. */
  readonly tps: number
}

let processes = 0

/** Far longer than any sample: pgbench is stopped after enough readings. */
const MAX_SECONDS = 600

/** Runs a script with prepared statements for `seconds` after a second of warm-up. */
export async function runPgbench(
  task: PgbenchTask,
  { connections, seconds }: { readonly connections: number; readonly seconds: number },
): Promise<PgbenchResult> {
  const limits = [`--client=${connections}`, `--time=${MAX_SECONDS}`, '--progress=1']
  return between(await readProgress(task, limits, seconds + 1))
}

/** Runs a script once. Rejects with the output of pgbench if it fails. */
export async function tryPgbench(task: PgbenchTask): Promise<void> {
  await readProgress(task, ['--client=1', '--transactions=1'], 0)
}

/** Stops pgbench after `count` readings; with 0, waits for its exit. */
async function readProgress(
  task: PgbenchTask,
  limits: readonly string[],
  count: number,
): Promise<readonly Reading[]> {
  using directory = temporaryDirectory()
  const file = path.join(directory.path, 'script.sql')
  writeFileSync(file, task.script.text)
  const child = spawn(task.program, [...parameters(task, file), ...limits], {
    env: { PATH: process.env['PATH'], ...connectionSettings(new URL(task.databaseUrl)) },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const closed = once(child, 'close')
  const readings: Reading[] = []
  const output: string[] = []
  createInterface({ input: must(child.stderr, 'standard error') }).on('line', (line) => {
    const progress = /^progress: ([\d.]+) s, ([\d.]+) tps/.exec(line)
    if (progress === null) {
      output.push(line)
      return
    }
    const cpu = cpuSeconds(task.postgresPid)
    readings.push({ time: Number(progress[1]), cpu, tps: Number(progress[2]) })
    if (readings.length === count) child.kill('SIGTERM')
  })
  await closed
  if (readings.length < count || (count === 0 && child.exitCode !== 0)) {
    throw new Error(`pgbench failed: ${output.join('; ')}`)
  }
  return readings
}

function parameters({ script }: PgbenchTask, file: string): string[] {
  processes += 1
  const variables = { ...script.variables, i: '0', run: String(100_000 + processes) }
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

/** The period from the first to the last reading, which leaves out connecting and disconnecting. */
function between(readings: readonly Reading[]): PgbenchResult {
  const [first, ...rest] = readings
  const last = rest.at(-1)
  if (first === undefined || last === undefined)
    throw new Error('pgbench reported less than two readings')
  let time = first.time
  let transactions = 0
  for (const reading of rest) {
    transactions += reading.tps * (reading.time - time)
    time = reading.time
  }
  const postgresCpu = first.cpu === null || last.cpu === null ? null : last.cpu - first.cpu
  return { seconds: last.time - first.time, transactions, postgresCpu }
}
