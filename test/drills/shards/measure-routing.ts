import { must } from '../../../src/lib/assert.ts'
import { placeTenant } from '../../../src/shards/storage/directory.ts'
import { openTestDatabase } from '../../support/open-test-database.ts'
import { withDatabase } from '../typescript-sdk/with-database.ts'
import { closedLoop, type LoopRequest, type LoopResult } from './closed-loop.ts'
import { SHARD_NAMES, type ShardedServers, startShardedServers } from './sharded-servers.ts'

const API = '/api/hyperfleet/v1'
const CLUSTERS = 2000
const BULK = 500
/** The clusters of the requests: few, so that every cache has them. */
const WARM = 50
const SECONDS = 2
const ROUNDS = 3
const CONNECTIONS = 8
const SYSTEM = { 'X-HyperFleet-System': 'true' }

type Print = (line: string) => void

interface Variant {
  readonly name: string
  readonly next: () => LoopRequest
}

/** Compares requests to the shard of their tenant with forwarded and merged ones, in one run. */
export async function measureRouting(print: Print): Promise<void> {
  await withDatabase(async (postgresUrl) => {
    await using servers = await startShardedServers(postgresUrl)
    const ids = await seed(servers)
    const own = originOf(servers, 0)
    const other = originOf(servers, 1)
    const anyId = (): string => must(ids[Math.floor(Math.random() * ids.length)], 'an id')
    const tenant = { 'X-Tenant-Org': 'a' }
    const through = (make: (origin: string) => LoopRequest): readonly Variant[] => [
      { name: 'at its shard', next: () => make(own) },
      { name: 'forwarded', next: () => make(other) },
    ]
    const measure = (name: string, variants: readonly Variant[]): Promise<void> =>
      compare(servers, { name, variants }, print)
    await measure(
      'get',
      through((origin) => ({ url: `${origin}${API}/clusters/${anyId()}`, headers: tenant })),
    )
    await measure(
      'create',
      through((origin) => ({
        url: `${origin}${API}/clusters`,
        method: 'POST',
        headers: tenant,
        body: JSON.stringify({ kind: 'Cluster', name: newName(), spec: { size: 3 } }),
      })),
    )
    await measure(
      'report of a system',
      through((origin) => ({
        url: `${origin}${API}/clusters/${anyId()}/statuses`,
        method: 'POST',
        headers: SYSTEM,
        body: JSON.stringify(REPORT),
      })),
    )
    const list = (query: string): LoopRequest => ({
      url: `${own}${API}/clusters?pageSize=20${query}`,
      headers: SYSTEM,
    })
    await measure('list of 20', [
      { name: 'one shard', next: () => list('&shard=a') },
      { name: 'merged from 4', next: () => list('') },
      { name: 'merged, page 25', next: () => list('&page=25') },
    ])
    await moveOnce(servers, print)
  })
}

const REPORT = {
  adapter: 'validator',
  observed_generation: 1,
  observed_time: '2026-01-01T00:00:00Z',
  conditions: [{ type: 'Available', status: 'True', reason: 'Works', message: 'It works' }],
}

let names = 0
function newName(): string {
  names += 1
  return `n${names}`
}

function originOf({ shards }: ShardedServers, index: number): string {
  return must(shards[index], 'a shard').origin
}

/** Creates clusters of one tenant in each shard. Returns the IDs of those of the first. */
async function seed(servers: ShardedServers): Promise<readonly string[]> {
  await using directory = openTestDatabase(servers.directoryUrl)
  for (const shard of SHARD_NAMES) {
    await placeTenant(directory, JSON.stringify({ org: shard }), shard)
    for (let count = 0; count < CLUSTERS; count += BULK) {
      const items = Array.from({ length: BULK }, () => ({
        kind: 'Cluster',
        name: newName(),
        spec: { size: 3, note: 'x'.repeat(500) },
        labels: { env: 'prod' },
      }))
      const answer = await fetch(`${originOf(servers, 0)}${API}/clusters/bulk`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', 'X-Tenant-Org': shard },
        body: JSON.stringify({ items }),
      })
      if (!answer.ok) throw new Error(`bulk: ${answer.status} ${await answer.text()}`)
      await answer.arrayBuffer()
    }
  }
  const listed = await fetch(`${originOf(servers, 0)}${API}/clusters?pageSize=1000&fields=id`, {
    headers: { 'X-Tenant-Org': 'a' },
  })
  const body: { items: { id: string }[] } = JSON.parse(await listed.text())
  return body.items.slice(0, WARM).map(({ id }) => id)
}

/** Runs the variants in turn, several times, and prints their medians. */
async function compare(
  { shards }: ShardedServers,
  { name, variants }: { name: string; variants: readonly Variant[] },
  print: Print,
): Promise<void> {
  const results = new Map<string, LoopResult[]>()
  for (let round = -1; round < ROUNDS; round += 1) {
    for (const variant of variants) {
      const result = await closedLoop({
        connections: CONNECTIONS,
        seconds: SECONDS,
        pids: shards.map(({ program }) => program.pid),
        next: variant.next,
      })
      // The first round fills the caches.
      if (round >= 0) results.set(variant.name, [...(results.get(variant.name) ?? []), result])
    }
  }
  for (const [variant, rounds] of results) {
    const median = (key: keyof LoopResult): number =>
      rounds.map((round) => round[key]).toSorted((a, b) => a - b)[Math.floor(ROUNDS / 2)] ?? 0
    print(
      `  ${name.padEnd(20)} ${variant.padEnd(18)} ${median('perSecond').toFixed(0).padStart(6)}/s  ` +
        `p50 ${median('medianMs').toFixed(2).padStart(7)} ms  ` +
        `${median('cpuMicros').toFixed(0).padStart(6)} us CPU of all servers`,
    )
  }
}

async function moveOnce(servers: ShardedServers, print: Print): Promise<void> {
  const command = servers.command(['move', 'org=b', 'c'])
  if ((await command.exited) !== 0) throw new Error(command.errors())
  print(command.output().trimEnd().replaceAll(/^/gm, '  '))
}
