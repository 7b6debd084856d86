import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { ratioOf, shownSpread, spreadOf } from '../measure/statistics.ts'
import { markdownTable } from '../results/markdown-table.ts'
import { buildCheckout, startFlotillaServer } from '../servers/flotilla-server.ts'
import { type Client, connectClient } from '../servers/http-client.ts'
import { openPostgresServer } from '../servers/postgres-server.ts'
import { type Sink, startSink } from '../servers/start-sink.ts'
import { ROOT } from '../servers/root.ts'

const WRITERS = 16
const CLUSTERS = 400
const ENV = {
  ROLE: 'all',
  LOG_LEVEL: 'warn',
  OUTGOING_WEBHOOK_ALLOWED_HOSTS: 'http://127.0.0.1',
}

/** The webhooks during the writes: none, or one with these fields. */
const CASES: Readonly<Record<string, object | null>> = {
  'no webhook': null,
  'a search without matches': { search: "labels.none = 'x'" },
  'queued, not sent': { state: 'paused' },
  'queued and sent': {},
}

/**
 * Measures writes per second without and with webhooks, in turns, and then how fast a backlog is
 * sent to a receiver in this process.
 */
export async function measureWebhooks(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      rounds: { type: 'string', default: '3' },
      seconds: { type: 'string', default: '4' },
    },
  })
  await buildCheckout(ROOT)
  await using postgres = await openPostgresServer()
  const databaseUrl = await postgres.create()
  await using server = await startFlotillaServer({
    root: ROOT,
    databaseUrl,
    env: ENV,
  })
  await using client = connectClient(server.origin, WRITERS)
  await using receiver = await startSink()
  const ids = await createClusters(client)
  const rates = new Map<string, number[]>(Object.keys(CASES).map((name) => [name, []]))
  const drained: number[] = []
  for (let round = 0; round < Number(values.rounds); round += 1) {
    for (const [name, fields] of Object.entries(CASES)) {
      const path = fields && (await subscribe(client, { url: `${receiver.url}/`, ...fields }))
      rates.get(name)?.push(await writesPerSecond(client, ids, Number(values.seconds)))
      if (path === null) continue
      const isPaused = name === 'queued, not sent'
      if (isPaused) drained.push(await drainedPerSecond(client, path, receiver))
      await client.request('DELETE', path)
    }
  }
  print(rates, drained)
}

async function createClusters(client: Client): Promise<readonly string[]> {
  const ids: string[] = []
  for (let index = 0; index < CLUSTERS; index += 1) {
    const body = { kind: 'Cluster', name: `hooked-${index}`, spec: { text: 'x'.repeat(1024) } }
    const { text } = await client.request('POST', '/clusters', body)
    ids.push(JSON.parse(text).id)
  }
  return ids
}

async function subscribe(client: Client, fields: object): Promise<string> {
  const { status, text } = await client.request('POST', '/webhooks', fields)
  if (status !== 201) throw new Error(`no webhook: ${text}`)
  return `/webhooks/${JSON.parse(text).id}`
}

async function writesPerSecond(
  client: Client,
  ids: readonly string[],
  seconds: number,
): Promise<number> {
  const start = performance.now()
  const end = start + seconds * 1000
  let writes = 0
  const write = async (first: number): Promise<void> => {
    for (let index = first; performance.now() < end; index += WRITERS) {
      const path = `/clusters/${ids[index % ids.length]}`
      const { status } = await client.request('PATCH', path, { labels: { n: String(index) } })
      if (status === 200) writes += 1
    }
  }
  await Promise.all(Array.from({ length: WRITERS }, (_, first) => write(first)))
  return writes / ((performance.now() - start) / 1000)
}

/** Activates a webhook and waits until all of its pending events have arrived. */
async function drainedPerSecond(client: Client, path: string, receiver: Sink): Promise<number> {
  const pending = async (): Promise<number> =>
    JSON.parse((await client.request('GET', path)).text).pending_deliveries
  // The last changes are queued shortly after their writes.
  await sleep(1000)
  const before = receiver.count()
  const start = performance.now()
  await client.request('PATCH', path, { state: 'active' })
  while ((await pending()) > 0) await sleep(50)
  return (receiver.count() - before) / ((performance.now() - start) / 1000)
}

function print(rates: ReadonlyMap<string, readonly number[]>, drained: readonly number[]): void {
  const baseline = rates.get('no webhook') ?? []
  const rows = Array.from(rates, ([name, samples]) => [
    name,
    shownSpread(spreadOf(samples), 0),
    shownSpread(ratioOf(samples, baseline), 2),
  ])
  console.log(markdownTable(['Webhook', 'Writes per second', 'Ratio'], rows))
  console.log(`\nEvents sent per second from a backlog: ${shownSpread(spreadOf(drained), 0)}`)
}
