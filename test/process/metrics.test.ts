import { execFileSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { packageVersion } from '../../src/lib/package-version.ts'
import { availableReport } from '../statuses/available-report.ts'
import { creation, queryDatabase } from '../support/fixtures.ts'
import { lintMetrics, type Metric, parseMetrics } from './metrics-lint.ts'
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts'
import { startTestServer, type TestServer } from '../support/test-server.ts'
import { metricOf } from '../watch/watch-client.ts'

const FORMER_PREFIX = /^flotilla_(?=process_|nodejs_)/

/** Metrics that only servers of shards expose. */
const OF_SHARDS: readonly string[] = ['flotilla_shard_forwarded_total']

/** Metrics whose labels depend on the activity of the process. */
const OCCASIONAL = ['nodejs_active_requests', 'nodejs_active_handles', 'nodejs_gc_duration_seconds']

let database: TestDatabase
let server: TestServer
let scrape: string
let metrics: readonly Metric[]

beforeAll(async () => {
  database = await createTestDatabase()
  const env = {
    ROLE: 'all',
    SLOW_QUERY_MS: '1',
    // A database is up to date with itself.
    DATABASE_REPLICA_URLS: database.url,
    DATABASE_OPTIONS: 'replica-reads=stale',
  }
  server = await startTestServer({
    databaseUrl: database.url,
    env,
    config: { revision: 'abc123' },
  })
  const { host, searchParams } = new URL(database.url)
  const replica = `1:${searchParams.get('host') ?? host}`
  const served = `flotilla_replica_reads_total{replica="${replica}",outcome="served"}`
  // A replica serves no reads before its first probe, nor while a probe is late.
  while ((await metricOf(server, served)) === 0) {
    await server.get('/clusters')
    await sleep(20)
  }
  await work(server)
  scrape = await (await fetch(`${server.metricsOrigin}/metrics`)).text()
  metrics = parseMetrics(scrape)
})
afterAll(async () => {
  await server[Symbol.asyncDispose]()
  await database[Symbol.asyncDispose]()
})

/** Makes requests so that every metric has a sample. */
async function work({ post, get, origin, request }: TestServer): Promise<void> {
  const { body } = await post('/clusters', creation('Cluster'))
  const cluster = `/clusters/${body.id}`
  await get(cluster)
  await get(`${cluster}/snapshot`)
  await get('/nowhere')
  await post(`${cluster}/statuses`, availableReport('dns', 1))
  await post(`${cluster}/statuses`, availableReport('dns', 0))
  await deleteNamespace(origin)
  const watching = new AbortController()
  const url = `${origin}/api/hyperfleet/v1/clusters?watch=true`
  const watch = await fetch(url, { signal: watching.signal })
  await watch.body?.getReader().read()
  watching.abort()
  await queryDatabase(server, 'drop table idempotency_keys')
  const headers = { 'Content-Type': 'application/json', 'Idempotency-Key': 'fails' }
  const failed = await request('POST', '/clusters', creation('Cluster'), headers)
  expect(failed.status).toBe(500)
  while ((await metricOf(server, 'flotilla_watches_ended_total{reason="client"}')) === 0) {
    await sleep(20)
  }
}

/** Makes work for a controller, and waits for it. */
async function deleteNamespace(origin: string): Promise<void> {
  const namespaces = `${origin}/clusters/root/control-plane/api/v1/namespaces`
  const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'short' } }
  const headers = { 'Content-Type': 'application/json' }
  await fetch(namespaces, { method: 'POST', headers, body: JSON.stringify(namespace) })
  await fetch(`${namespaces}/short`, { method: 'DELETE' })
  const reconciles = 'flotilla_reconciles_total{controller="namespaces",result="succeeded"}'
  while ((await metricOf(server, reconciles)) === 0) await sleep(20)
}

/** The rows of docs/metrics.md. */
async function documented(): Promise<readonly Pick<Metric, 'name' | 'type' | 'labels'>[]> {
  const page = await readFile(new URL('../../docs/metrics.md', import.meta.url), 'utf8')
  return page.split('\n').flatMap((line) => {
    const [, first = '', type = '', labels = ''] = line.split('|').map((cell) => cell.trim())
    const [, name] = /^`([a-z_0-9]+)`$/.exec(first) ?? []
    if (name === undefined || OF_SHARDS.includes(name)) return []
    return [{ name, type, labels: new Set([...labels.matchAll(/\w+/g)].map(([label]) => label)) }]
  })
}

describe('docs/metrics.md', () => {
  it('lists exactly the metrics that a server exposes, with their types', async () => {
    const exposed = metrics.filter(({ name }) => !FORMER_PREFIX.test(name))
    const rows = (list: readonly Pick<Metric, 'name' | 'type'>[]): readonly string[] =>
      list.map(({ name, type }) => `${name} ${type}`).toSorted()
    expect(rows(await documented())).toEqual(rows(exposed))
  })

  it('lists the labels of each metric', async () => {
    const rows = (await documented()).filter(({ name }) => !OCCASIONAL.includes(name))
    const found = new Map(metrics.map(({ name, labels }) => [name, labels]))
    for (const { name, labels } of rows) expect([name, found.get(name)]).toEqual([name, labels])
  })

  it('mentions only existing metrics', async () => {
    const page = await readFile(new URL('../../docs/metrics.md', import.meta.url), 'utf8')
    const exposed = metrics.flatMap(({ name, samples }) => [name, ...samples])
    const names = new Set([...exposed, ...OF_SHARDS])
    const mentioned = [...page.matchAll(/\bflotilla_\w+/g)].map(([name]) => name)
    expect(mentioned.filter((name) => name !== 'flotilla_' && !names.has(name))).toEqual([])
  })
})

describe('the metrics of a server that has worked', () => {
  it('follow the naming rules of Prometheus', () => {
    expect(lintMetrics(metrics)).toEqual([])
  })

  it.skipIf(!hasPromtool())('pass promtool check metrics', () => {
    expect(() => execFileSync('promtool', ['check', 'metrics'], { input: scrape })).not.toThrow()
  })

  it('show the build, with the revision if it is set', () => {
    const node = process.version
    const labels = `version="${packageVersion()}",revision="abc123",node="${node}"`
    expect(scrape).toContain(`\nflotilla_build_info{${labels}} 1\n`)
  })

  it('show the process under its standard names, and under the former ones', () => {
    const names = metrics.map(({ name }) => name)
    const standard = names.filter((name) => /^(?:process|nodejs)_/.test(name))
    expect(standard).toEqual(
      expect.arrayContaining([
        'process_cpu_seconds_total',
        'process_resident_memory_bytes',
        'nodejs_eventloop_lag_seconds',
      ]),
    )
    const former = names.filter((name) => FORMER_PREFIX.test(name))
    expect(former).toEqual(standard.map((name) => `flotilla_${name}`))
  })
})

describe('lintMetrics', () => {
  it.each([
    ['# HELP a_total A.\n# TYPE a_total gauge\na_total 1', '_total is for counters'],
    ['# HELP a A.\n# TYPE a counter\na 1', '_total is for counters'],
    ['# HELP a_ms A.\n# TYPE a_ms gauge\na_ms 1', 'not in a base unit'],
    ['# HELP a_milliseconds A.\n# TYPE a_milliseconds gauge\na_milliseconds 1', 'not in seconds'],
    ['# HELP aB A.\n# TYPE aB gauge\naB 1', 'not in snake_case'],
    ['# HELP a A.\n# TYPE a gauge\na{bC="1"} 1', 'not in snake_case'],
    ['# HELP a A.\n# TYPE a gauge\na 1\n# HELP a A.\n# TYPE a gauge\na 1', 'appears twice'],
  ])('finds what is wrong with %j', (text, problem) => {
    expect(lintMetrics(parseMetrics(text)).join('\n')).toContain(problem)
  })
})

function hasPromtool(): boolean {
  try {
    execFileSync('promtool', ['--version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}
