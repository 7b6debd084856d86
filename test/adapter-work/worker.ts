import { must } from '../../src/lib/assert.ts'
import { availableReport } from '../statuses/available-report.ts'
import { newName, queryDatabase } from '../support/fixtures.ts'
import type { TestResponse, TestServer } from '../support/test-server.ts'

/** A leased resource. */
export interface WorkItem {
  readonly reason: string
  readonly attempt: number
  readonly lease: { readonly token: string; readonly expires_time: string }
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into any resource
  readonly resource: any
}

/** An adapter that only `dns` is required of. */
export const DNS_ONLY = { HYPERFLEET_CLUSTER_ADAPTERS: '["dns"]' }

const JSON_TYPE = { 'Content-Type': 'application/json' }

/** A server with default headers, as a gateway adds them. */
export function behindGateway(
  server: TestServer,
  gateway: Readonly<Record<string, string>>,
): TestServer {
  const request: TestServer['request'] = (method, path, body, headers = {}) => {
    const type = body === undefined ? {} : JSON_TYPE
    return server.request(method, path, body, { ...type, ...gateway, ...headers })
  }
  return { ...server, request, post: (path, body) => request('POST', path, body) }
}

/** Leases work, and waits for the feed to reach the queue by default. */
export async function lease(
  server: TestServer,
  fields: object = {},
  adapter = 'dns',
): Promise<WorkItem[]> {
  const body = { waitSeconds: 10, ...fields }
  const { status, text, body: list } = await server.post(`/adapters/${adapter}/lease`, body)
  if (status !== 200) throw new Error(`no lease: ${text}`)
  return list.items
}

/** Leases one resource. */
export async function leaseOne(server: TestServer, fields: object = {}): Promise<WorkItem> {
  const [item] = await lease(server, { max: 1, ...fields })
  return must(item, 'a due resource')
}

/** Leases this number of resources: the queue follows the log, so they become due one after another. */
export async function leaseMany(server: TestServer, count: number): Promise<WorkItem[]> {
  const all: WorkItem[] = []
  while (all.length < count) all.push(...(await lease(server, { waitSeconds: 5, max: 100 })))
  return all
}

/** Leases everything that is due, in requests of at most 100. */
export async function leaseAll(server: TestServer, fields: object = {}): Promise<WorkItem[]> {
  const all: WorkItem[] = []
  for (;;) {
    const items = await lease(server, { waitSeconds: 0, max: 100, ...fields })
    if (items.length === 0) return all
    all.push(...items)
  }
}

export async function createCluster(server: TestServer, fields: object = {}) {
  const body = { kind: 'Cluster', name: newName(), spec: { size: 1 }, ...fields }
  const created = await server.post('/clusters', body)
  if (created.status !== 201) throw new Error(`not created: ${created.text}`)
  return created.body
}

/** Reports Available True at the generation of the leased resource. */
export function complete(
  server: TestServer,
  { resource, lease: { token } }: WorkItem,
  {
    headers = {},
    ...fields
  }: { readonly headers?: object; readonly [field: string]: unknown } = {},
): Promise<TestResponse> {
  const body = { ...availableReport('dns', resource.generation), ...fields }
  const path = `/clusters/${resource.id}/statuses`
  return server.request('POST', path, body, { ...JSON_TYPE, 'X-Lease-Token': token, ...headers })
}

/** Ends the lease of a resource, as if its time had passed. Returns the end in seconds since 1970. */
export async function expireLease(server: TestServer, id: string): Promise<number> {
  const [row] = await queryDatabase(
    server,
    `update adapter_work set wake_time = now() - interval '1 ms'
     where resource_id = $1 and token is not null
     returning extract(epoch from wake_time)::float8 as ended`,
    [id],
  )
  return Number(must(row, 'a lease')['ended'])
}

/** Ends the delay of a resource, as if its time had passed. */
export async function endDelay(server: TestServer, id: string): Promise<void> {
  await queryDatabase(
    server,
    `update adapter_work set wake_time = now()
     where resource_id = $1 and token is null and wake_time is not null`,
    [id],
  )
}
