import type { RequestHandler } from 'express'
import type { Authorizer } from '../../access/authorizer.ts'
import { requireAccess } from '../../http/auth/authorize.ts'
import { tenantOf } from '../../http/auth/caller.ts'
import { kindParameter } from '../../hyperfleet/query/kind-parameter.ts'
import { must } from '../../lib/assert.ts'
import type { JsonObject } from '../../lib/json/json.ts'
import type { Registry } from '../../store/registry/registry.ts'
import type { AdapterSummary } from '../adapters/adapter-summary.ts'
import type { Adapters } from '../adapters/adapters.ts'
import type { BreakdownField } from '../breakdown/breakdown-field.ts'
import { rowSearch } from '../breakdown/row-search.ts'

interface Options {
  readonly registry: Registry
  readonly authorizer: Authorizer
  readonly adapters: Adapters
}

/** GET of `/adapters`: the work of the adapters of a kind that the caller may list. */
export function getAdapters({ registry, authorizer, adapters }: Options): RequestHandler {
  return async (request, response) => {
    const kind = must(kindParameter(request, registry), 'the parameter kind')
    const access = { verb: 'list', resource: kind.plural, subresource: null } as const
    await requireAccess(authorizer, response, access)
    const { time, items, isComplete } = await adapters.read({ kind, tenant: tenantOf(response) })
    response.setHeader('Cache-Control', 'no-store')
    response.json({
      kind: 'AdapterList',
      of: kind.kind,
      time: time.toISOString(),
      complete: isComplete,
      items: items.map(summaryJson),
    })
  }
}

const ADAPTER: readonly BreakdownField[] = [{ type: 'adapter' }]
const CAUSE: readonly BreakdownField[] = [...ADAPTER, { type: 'reason' }]

function summaryJson(summary: AdapterSummary): JsonObject {
  const { adapter, isRequired, reports, silentSince, rows, failing, waiting, queue } = summary
  const [first] = rows
  const behind = rows.flatMap(({ generationsBehind }) => generationsBehind ?? [])
  return {
    adapter,
    required: isRequired,
    last_report_time: reports?.last_report_time.toISOString() ?? null,
    reports_per_second: Math.round((reports?.reports_per_second ?? 0) * 100) / 100,
    silent_since: silentSince?.toISOString() ?? null,
    failing,
    waiting,
    generations_behind: Math.max(0, ...behind),
    search: first === undefined ? null : rowSearch(ADAPTER, first),
    reasons: rows.map((row) => ({
      reason: row.reason ?? '',
      state: row.failing > 0 ? 'failing' : 'waiting',
      count: row.count,
      last_hour: row.lastHour,
      oldest: row.oldest,
      newest: row.newest,
      search: rowSearch(CAUSE, row),
    })),
    queue: queue && {
      queued: queue.queued,
      leased: queue.leased,
      delayed: queue.delayed,
      oldest_lease_time: queue.oldest_lease_time?.toISOString() ?? null,
      used_time: queue.used_time?.toISOString() ?? null,
    },
  }
}
