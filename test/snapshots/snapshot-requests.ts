import { expect } from 'vitest'
import { BASE_PATH } from '../../src/hyperfleet/paths/base-path.ts'
import { fullReport, JSON_TYPE, reportAll } from '../support/lifecycle.ts'
import type { TestResponse, TestServer } from '../support/test-server.ts'

/** A part of a snapshot. */
export interface Part {
  readonly group: string
  readonly resource: string
  readonly synced: boolean
  readonly itemCount: number
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into any JSON
  readonly items: readonly any[]
}

/** Reads a snapshot. */
export function snapshotOf(
  server: TestServer,
  idOrName: string,
  query = '',
): Promise<TestResponse> {
  return server.get(`/clusters/${idOrName}/snapshot${query}`)
}

/** Reads a snapshot that includes all commits before the request, through any server. */
export function latestSnapshotOf(server: TestServer, idOrName: string): Promise<TestResponse> {
  return snapshotOf(server, idOrName, '?minResourceVersion=latest&warm=true')
}

/** The parts of a snapshot by name. */
export function partsOf({ body }: TestResponse): ReadonlyMap<string, Part> {
  const parts: readonly Part[] = body.resources
  return new Map(parts.map((part) => [part.resource, part]))
}

/** The names of all items of a part, or the adapters of reports. */
export function namesOf(answer: TestResponse, resource: string): readonly string[] {
  const items = partsOf(answer).get(resource)?.items ?? []
  return items.map(({ name, adapter }) => name ?? adapter)
}

/** Removes the times of reports, which can differ between a snapshot and a list. */
export function withoutReportTimes(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value, (key, field) =>
      key === 'last_report_time' || key === 'last_updated_time' ? undefined : field,
    ),
  )
}

/** The expected parts of a snapshot, from the lists of a server; none if the cluster is removed. */
export async function expectedParts(server: TestServer, id: string): Promise<readonly unknown[]> {
  const { body: cluster, status } = await server.get(`/clusters/${id}`)
  if (status !== 200) return []
  const pools = await server.get(`/clusters/${id}/nodepools?pageSize=1000&orderBy=id`)
  const statuses: unknown[] = []
  for (const { kind, id: owner, href } of [cluster, ...pools.body.items].sort(byId)) {
    const { body } = await server.get(`${href}/statuses?pageSize=1000&orderBy=adapter`)
    const owner_references = { kind, id: owner, href }
    statuses.push(...body.items.map((item: object) => ({ owner_references, ...item })))
  }
  const part = (resource: string, items: readonly unknown[]) => {
    return { group: 'hyperfleet', resource, synced: true, itemCount: items.length, items }
  }
  return [
    part('clusters', [cluster]),
    part('nodepools', pools.body.items),
    part('statuses', statuses),
  ].filter(({ itemCount }) => itemCount > 0)
}

function byId(first: { id: string }, second: { id: string }): number {
  return first.id < second.id ? -1 : 1
}

/** Creates a cluster with node pools, and a report of each adapter on each of them. */
export async function createTree(server: TestServer, name: string, pools: readonly string[]) {
  const { body: cluster } = await server.post('/clusters', {
    kind: 'Cluster',
    name,
    spec: { size: 1 },
    labels: { tree: name },
  })
  const item = `/clusters/${cluster.id}`
  await reportAll(server, item, ['dns', 'validator'], (adapter) => fullReport(adapter, 1))
  const poolIds: string[] = []
  for (const pool of pools) {
    const { body } = await server.post(`${item}/nodepools`, {
      kind: 'NodePool',
      name: pool,
      spec: { nodes: 3 },
    })
    poolIds.push(body.id)
    await reportAll(server, `/nodepools/${body.id}`, ['validator', 'hypershift'], (adapter) =>
      fullReport(adapter, 1),
    )
  }
  const id: string = cluster.id
  return { id, item, poolIds }
}

/** The number of runs of each statement, by name. */
export async function statementCounts(server: TestServer): Promise<ReadonlyMap<string, number>> {
  const text = await (await fetch(`${server.metricsOrigin}/metrics`)).text()
  const lines = text.matchAll(
    /^flotilla_db_query_duration_seconds_count\{statement="(\w+)"\} (\d+)$/gm,
  )
  return new Map(Array.from(lines, ([, name = '', count]) => [name, Number(count)]))
}

/** Waits until the log has the events of earlier requests. Requests that read add none. */
async function auditWritten(server: TestServer): Promise<void> {
  await expect
    .poll(async () => (await fetch(`${server.metricsOrigin}/metrics`)).text())
    .toMatch(/^flotilla_audit_queued_events 0$/m)
}

/** Requests many snapshots, and parses the lines of the response. */
export async function linesOf(server: TestServer, body: object) {
  const response = await fetch(`${server.origin}${BASE_PATH}/snapshots`, {
    method: 'POST',
    headers: JSON_TYPE,
    body: JSON.stringify(body),
  })
  const text = await response.text()
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into any JSON
  const lines: readonly any[] = text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line))
  return { status: response.status, type: response.headers.get('content-type'), text, lines }
}

/** Statements of background tasks. */
const BACKGROUND = new Set([
  'sequence_changes',
  'outbox_age',
  'read_head',
  'read_changes',
  'renew_epoch',
  'drop_changes',
  'next_change',
  'raise_compacted',
  'vacuum_outbox',
  'next_object_change',
  'raise_planes',
  'raise_objects_compacted',
  'drop_object_changes',
  'cut_planes',
  'drop_plane_changes',
  'purge_planes',
  'read_indexes',
  'vacuum_object_outbox',
  'ping',
  'server_heartbeat',
  'sequence_objects',
  'object_outbox_age',
  'read_object_head',
  'read_object_changes',
  'renew_object_epoch',
  'record_minute',
  'merge_minutes',
  'record_reports',
  'is_counting_due',
  'read_stored_counts',
  'read_counted_changes',
  'scan_snapshot',
  'scan_pending',
  'scan_groups',
  'store_counts',
  'add_day_partition',
  'delete_expired_audit_events_default',
  'delete_expired_resource_history_default',
  'drop_day_partitions',
  'collect_history',
])

/** The names of the statements that a task runs, without those of background tasks. */
export async function statementsOf(
  server: TestServer,
  task: () => Promise<unknown>,
): Promise<readonly string[]> {
  await auditWritten(server)
  const before = await statementCounts(server)
  await task()
  const after = await statementCounts(server)
  return [...after]
    .filter(([name, count]) => !BACKGROUND.has(name) && count !== (before.get(name) ?? 0))
    .map(([name]) => name)
}
