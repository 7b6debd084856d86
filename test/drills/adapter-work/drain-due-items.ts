import { BASE_PATH } from '../../../src/hyperfleet/paths/base-path.ts'
import { assert } from '../../../src/lib/assert.ts'
import type { WorkItem } from '../../adapter-work/worker.ts'
import { startProgram } from '../../process/program.ts'
import { availableReport } from '../../statuses/available-report.ts'
import { withDatabase } from '../typescript-sdk/with-database.ts'

const WORKERS_PER_SERVER = 8
const CLUSTERS_PER_REQUEST = 1000
const LIMIT_MS = 1_800_000
/** Longer than the drill: no lease ends without its report. */
const LEASE = { kinds: ['Cluster'], max: 25, leaseSeconds: 3600, waitSeconds: 1 }

/** The observations of all workers. */
interface Drained {
  /** The number of leases of each cluster. */
  readonly leases: Map<string, number>
  readonly refusedReports: string[]
}

/** Creates clusters, and leases and reports them all. Rejects unless each is leased exactly once. */
export async function drainDueItems(count: number, print: (line: string) => void): Promise<void> {
  await withDatabase(async (url) => {
    const env = { DATABASE_URL: url, HYPERFLEET_CLUSTER_ADAPTERS: '["dns"]' }
    await using first = startProgram(env)
    const ports = [await first.ready()]
    await using second = startProgram(env)
    ports.push(await second.ready())
    const origins = ports.map(({ port }) => `http://127.0.0.1:${port}${BASE_PATH}`)
    for (let created = 0; created < count; created += CLUSTERS_PER_REQUEST) {
      await createClusters(origins[0] ?? '', created)
    }
    const begin = performance.now()
    const drained: Drained = { leases: new Map(), refusedReports: [] }
    const workers = Array.from({ length: WORKERS_PER_SERVER }, () => origins).flat()
    const end = begin + LIMIT_MS
    await Promise.all(workers.map((origin) => drain(origin, { drained, count, end })))
    const { leases, refusedReports } = drained
    const seconds = ((performance.now() - begin) / 1000).toFixed(0)
    print(`${workers.length} workers leased ${leases.size} of ${count} clusters in ${seconds} s`)
    const repeated = [...leases].filter(([, times]) => times > 1)
    assert(repeated.length === 0, `leased more than once: ${repeated.slice(0, 10).join('; ')}`)
    assert(
      refusedReports.length === 0,
      `${refusedReports.length} refused reports, such as ${refusedReports[0]}`,
    )
    assert(leases.size === count, `${count - leases.size} clusters were not leased`)
  })
}

async function createClusters(origin: string, from: number): Promise<void> {
  const items = Array.from({ length: CLUSTERS_PER_REQUEST }, (_, index) => ({
    kind: 'Cluster',
    name: `due-${from + index}`,
    spec: {},
  }))
  await post(`${origin}/clusters/bulk`, { items, atomic: true })
}

interface Drain {
  readonly drained: Drained
  readonly count: number
  /** By `performance.now()`. */
  readonly end: number
}

/** One worker. It ends when nothing is due and all clusters have been leased. */
async function drain(origin: string, { drained, count, end }: Drain): Promise<void> {
  const { leases, refusedReports } = drained
  while (performance.now() < end) {
    const { items }: { items: readonly WorkItem[] } = await post(
      `${origin}/adapters/dns/lease`,
      LEASE,
    )
    for (const { resource } of items) leases.set(resource.id, (leases.get(resource.id) ?? 0) + 1)
    const reports = items.map(({ resource, lease }) => {
      const headers = { 'X-Lease-Token': lease.token }
      const url = `${origin}/clusters/${resource.id}/statuses`
      return post(url, availableReport('dns', resource.generation), headers)
    })
    for (const report of await Promise.allSettled(reports)) {
      if (report.status === 'rejected') refusedReports.push(String(report.reason))
    }
    if (items.length === 0 && leases.size >= count) return
  }
}

/** The body of the response. Rejects unless the response is a success. */
async function post(url: string, body: object, headers: Record<string, string> = {}) {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
  const text = await response.text()
  assert(response.ok, `POST ${url}: ${response.status} ${text}`)
  return JSON.parse(text)
}
