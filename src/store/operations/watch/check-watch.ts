import { notFound } from '../../../lib/errors.ts'
import { resourceExists } from '../../resources/resource-exists.ts'
import type { Context } from '../context.ts'
import { keyOf } from '../read/read-resource.ts'
import { requireParent } from '../read/require-parent.ts'
import { type WatchFilter, watchFilter } from './watch-filter.ts'
import type { WatchScope } from './watch-scope.ts'

export interface Watchable {
  readonly scope: WatchScope
  /** TSL texts that an item must all match; empty for no filter. */
  readonly search: readonly string[]
}

/**
 * The filter of a watch. Fails with `invalid-search`, or with `not-found` if the parent or the
 * resource does not exist.
 */
export async function checkWatch(
  context: Pick<Context, 'registry' | 'database'>,
  { scope, search }: Watchable,
): Promise<WatchFilter> {
  const filter = watchFilter(context.registry, scope, search)
  await requireScope(context, scope)
  return filter
}

async function requireScope(context: Pick<Context, 'database'>, scope: WatchScope): Promise<void> {
  if (scope.subject === 'statuses') {
    const { target } = scope
    const exists = await resourceExists(context.database, keyOf(target))
    if (!exists) throw notFound(target.kind.kind, target.id)
    return
  }
  if (scope.subject === 'all-resources' || scope.ownerId === null) return
  const { tenant, kind, ownerId } = scope
  await requireParent(context, { tenant, kind, ownerId })
}
