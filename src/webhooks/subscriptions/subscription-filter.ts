import type { Webhook } from '../../store/model/webhook.ts'
import { type WatchFilter, watchFilter } from '../../store/operations/watch/watch-filter.ts'
import type { WatchScope } from '../../store/operations/watch/watch-scope.ts'
import type { Registry } from '../../store/registry/registry.ts'

/**
 * The filter of a webhook. It is the filter of a watch of the same kinds and search, so both classify
 * changes alike. Throws `invalid-search` as a watch does. Kinds that are no longer registered have no
 * changes.
 */
export function subscriptionFilter(
  registry: Registry,
  { kinds, search, tenant }: Pick<Webhook, 'kinds' | 'search' | 'tenant'>,
): WatchFilter {
  const texts = search === '' ? [] : [search]
  const filters = scopesOf(registry, kinds, tenant).map((scope) =>
    watchFilter(registry, scope, texts),
  )
  return { predicates: new Map(filters.flatMap(({ predicates }) => [...predicates])) }
}

function scopesOf(
  registry: Registry,
  names: readonly string[],
  tenant: string,
): readonly WatchScope[] {
  if (names.length === 0) return [{ subject: 'all-resources', tenant, kind: null }]
  const kinds = names.flatMap((name) => registry.find(name) ?? [])
  const [first, ...others] = kinds
  if (first === undefined) return []
  // A search of one kind may use the fields that only this kind has.
  if (names.length === 1) return [{ subject: 'resources', tenant, kind: first, ownerId: null }]
  return [first, ...others].map((kind) => ({ subject: 'all-resources', tenant, kind }))
}
