import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { must } from '../../src/lib/assert.ts'
import { migrateAndSeed } from '../data/migrate-and-seed.ts'
import { cpuSeconds } from '../measure/process-cpu.ts'
import { quantileOf } from '../measure/statistics.ts'
import { markdownTable } from '../results/markdown-table.ts'
import { buildCheckout, startFlotillaServer } from '../servers/flotilla-server.ts'
import { openPostgresServer } from '../servers/postgres-server.ts'
import { ROOT } from '../servers/root.ts'
import type { Cpu } from './cpu.ts'
import { findByLease, findByPolling, type Found, sender } from './find-work.ts'
import { reportWork } from './report-work.ts'

const ROWS = { full: 50_000, quick: 5000 }
const DATASET = {
  seed: 1,
  specBytes: [1000, 1000],
  reports: false,
  nodePoolsPerCluster: 0,
} as const
const WORKERS = 4
const IDLE_SECONDS = 20
const IDLE_WAIT_SECONDS = 10
const NEW_CLUSTERS = 50

/** Compares an adapter that leases its work with one that polls lists. */
export async function measureAdapterWork(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({ args: [...args], options: { quick: { type: 'boolean' } } })
  const rows = values.quick === true ? ROWS.quick : ROWS.full
  await buildCheckout(ROOT)
  await using postgres = await openPostgresServer()
  const databaseUrl = await postgres.create()
  await migrateAndSeed(databaseUrl, { ...DATASET, rows })
  await using server = await startFlotillaServer({
    root: ROOT,
    databaseUrl,
    env: { HYPERFLEET_CLUSTER_ADAPTERS: '["dns"]', LOG_LEVEL: 'error', AUTH_DISABLED: 'true' },
  })
  const send = sender(server.origin)
  const cpu = (): number => must(cpuSeconds(server.pid), 'the CPU time of the server')
  const database = (): number => must(cpuSeconds(postgres.pid, server.pid), 'CPU of PostgreSQL')
  const withCpu = async (name: string, run: () => Promise<Found>): Promise<readonly string[]> => {
    const [api, sql] = [cpu(), database()]
    const found = await run()
    return rowOf(name, found, { api: cpu() - api, sql: database() - sql })
  }
  const table = [
    await withCpu('poll: all pages of one search', () => findByPolling(send)),
    await withCpu('lease: first drain, which also fills the queue', () =>
      findByLease(send, WORKERS),
    ),
  ]
  await release(databaseUrl)
  table.push(await withCpu('lease: drain of a filled queue', () => findByLease(send, WORKERS)))
  table.push(await withCpu('poll: once more', () => findByPolling(send)))
  console.log(`${rows} due clusters, ${WORKERS} workers that lease, pages of 100\n`)
  console.log(markdownTable(HEAD, table))
  await release(databaseUrl)
  await reportWork(send, { cpu, database }, rows)
  await findByLease(send, WORKERS)
  await idle(send, { cpu, database })
  await reactions(send)
}

const HEAD = [
  'Way',
  'Found',
  'Requests',
  'Seconds',
  'Items/s',
  'p50 ms',
  'p99 ms',
  'MB',
  'API CPU s',
  'PostgreSQL CPU s',
]

function rowOf(
  name: string,
  { items, requests, seconds, bytes, latencies }: Found,
  cpu: { readonly api: number; readonly sql: number },
): readonly string[] {
  const rate = Math.round(items / seconds)
  return [
    name,
    ...[items, requests].map(String),
    seconds.toFixed(1),
    String(rate),
    quantileOf(latencies, 0.5).toFixed(1),
    quantileOf(latencies, 0.99).toFixed(1),
    (bytes / 1e6).toFixed(0),
    cpu.api.toFixed(2),
    cpu.sql.toFixed(2),
  ]
}

/** Ends all leases, so that all resources are due again. */
async function release(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query('update adapter_work set wake_time = now(), attempts = 0')
  await client.query('vacuum analyze adapter_work')
  await client.end()
}

/** Measures an idle adapter: long polls, and a search every second. */
async function idle(send: ReturnType<typeof sender>, { cpu, database }: Cpu): Promise<void> {
  const end = (): number => performance.now() + IDLE_SECONDS * 1000
  const measure = async (name: string, step: () => Promise<unknown>): Promise<void> => {
    const [api, sql, until] = [cpu(), database(), end()]
    let requests = 0
    while (performance.now() < until) {
      await step()
      requests += 1
    }
    const share = ((cpu() - api + database() - sql) / IDLE_SECONDS) * 1000
    console.log(
      `idle, ${name}: ${requests} requests in ${IDLE_SECONDS} s, ${share.toFixed(1)} ms of CPU per second`,
    )
  }
  await measure('one long poll', () =>
    send('POST', '/adapters/dns/lease', {
      body: { kinds: ['Cluster'], waitSeconds: IDLE_WAIT_SECONDS },
    }),
  )
  const search = encodeURIComponent("status.conditions.DnsSuccessful = 'Unknown'")
  await measure('a search every second', async () => {
    await send('GET', `/clusters?search=${search}`)
    await sleep(1000)
  })
}

/** Milliseconds from the response to a create until the waiting worker has the resource. */
async function reactions(send: ReturnType<typeof sender>): Promise<void> {
  const delays: number[] = []
  for (let count = 0; count < NEW_CLUSTERS; count += 1) {
    const waiting = send('POST', '/adapters/dns/lease', {
      body: { kinds: ['Cluster'], waitSeconds: 30 },
    })
    await sleep(50)
    const start = performance.now()
    await send('POST', '/clusters', { body: { kind: 'Cluster', name: `new-${count}`, spec: {} } })
    await waiting
    delays.push(performance.now() - start)
  }
  const [median, p90] = [0.5, 0.9].map((share) => quantileOf(delays, share).toFixed(1))
  console.log(`from a create to its lease: median ${median} ms, p90 ${p90} ms`)
}
