import type { RequestHandler, Response } from 'express'
import type { Authorizer } from '../../access/authorizer.ts'
import type { Context } from '../../store/operations/context.ts'
import { parseSearch } from '../../store/operations/list/parse-search.ts'
import type { Representation } from '../../store/operations/read/representation.ts'
import { bind } from '../../store/search/bind/bind.ts'
import { fieldsOf } from '../../store/search/bind/fields.ts'
import { compile } from '../../store/search/sql/compile.ts'
import type { AdapterWork } from '../adapter-work.ts'
import { leaseOf } from '../lease-token.ts'
import type { WorkMetrics } from '../work-metrics.ts'
import type { WorkRequest } from '../work-request.ts'
import type { LeasedRow } from '../storage/claim-work.ts'
import { tenantOf } from '../../http/auth/caller.ts'
import type { SendJsonBody } from '../../http/json/send-json-body.ts'
import { setStreamed } from '../../http/observability/access-log.ts'
import { adapterOf } from './adapter-of.ts'
import { renderWork, type WorkItem } from './render-work.ts'
import { requestedKinds } from './requested-kinds.ts'

const DEFAULT_MAX = 10
export const DEFAULT_LEASE_SECONDS = 60

/** The dependencies of the handlers. */
export interface WorkContext {
  readonly operations: Pick<Context, 'registry' | 'database' | 'primaryReader'>
  readonly authorizer: Authorizer
  readonly work: AdapterWork
  readonly metrics: Pick<WorkMetrics, 'leased'>
  readonly representation: Representation
  readonly send: SendJsonBody
}

/** The validated body. */
interface Body {
  readonly kinds?: readonly string[]
  readonly search?: string
  readonly max?: number
  readonly leaseSeconds?: number
  readonly maxAgeSeconds?: number
  readonly waitSeconds?: number
}

/** POST of `/adapters/{adapter}/lease`. */
export function leaseWork(context: WorkContext): RequestHandler {
  const { operations, authorizer, work, metrics, representation, send } = context
  return async (request, response) => {
    const body: Body = request.body
    const adapter = adapterOf(request)
    const { registry, database } = operations
    const options = { registry, authorizer, database }
    const kinds = await requestedKinds(options, response, { adapter, names: body.kinds })
    const expression = parseSearch(body.search === undefined ? [] : [body.search])
    const closed = abortedOnClose(response)
    // The duration of a request that waits for work says nothing about the server.
    if (body.waitSeconds !== undefined) setStreamed(response)
    const tenant = tenantOf(response)
    const wanted: WorkRequest = {
      adapter,
      tenant,
      kinds: kinds.map(({ kind, declaredOnly }) => ({
        kind,
        declaredOnly,
        filter: expression && compile(bind(expression, fieldsOf(kind))),
      })),
      search: body.search ?? null,
      max: body.max ?? DEFAULT_MAX,
      leaseSeconds: body.leaseSeconds ?? DEFAULT_LEASE_SECONDS,
      maxAgeSeconds: body.maxAgeSeconds ?? null,
      waitMs: (body.waitSeconds ?? 0) * 1000,
      signal: closed,
    }
    const rows = await work.lease(wanted)
    const items = await Promise.all(rows.map((row) => itemOf(row)))
    if (closed.aborted) {
      await giveBack(work, wanted, rows)
      return
    }
    const found = items.filter((item) => item !== null)
    for (const { row } of found) metrics.leased(row.reason, row.attempts)
    response.setHeader('Cache-Control', 'no-store')
    send(response, renderWork(found))
  }

  /**
   * Null if the resource has been removed since it was leased. A replica could lack the change that
   * made it due, such as its deletion.
   */
  async function itemOf(row: LeasedRow): Promise<WorkItem | null> {
    const found = await operations.primaryReader.one(row.resource_id, representation)
    return found && { row, resource: found.body }
  }
}

/** Returns the leases of a client that has disconnected: they do not count as attempts. */
async function giveBack(
  work: AdapterWork,
  { adapter, tenant }: WorkRequest,
  rows: readonly LeasedRow[],
): Promise<void> {
  for (const { token } of rows) {
    const lease = leaseOf({ adapter, token, tenant })
    if (lease) await work.giveBack(lease, null)
  }
}

function abortedOnClose(response: Response): AbortSignal {
  const closed = new AbortController()
  response.on('close', () => closed.abort())
  return closed.signal
}
