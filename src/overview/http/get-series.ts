import type { RequestHandler } from 'express'
import type { Authorizer } from '../../access/authorizer.ts'
import { requireAccess } from '../../http/auth/authorize.ts'
import { tenantOf } from '../../http/auth/caller.ts'
import { kindParameter } from '../../hyperfleet/query/kind-parameter.ts'
import { textOf } from '../../hyperfleet/query/list-query.ts'
import { permittedKinds } from '../../hyperfleet/query/permitted-kinds.ts'
import { invalid } from '../../lib/errors.ts'
import { canonicalInstant, isInstant } from '../../lib/instant.ts'
import type { Registry } from '../../store/registry/registry.ts'
import type { SeriesReader } from '../series/series.ts'
import type { SeriesRange } from '../series/series-window.ts'
import { seriesJson } from './series-json.ts'

interface Options {
  readonly registry: Registry
  readonly authorizer: Authorizer
  readonly series: SeriesReader
}

/** GET of `/series`: the past of the kinds that the caller may list, or of one with its adapters. */
export function getSeries({ registry, authorizer, series }: Options): RequestHandler {
  return async (request, response) => {
    const kind = kindParameter(request, registry)
    if (kind !== null) {
      const access = { verb: 'list', resource: kind.plural, subresource: null } as const
      await requireAccess(authorizer, response, access)
    }
    const kinds = kind ? [kind] : await permittedKinds({ registry, authorizer }, response, 'list')
    const range = rangeOf(request.query['range'])
    const found = await series.read({
      tenant: tenantOf(response),
      kinds,
      hasAdapters: kind !== null,
      range,
      to: endOf(request.query['to']),
    })
    response.setHeader('Cache-Control', 'no-store')
    response.json(seriesJson(range, found))
  }
}

function endOf(value: unknown): Date | null {
  const text = textOf(value)
  if (text === undefined) return null
  if (isInstant(text)) return new Date(canonicalInstant(text))
  const message = `to must be an RFC 3339 time between the years 0001 and 9999, not '${text}'`
  throw invalid([{ field: 'to', message, constraint: 'format', value: text }])
}

function rangeOf(value: unknown): SeriesRange {
  return value === 'day' || value === 'week' ? value : 'hour'
}
