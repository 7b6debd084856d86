import { compareText } from '../../lib/text/compare-text.ts'
import type { Database } from '../database/database.ts'
import type { ObjectPage, ObjectQuery } from './model/object-query.ts'
import type { StoredObject } from './model/stored-object.ts'
import { fieldText } from './selection/field-text.ts'
import { matchesSelector } from './selection/matches-selector.ts'
import { labelsOf } from './selection/object-metadata.ts'
import { listObjects } from './storage/list-objects.ts'

/** A page to read, and the objects of it that are not stored. */
export interface ListQuery extends ObjectQuery {
  /** The revision of the plane if it has no row. */
  readonly start: bigint
  /** Objects of the resource that are not stored, unless a row replaces or hides them. */
  readonly computedObjects: readonly StoredObject[]
}

/** Reads a page of stored and computed objects. */
export async function listWithComputed(
  database: Database,
  { computedObjects, ...query }: ListQuery,
): Promise<ObjectPage> {
  const { limit } = query
  const computed = computedObjects.filter((object) => isListed(object, query))
  const page = await listObjects(database, {
    ...query,
    // One more row shows whether there are more.
    limit: limit === null ? null : limit + 1,
    hasTombstones: computedObjects.length > 0,
    computed: {
      namespaces: computed.map(({ namespace }) => namespace),
      names: computed.map(({ name }) => name),
    },
  })
  const replaced = new Set(page.replaced)
  const visible = computed.flatMap((object, index): StoredObject[] =>
    replaced.has(index) ? [] : [{ ...object, isComputed: true }],
  )
  const all =
    visible.length === 0 ? page.objects : [...page.objects, ...visible].sort(compareObjects)
  const hasMore = limit !== null && all.length > limit
  return {
    objects: hasMore ? all.slice(0, limit) : all,
    revision: page.revision,
    remaining: hasMore ? remainingAfter(limit, page.total, visible.length) : 0,
    hasMore,
  }
}

function remainingAfter(limit: number, total: number | null, computed: number): number | null {
  return total === null ? null : total + computed - limit
}

function isListed(object: StoredObject, { namespace, after, selector }: ObjectQuery): boolean {
  if (namespace !== '' && object.namespace !== namespace) return false
  if (after !== null && compareKeys(object, after) <= 0) return false
  const { body } = object
  const fieldOf = (path: string): string => fieldText(body, path)
  return matchesSelector(selector, { ...object, labels: labelsOf(body), fieldOf })
}

type Position = Pick<StoredObject, 'namespace' | 'name'>

function compareObjects(first: StoredObject, second: StoredObject): number {
  return compareKeys(first, second)
}

function compareKeys(first: Position, second: Position): number {
  return compareText(first.namespace, second.namespace) || compareText(first.name, second.name)
}
