import type { TestServer } from '../support/test-server.ts'

/** A condition as a sentinel decodes it. */
interface Condition {
  readonly type: string
  readonly status: string
  readonly observed_generation: number
  readonly last_updated_time: string
}

/** A resource as a sentinel decodes it. */
interface Polled {
  readonly id: string
  readonly href: string
  readonly kind: string
  readonly generation: number
  readonly status: { readonly conditions: readonly Condition[] }
}

/** The event that a sentinel publishes for adapters. */
export type SentinelEvent = Pick<Polled, 'id' | 'href' | 'kind' | 'generation'>

/** Imitates the API requests of a published HyperFleet sentinel. */
export interface StockSentinel {
  readonly version: string
  /** The query of its connectivity check at start. */
  readonly connectivity: string
  /** Polls once at this time and returns the published events. */
  poll(server: TestServer, collection: string, now: number): Promise<readonly SentinelEvent[]>
}

const SECOND = 1000
export const MAX_AGE_READY = 30 * 60 * SECOND
export const MAX_AGE_NOT_READY = 10 * SECOND
const NO_SUCH_LABEL = `search=${encodeURIComponent("labels.non_existing_label='value'")}`

/** Sends one list request. As in the sentinels, any status except 200 ends the poll. */
async function fetchPage(server: TestServer, collection: string, query: string) {
  const response = await server.get(collection + (query === '' ? '' : `?${query}`))
  if (response.status !== 200) throw new Error(`poll: ${response.text}`)
  const { items, total }: { items: readonly Polled[]; total: number } = response.body
  return { items, total }
}

/** Reads pages until it has `total` items or receives an empty page. */
async function fetchPages(
  server: TestServer,
  collection: string,
  queryOf: (page: number) => string,
): Promise<readonly Polled[]> {
  const all: Polled[] = []
  for (let page = 1; ; page += 1) {
    const { items, total } = await fetchPage(server, collection, queryOf(page))
    all.push(...items)
    if (all.length >= total || items.length === 0) return all
  }
}

function conditionOf(resource: Polled, type: string): Condition | undefined {
  return resource.status.conditions.find((condition) => condition.type === type)
}

/** The rule of the first releases: a newer generation, or a maximum age that depends on Ready. */
function isDueByReady(resource: Polled, now: number): boolean {
  const ready = conditionOf(resource, 'Ready')
  // Without Ready, the age counts from the zero time, so the sentinel publishes at every poll.
  if (ready === undefined || resource.generation > ready.observed_generation) return true
  const maxAge = ready.status === 'True' ? MAX_AGE_READY : MAX_AGE_NOT_READY
  return now >= Date.parse(ready.last_updated_time) + maxAge
}

/** The default CEL expressions of later releases. */
function isDueByReconciled(resource: Polled, now: number): boolean {
  const reconciled = conditionOf(resource, 'Reconciled')
  const isReconciled = reconciled?.status === 'True'
  const age = reconciled === undefined ? null : now - Date.parse(reconciled.last_updated_time)
  return (
    (resource.generation === 1 && age === null) ||
    resource.generation > (reconciled?.observed_generation ?? 0) ||
    (isReconciled && age !== null && age > MAX_AGE_READY) ||
    (!isReconciled && age !== null && age > MAX_AGE_NOT_READY)
  )
}

/** The expression of the Helm chart: generation 1 is also due until it is reconciled. */
function isDueByChart(resource: Polled, now: number): boolean {
  const isReconciled = conditionOf(resource, 'Reconciled')?.status === 'True'
  return (!isReconciled && resource.generation === 1) || isDueByReconciled(resource, now)
}

function eventsOf(resources: readonly Polled[]): readonly SentinelEvent[] {
  return resources.map(({ id, href, kind, generation }) => ({ id, href, kind, generation }))
}

/** Formats a time as RFC 3339 without fractions, as Go does. */
function toSecond(time: number): string {
  return new Date(time).toISOString().replace(/\.\d+Z$/, 'Z')
}

/** Sends one request without paging and decides about every resource. */
const first: StockSentinel = {
  version: 'v0.1.1',
  connectivity: NO_SUCH_LABEL,
  poll: async (server, collection, now) => {
    const { items } = await fetchPage(server, collection, '')
    return eventsOf(items.filter((resource) => isDueByReady(resource, now)))
  },
}

/** Searches without paging for resources that are not ready, then for ready ones that are stale. */
const filtering: StockSentinel = {
  version: 'v0.2.1',
  connectivity: NO_SUCH_LABEL,
  poll: async (server, collection, now) => {
    const cutoff = toSecond(now - MAX_AGE_READY)
    const searches = [
      "status.conditions.Ready='False'",
      `status.conditions.Ready='True' and status.conditions.Ready.last_updated_time<='${cutoff}'`,
    ]
    const found = new Map<string, Polled>()
    for (const search of searches) {
      const query = `search=${encodeURIComponent(search)}`
      const { items } = await fetchPage(server, collection, query)
      for (const item of items) if (!found.has(item.id)) found.set(item.id, item)
    }
    return eventsOf([...found.values()].filter((resource) => isDueByReady(resource, now)))
  },
}

function deciding(
  version: string,
  isDue: typeof isDueByReconciled,
  sizeParameter: 'pageSize' | 'size',
): StockSentinel {
  return {
    version,
    connectivity: sizeParameter === 'size' ? `${NO_SUCH_LABEL}&size=1` : NO_SUCH_LABEL,
    poll: async (server, collection, now) => {
      const all = await fetchPages(server, collection, (page) => `page=${page}&${sizeParameter}=20`)
      return eventsOf(all.filter((resource) => isDue(resource, now)))
    },
  }
}

export const STOCK_SENTINELS: readonly StockSentinel[] = [
  first,
  filtering,
  deciding('v0.3.0', isDueByReconciled, 'pageSize'),
  deciding('main', isDueByReconciled, 'size'),
  deciding('main with the values of its chart', isDueByChart, 'size'),
]
