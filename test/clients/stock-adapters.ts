import type { Answer, TestServer } from '../support/test-server.ts'
import type { SentinelEvent } from './stock-sentinels.ts'

/** A published HyperFleet adapter: it reads the resource of an event and reports what it finds. */
export interface StockAdapter {
  readonly version: string
  act(server: TestServer, name: string, event: SentinelEvent, now: number): Promise<Answer | null>
}

type Method = 'POST' | 'PUT'

interface Style {
  readonly version: string
  readonly method: Method
  /** The members of its report beside `adapter` and `conditions`. */
  readonly members: (generation: number, now: number) => object
}

/** RFC 3339 to the second, as the templates of its configuration format the time. */
function toSecond(time: number): string {
  return new Date(time).toISOString().replace(/\.\d+Z$/, 'Z')
}

/** Available, Applied and Health always; Finalized while the resource is being deleted. */
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

function adapter({ version, method, members }: Style): StockAdapter {
  return {
    version,
    act: async (server, name, { href }, now) => {
      const { status, body } = await server.get(href)
      // The precondition fails on a resource that is gone, and nothing is reported.
      if (status !== 200) return null
      const report = {
        adapter: name,
        conditions: conditionsOf(body.deleted_time !== undefined),
        ...members(body.generation, now),
      }
      const headers = { 'Content-Type': 'application/json' }
      return server.request(method, `${href}/statuses`, report, headers)
    },
  }
}

export const STOCK_ADAPTERS: readonly StockAdapter[] = [
  // The payload of its first configurations has neither member.
  adapter({ version: 'v0.1.0', method: 'POST', members: () => ({}) }),
  adapter({
    version: 'v0.2.1',
    method: 'POST',
    members: (generation, now) => ({
      observed_generation: generation,
      observed_time: toSecond(now),
    }),
  }),
  adapter({
    version: 'main',
    method: 'PUT',
    members: (generation, now) => ({
      observed_generation: generation,
      observed_time: toSecond(now),
      data: { job: { phase: 'Succeeded' } },
      metadata: { job_name: 'job-1', attempt: 1 },
    }),
  }),
]
