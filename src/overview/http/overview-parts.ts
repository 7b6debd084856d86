import type { RequestHandler } from 'express'
import { addressOf } from '../../hyperfleet/paths/address.ts'
import type { ApiPart } from '../../hyperfleet/routes/api-part.ts'
import type { RouteOptions } from '../../hyperfleet/routes/route-options.ts'
import type { IndexedField } from '../../store/indexes/indexed-field.ts'
import type { Adapters } from '../adapters/adapters.ts'
import type { Breakdowns } from '../breakdown/breakdowns.ts'
import type { SeriesReader } from '../series/series.ts'
import { getAdapters } from './get-adapters.ts'
import { getBreakdown } from './get-breakdown.ts'
import { getOverview } from './get-overview.ts'
import { getSeries } from './get-series.ts'
import type { Overviews } from './overviews.ts'

/** The overview. It needs a kind that the caller may list, and covers such kinds only. */
export function overviewPart(overviews: Overviews): ApiPart {
  return partAt('/overview', ({ verbs: { operations }, authorizer, streams }) =>
    getOverview({ operations, authorizer, overviews, streams }),
  )
}

/** The breakdown of a kind that the caller may list. */
export function breakdownPart(
  breakdowns: Breakdowns,
  indexedFields: readonly IndexedField[],
): ApiPart {
  return partAt('/breakdown', ({ verbs: { operations }, authorizer }) =>
    getBreakdown({ registry: operations.registry, authorizer, breakdowns, indexedFields }),
  )
}

/** The adapters of a kind that the caller may list. */
export function adaptersPart(adapters: Adapters): ApiPart {
  return partAt('/adapters', ({ verbs: { operations }, authorizer }) =>
    getAdapters({ registry: operations.registry, authorizer, adapters }),
  )
}

/** The past of the kinds that the caller may list. */
export function seriesPart(series: SeriesReader): ApiPart {
  return partAt('/series', ({ verbs: { operations }, authorizer }) =>
    getSeries({ registry: operations.registry, authorizer, series }),
  )
}

function partAt(template: string, handlerOf: (options: RouteOptions) => RequestHandler): ApiPart {
  return {
    routes: (options) => {
      const handlers = [
        ...options.validation.stages({ method: 'get', template }),
        handlerOf(options),
      ]
      const access = { verb: 'list', resource: '*', subresource: null } as const
      return [{ method: 'get', public: false, ...addressOf(template), access, handlers }]
    },
  }
}
