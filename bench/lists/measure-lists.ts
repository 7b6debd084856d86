import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { must } from '../../src/lib/assert.ts'
import { BASE_PATH } from '../../src/hyperfleet/paths/base-path.ts'
import { integer } from '../command/options.ts'
import { migrateAndSeed } from '../data/migrate-and-seed.ts'
import { cpuSeconds } from '../measure/process-cpu.ts'
import { quantileOf } from '../measure/statistics.ts'
import { markdownTable } from '../results/markdown-table.ts'
import {
  buildCheckout,
  type FlotillaServer,
  startFlotillaServer,
} from '../servers/flotilla-server.ts'
import { openPostgresServer, type PostgresServer } from '../servers/postgres-server.ts'
import { ROOT } from '../servers/root.ts'
import { openWatchConnection } from '../watch/watch-connection.ts'

const DATASET = {
  seed: 1,
  specBytes: [1024, 1024],
  nodePoolsPerCluster: 0,
} as const
/** Three indexes for the field of specs, and one for the order. */
const INDEXED = { fields: 'Cluster:spec.version,Cluster:updated_time', indexes: 4 }
/** Requests for which PostgreSQL reads the whole table without an index. */
const SLOW = new Set(['orderBy=updated_time', "spec.version='4.15.7'", "spec.version='none'"])
const MAX_SLOW_REQUESTS = 3
const POLL_MS = 1000

/** The parameters of lists of 20 clusters, by the name of the request. */
function requestsOf(rows: number): Readonly<Record<string, Readonly<Record<string, string>>>> {
  const pages = Math.ceil(rows / 20)
  const search = (text: string) => [text, { search: text }] as const
  return {
    'first page': {},
    'page in the middle, by number': { page: String(Math.ceil(pages / 2)) },
    'last page, by number': { page: String(pages) },
    ...Object.fromEntries([
      search("status.conditions.PullsecretSuccessful='False'"),
      search("labels.environment='dev'"),
      search("name like '%99%'"),
      search("spec.version='4.15.7'"),
      search("spec.version='none'"),
    ]),
    'orderBy=updated_time': { orderBy: 'updated_time' },
  }
}

/**
 * Measures lists of a large fleet without and with declared indexes, the time of their build, and the
 * initial state of a watch.
 */
export async function measureLists(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      rows: { type: 'string', default: '1000000' },
      requests: { type: 'string', default: '20' },
      reports: { type: 'boolean', default: false },
    },
  })
  const rows = integer('rows', values.rows, 1)
  const requests = integer('requests', values.requests, 1)
  await buildCheckout(ROOT)
  await using postgres = await openPostgresServer()
  const databaseUrl = await postgres.create()
  const start = performance.now()
  await migrateAndSeed(databaseUrl, { ...DATASET, rows, reports: values.reports })
  console.log(`${rows} clusters in ${seconds(start)} s, ${postgres.version}\n`)
  for (const fields of ['', INDEXED.fields]) {
    await using server = await startFlotillaServer({
      root: ROOT,
      databaseUrl,
      env: { LOG_LEVEL: 'error', AUTH_DISABLED: 'true', WORKERS: '0', INDEXED_FIELDS: fields },
    })
    const measured = {
      server,
      postgres,
      requests: fields === '' ? slowly(requests) : () => requests,
    }
    if (fields !== '') await buildIndexes(measured, databaseUrl)
    console.log(`INDEXED_FIELDS=${fields}\n`)
    console.log(markdownTable(HEAD, await measureRequests(measured, requestsOf(rows))))
    await measureWatch(measured, rows)
  }
}

const HEAD = ['Request', 'Requests', 'API CPU ms', 'PostgreSQL CPU ms', 'p50 ms', 'Total']

interface Measured {
  readonly server: FlotillaServer
  readonly postgres: PostgresServer
  /** The number of requests by their name. */
  readonly requests: (name: string) => number
}

const slowly = (requests: number) => (name: string) =>
  SLOW.has(name) ? Math.min(requests, MAX_SLOW_REQUESTS) : requests

const seconds = (start: number): string => ((performance.now() - start) / 1000).toFixed(1)

/** The CPU milliseconds of the server and of PostgreSQL so far. */
function cpuOf({ server, postgres }: Measured): { readonly api: number; readonly sql: number } {
  const milliseconds = (pid: number | null, except: number | null = null): number =>
    must(cpuSeconds(pid, except), 'the CPU time of a local process') * 1000
  return { api: milliseconds(server.pid), sql: milliseconds(postgres.pid, server.pid) }
}

async function buildIndexes(measured: Measured, databaseUrl: string): Promise<void> {
  const [start, before] = [performance.now(), cpuOf(measured)]
  for (;;) {
    const [row] = await measured.postgres.run(
      databaseUrl,
      `select count(*)::integer as count from pg_index join pg_class on pg_class.oid = indexrelid
       where relname like 'resources_declared_%' and indisvalid`,
    )
    if (row?.['count'] === INDEXED.indexes) break
    await sleep(POLL_MS)
  }
  const cpu = ((cpuOf(measured).sql - before.sql) / 1000).toFixed(1)
  console.log(`\n${INDEXED.indexes} indexes in ${seconds(start)} s, ${cpu} s of PostgreSQL's CPU\n`)
}

async function measureRequests(
  measured: Measured,
  requests: ReturnType<typeof requestsOf>,
): Promise<string[][]> {
  const table: string[][] = []
  for (const [name, parameters] of Object.entries(requests)) {
    const query = new URLSearchParams({ pageSize: '20', ...parameters }).toString()
    const url = `${measured.server.origin}${BASE_PATH}/clusters?${query}`
    const count = measured.requests(name)
    let total = await totalOf(url)
    const before = cpuOf(measured)
    const latencies: number[] = []
    for (let request = 0; request < count; request += 1) {
      const start = performance.now()
      total = await totalOf(url)
      latencies.push(performance.now() - start)
    }
    const { api, sql } = cpuOf(measured)
    const figures = [(api - before.api) / count, (sql - before.sql) / count]
    const shown = [...figures, quantileOf(latencies, 0.5)].map((value) => value.toFixed(1))
    table.push([name, String(count), ...shown, total])
  }
  return table
}

interface Totals {
  readonly total?: number
  readonly total_is_estimate?: boolean
}

/** The total of a list, or the status of a request that failed. */
async function totalOf(url: string): Promise<string> {
  const response = await fetch(url)
  const body: Totals = JSON.parse(await response.text())
  if (!response.ok) return `status ${response.status}`
  return body.total_is_estimate === true ? `about ${body.total}` : String(body.total)
}

async function measureWatch(measured: Measured, rows: number): Promise<void> {
  const [start, before] = [performance.now(), cpuOf(measured)]
  using watch = openWatchConnection({
    origin: measured.server.origin,
    path: '/clusters?watch=true',
  })
  let first: string | null = null
  watch.onChange = () => {
    first ??= (performance.now() - start).toFixed(0)
  }
  await watch.started
  const { api, sql } = cpuOf(measured)
  const perEvent = [api - before.api, sql - before.sql].map((ms) => ((ms * 1000) / rows).toFixed(0))
  console.log(
    `\nwatch without a resource version: first event after ${first} ms, ${watch.changes} events in ` +
      `${seconds(start)} s, ${perEvent.join(' + ')} us of CPU per event (API + PostgreSQL)\n`,
  )
}
