import type { Request } from 'express'
import { invalid, type Violation } from '../../../lib/errors.ts'
import { parseResourceVersion, type ResourceVersion } from '../../../core/feed/resource-version.ts'
import { EVENT_STREAM, formatOf } from '../../../http/streams/stream-format.ts'

/** What a watch asks for, as OpenAPI's validation leaves it. */
export interface WatchQuery {
  readonly search: string
  readonly fields: string | undefined
  /** What the caller knows already; null for nothing. */
  readonly from: ResourceVersion | null
}

/** Parameters of lists that would mean nothing: a watch has no pages and no order of its own. */
const OF_LISTS = [
  'page',
  'pageSize',
  'size',
  'orderBy',
  'order',
  'ref_type',
  'ref_target_id',
] as const

/** Whether a validated request for a list asks to watch it. */
export function isWatch({ query }: Request): boolean {
  const watch: unknown = query['watch']
  return watch === true || watch === 'true'
}

/** Reads the parameters of a watch; `invalid` for those of lists alone. */
export function watchQueryOf(request: Request): WatchQuery {
  const { query } = request
  const violations = OF_LISTS.filter((field) => query[field] !== undefined).map(
    (field): Violation => {
      const message = `${field} does not go with watch=true: a watch takes search, fields and resourceVersion`
      return { field, message, constraint: 'watch' }
    },
  )
  if (violations.length > 0) throw invalid(violations)
  return {
    search: textOf(query['search']) ?? '',
    fields: textOf(query['fields']),
    from: tokenOf(request),
  }
}

/** The token to go on from. A browser that connects again sends the newest one in the header. */
function tokenOf(request: Request): ResourceVersion | null {
  const { query, headers } = request
  const { resourceVersion: one, resource_version: other } = query
  if (one && other && one !== other) {
    const message = 'resourceVersion and resource_version are the same parameter: send one of them'
    throw invalid([{ field: 'resource_version', message, constraint: 'watch', value: other }])
  }
  const sent = [
    {
      field: 'last-event-id',
      text: formatOf(request) === EVENT_STREAM ? headers['last-event-id'] : '',
    },
    { field: 'resourceVersion', text: one },
    { field: 'resource_version', text: other },
  ]
  for (const { field, text } of sent) {
    if (text === undefined || text === '') continue
    const token = typeof text === 'string' ? parseResourceVersion(text) : null
    if (token) return token
    const message = `${field} must be a resource version as a list or an event gave it`
    throw invalid([{ field, message, constraint: 'format', value: text }])
  }
  return null
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}
