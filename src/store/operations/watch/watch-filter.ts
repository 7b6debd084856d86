import type { ChangeType } from '../../model/change.ts'
import type { Registry } from '../../registry/registry.ts'
import { kindsOfAll } from '../../registry/verb.ts'
import { bind } from '../../search/bind/bind.ts'
import { evaluate } from '../../search/memory/evaluate.ts'
import { fieldsOf, STATUS_FIELDS } from '../../search/bind/fields.ts'
import { type Predicate, TRUE } from '../../search/bind/predicate.ts'
import type { SearchRow } from '../../search/memory/search-row.ts'
import type { SearchedChange } from './searched-change.ts'
import type { WatchScope } from './watch-scope.ts'
import { parseSearch } from '../list/parse-search.ts'

/** The kinds of a watch and their searches. */
export interface WatchFilter {
  /** By kind. A watch of reports has its predicate under ''. */
  readonly predicates: ReadonlyMap<string, Predicate>
}

/** The key of the predicate for reports. */
const REPORTS = ''

/** Binds the search to everything in the scope. Fails with `invalid-search`, as lists do. */
export function watchFilter(
  registry: Registry,
  scope: WatchScope,
  search: readonly string[],
): WatchFilter {
  const expression = parseSearch(search)
  switch (scope.subject) {
    case 'resources': {
      const { kind } = scope
      return filterOf([[kind.kind, expression ? bind(expression, fieldsOf(kind)) : TRUE]])
    }
    case 'all-resources':
      return filterOf(
        (scope.kind === null ? kindsOfAll(registry) : [scope.kind]).map((kind) => [
          kind.kind,
          expression ? bind(expression, fieldsOf(kind)) : TRUE,
        ]),
      )
    case 'statuses':
      return filterOf([[REPORTS, expression ? bind(expression, STATUS_FIELDS) : TRUE]])
  }
}

function filterOf(predicates: readonly (readonly [string, Predicate])[]): WatchFilter {
  return { predicates: new Map(predicates) }
}

/** Whether a report matches the search. */
export function matchesStatus({ predicates }: WatchFilter, row: SearchRow): boolean {
  return matches(predicates.get(REPORTS), row)
}

/**
 * Classifies a change for a watch: entering the matching set is ADDED, leaving it is DELETED. Null
 * if the resource matches neither before nor after.
 */
export function classifyChange(filter: WatchFilter, searched: SearchedChange): ChangeType | null {
  const { change, after, before } = searched
  const key = change.subject === 'resource' ? change.resource.kind : REPORTS
  const predicate = filter.predicates.get(key)
  if (change.type !== 'MODIFIED') return matches(predicate, after) ? change.type : null
  const isIn = matches(predicate, after)
  const wasIn = before !== null && matches(predicate, before)
  if (isIn) return wasIn ? 'MODIFIED' : 'ADDED'
  return wasIn ? 'DELETED' : null
}

function matches(predicate: Predicate | undefined, row: SearchRow): boolean {
  return predicate !== undefined && evaluate(predicate, row)
}
