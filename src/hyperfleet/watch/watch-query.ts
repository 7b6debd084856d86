import type { Request } from 'express'
import { invalid, type Violation } from '../../lib/errors.ts'
import { parseResourceVersion, type ResourceVersion } from '../../store/feed/resource-version.ts'
import { LIST_PARAMETERS } from '../query/list-parameters.ts'
import { conditionsOf, textOf } from '../query/list-query.ts'
import { EVENT_STREAM, formatOf } from '../../http/streams/stream-format.ts'

/** The parameters of a watch after validation. */
export interface WatchQuery {
  /** TSL texts that an item must all match. */
  readonly search: readonly string[]
  readonly fields: string | undefined
  /** The version to resume from; null to start with the current state. */
  readonly from: ResourceVersion | null
}

const REJECTED = LIST_PARAMETERS.filter(({ watch }) => !watch).map(({ name }) => name)
const TAKEN = LIST_PARAMETERS.filter(({ name, watch, aliasOf, describe }) => {
  const isCommon = aliasOf === undefined && describe('kind', []) !== null
  return watch && isCommon && name !== 'watch'
}).map(({ name }) => name)

/** Whether a validated request of a list has `watch=true`. */
export function isWatch({ query }: Request): boolean {
  const watch: unknown = query['watch']
  return watch === true || watch === 'true'
}

/** Parses the parameters of a watch. `invalid` for parameters of lists alone. */
export function watchQueryOf(request: Request): WatchQuery {
  const { query } = request
  const violations = REJECTED.filter((field) => query[field] !== undefined).map(
    (field): Violation => {
      const message = `${field} cannot be combined with watch=true: a watch takes ${TAKEN.join(', ')}`
      return { field, message, constraint: 'watch' }
    },
  )
  if (violations.length > 0) throw invalid(violations)
  return {
    search: conditionsOf(query),
    fields: textOf(query['fields']),
    from: tokenOf(request),
  }
}

/** The version to resume from. A browser that reconnects sends the newest one in a header. */
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
    const message = `${field} must be a resource version from a list or an event`
    throw invalid([{ field, message, constraint: 'format', value: text }])
  }
  return null
}
