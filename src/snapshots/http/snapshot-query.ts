import { invalid, type Violation } from '../../lib/errors.ts'
import type { MinimumVersion } from '../../store/operations/read/wait-for-version.ts'
import { minimumVersionOf } from '../../hyperfleet/query/minimum-version.ts'
import type { Selection } from './selection.ts'

/** The parameters of a snapshot. */
export interface SnapshotQuery {
  readonly selection: Selection
  readonly watch: boolean
  /** Null if any version will do. */
  readonly least: MinimumVersion | null
}

/**
 * Parses the query of a request's target. Ignores unknown parameters. `known` has the names that
 * `resource` accepts; null accepts any.
 */
export function parseSnapshotQuery(target: string, known: readonly string[] | null): SnapshotQuery {
  const start = target.indexOf('?')
  const query = new URLSearchParams(start < 0 ? '' : target.slice(start + 1).split('#')[0])
  const violations: Violation[] = []
  // kplane's SDK sends `warm`. It has no effect, because every snapshot waits for all its parts.
  flagOf(query, 'warm', violations)
  const parsed = {
    selection: {
      resources: resourcesOf(query.getAll('resource'), known, violations),
      includeEmpty: flagOf(query, 'includeEmpty', violations),
    },
    watch: flagOf(query, 'watch', violations),
    least: minimumVersionOf(singleOf(query, 'minResourceVersion', violations), violations),
  }
  if (violations.length > 0) throw invalid(violations)
  return parsed
}

/** The sorted, distinct names in comma-separated lists; null without any. */
export function resourcesOf(
  lists: readonly string[],
  known: readonly string[] | null,
  violations: Violation[],
): readonly string[] | null {
  const names = lists.flatMap((list) => list.split(',')).map((name) => name.trim())
  const given = [...new Set(names)].filter((name) => name !== '')
  for (const value of known === null ? [] : given.filter((name) => !known.includes(name))) {
    const message = `resource: '${value}' is unknown; the known resources are ${known?.join(', ')}`
    violations.push({ field: 'resource', message, constraint: 'enum', value })
  }
  return given.length > 0 ? given.sort() : null
}

/** Whether the request asks for errors instead of empty results for unknown names. */
export function isStrict(target: string): boolean {
  return new URLSearchParams(target.split('?')[1] ?? '').get('strict') === 'true'
}

function flagOf(query: URLSearchParams, field: string, violations: Violation[]): boolean {
  const value = singleOf(query, field, violations)
  if (value !== null && value !== 'true' && value !== 'false') {
    const message = `${field} must be true or false`
    violations.push({ field, message, constraint: 'type', value })
  }
  return value === 'true'
}

function singleOf(query: URLSearchParams, field: string, violations: Violation[]): string | null {
  const values = query.getAll(field)
  if (values.length > 1) {
    violations.push({ field, message: `${field} must be given once`, constraint: 'once' })
  }
  return values[0] ?? null
}
