import { parseArgs } from 'node:util'
import { must } from '../../src/lib/assert.ts'
import { createLifecycle } from '../../src/lib/async/lifecycle.ts'
import { cpuSeconds } from '../measure/process-cpu.ts'
import { ratioOf, shownSpread, spreadOf } from '../measure/statistics.ts'
import { markdownTable } from '../results/markdown-table.ts'
import {
  buildCheckout,
  type FlotillaServer,
  startFlotillaServer,
} from '../servers/flotilla-server.ts'
import { type Client, connectClient } from '../servers/http-client.ts'
import { openPostgresServer } from '../servers/postgres-server.ts'
import { ROOT } from '../servers/root.ts'
import { startSink } from '../servers/start-sink.ts'
import { sendAll } from '../servers/send-all.ts'

const CONNECTIONS = 16
const ENV = { ROLE: 'api', LOG_LEVEL: 'warn' }

/** The settings of each server. The collector's address is added to those that trace. */
const CASES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  off: {},
  'slow-query log and rate limits': { SLOW_QUERY_MS: '10000', RATE_LIMITS: 'reads=1000000' },
  'traces of 1 %': { OTEL_TRACES_SAMPLER: 'traceidratio', OTEL_TRACES_SAMPLER_ARG: '0.01' },
  'all traces': { OTEL_TRACES_SAMPLER: 'always_on' },
}

interface Subject {
  readonly name: string
  readonly server: FlotillaServer
  readonly client: Client
}

/**
 * Measures the CPU time of gets of a cluster on servers with different settings, in turns. CPU time
 * is less sensitive to other processes than the rate of requests.
 */
export async function measureObservability(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      rounds: { type: 'string', default: '5' },
      requests: { type: 'string', default: '5000' },
    },
  })
  await buildCheckout(ROOT)
  await using postgres = await openPostgresServer()
  await using collector = await startSink()
  await using lifecycle = createLifecycle((_name, error) => console.error(error))
  const databaseUrl = await postgres.create()
  const subjects: Subject[] = []
  for (const [name, settings] of Object.entries(CASES)) {
    const isTraced = 'OTEL_TRACES_SAMPLER' in settings
    const env = {
      ...ENV,
      ...settings,
      ...(isTraced && { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url }),
    }
    const options = { root: ROOT, databaseUrl, env }
    const server = await startFlotillaServer(options)
    lifecycle.onClose(name, () => server[Symbol.asyncDispose]())
    const client = connectClient(server.origin, CONNECTIONS)
    lifecycle.onClose(`client of ${name}`, () => client[Symbol.asyncDispose]())
    subjects.push({ name, server, client })
  }
  const path = await createCluster(must(subjects[0], 'a server').client)
  const requests = Number(values.requests)
  const costs = new Map<string, number[]>(subjects.map(({ name }) => [name, []]))
  for (const { client } of subjects) await sendGets(client, path, requests)
  for (let round = 0; round < Number(values.rounds); round += 1) {
    for (const { name, server, client } of round % 2 === 0 ? subjects : subjects.toReversed()) {
      const before = cpuSeconds(server.pid) ?? 0
      await sendGets(client, path, requests)
      costs.get(name)?.push((((cpuSeconds(server.pid) ?? 0) - before) * 1e6) / requests)
    }
  }
  print(costs)
}

async function createCluster(client: Client): Promise<string> {
  const body = { kind: 'Cluster', name: 'observed', spec: { text: 'x'.repeat(1024) } }
  const { text } = await client.request('POST', '/clusters', body)
  return `/clusters/${JSON.parse(text).id}`
}

async function sendGets(client: Client, path: string, count: number): Promise<void> {
  await sendAll({ count, connections: CONNECTIONS }, () => client.request('GET', path))
}

function print(costs: ReadonlyMap<string, readonly number[]>): void {
  const off = costs.get('off') ?? []
  const rows = Array.from(costs, ([name, values]) => [
    name,
    shownSpread(spreadOf(values), 0),
    shownSpread(ratioOf(values, off), 2),
  ])
  console.log(markdownTable(['Settings', 'CPU time of a get in µs', 'Ratio to off'], rows))
}
