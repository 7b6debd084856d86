import type { TestResponse, TestServer } from '../support/test-server.ts'
import type { SentinelEvent } from './stock-sentinels.ts'

/** Imitates a published HyperFleet adapter: reads the resource of an event and reports its state. */
export interface StockAdapter {
  readonly version: string
  act(
    server: TestServer,
    name: string,
    event: SentinelEvent,
    now: number,
  ): Promise<TestResponse | null>
}

type Method = 'POST' | 'PUT'

interface Style {
  readonly version: string
  readonly method: Method
  /** The fields of its reports besides `adapter` and `conditions`. */
  readonly fields: (generation: number, now: number) => object
}

/** Formats a time as RFC 3339 without fractions, like the templates of the adapter's configuration. */
function toSecond(time: number): string {
  return new Date(time).toISOString().replace(/\.\d+Z$/, 'Z')
}

/** Available, Applied and Health, and Finalized while the resource is being deleted. */
function conditionsOf(isDeleting: boolean): readonly object[] {
  const is = (type: string, status: string, reason: string) => ({
    type,
    status,
    reason,
    message: `${type} of the job`,
  })
  return [
    is('Applied', 'True', 'JobApplied'),
    is('Available', isDeleting ? 'False' : 'True', isDeleting ? 'Removed' : 'JobSucceeded'),
    is('Health', 'True', 'Healthy'),
    ...(isDeleting ? [is('Finalized', 'True', 'CleanedUp')] : []),
  ]
}

function adapter({ version, method, fields }: Style): StockAdapter {
  return {
    version,
    act: async (server, name, { href }, now) => {
      const { status, body } = await server.get(href)
      // If the resource is gone, the adapter's precondition fails and it reports nothing.
      if (status !== 200) return null
      const report = {
        adapter: name,
        conditions: conditionsOf(body.deleted_time !== undefined),
        ...fields(body.generation, now),
      }
      const headers = { 'Content-Type': 'application/json' }
      return server.request(method, `${href}/statuses`, report, headers)
    },
  }
}

export const STOCK_ADAPTERS: readonly StockAdapter[] = [
  adapter({
    version: 'v0.1.0',
    method: 'POST',
    fields: (generation) => ({ observed_generation: generation }),
  }),
  adapter({
    version: 'v0.2.1',
    method: 'POST',
    fields: (generation, now) => ({
      observed_generation: generation,
      observed_time: toSecond(now),
    }),
  }),
  adapter({
    version: 'main',
    method: 'PUT',
    fields: (generation, now) => ({
      observed_generation: generation,
      observed_time: toSecond(now),
      data: { job: { phase: 'Succeeded' } },
      metadata: { job_name: 'job-1', attempt: 1 },
    }),
  }),
]
