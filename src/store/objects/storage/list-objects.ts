import sql, { empty, join, raw, type Sql } from 'sql-template-tag'
import { must } from '../../../lib/assert.ts'
import type { Database } from '../../database/database.ts'
import type { ObjectQuery } from '../model/object-query.ts'
import type { StoredObject } from '../model/stored-object.ts'
import { listedObjectOf, OBJECT_COLUMNS, type ObjectRow } from './object-row.ts'
import { selectorConditions } from './selector-sql.ts'

/** The computed objects of the listed resource. */
interface ComputedKeys {
  readonly namespaces: readonly string[]
  readonly names: readonly string[]
}

/** A list of rows. */
export interface RowQuery extends ObjectQuery {
  /** The revision of the plane if it has no row. */
  readonly start: bigint
  readonly computed: ComputedKeys
  /** Whether the resource has computed objects, which tombstones hide. */
  readonly hasTombstones: boolean
}

/** Rows and the revision of their plane in the same snapshot. */
export interface RowPage {
  readonly revision: bigint
  readonly objects: readonly StoredObject[]
  /** The number of matching rows; null if it is unknown or large. */
  readonly total: number | null
  /** The positions in `computed` that a row replaces or hides. */
  readonly replaced: readonly number[]
}

interface PlaneColumns {
  readonly plane_revision: bigint
  readonly total: number | null
  readonly replaced: readonly number[] | null
}

type Row = PlaneColumns & (ObjectRow | { readonly [Column in keyof ObjectRow]: null })

/** Reads the first rows of a list, by namespace and name; at most `limit`. */
export async function listObjects(database: Database, query: RowQuery): Promise<RowPage> {
  const rows = await database.query<Row>('list_objects', statementOf(query))
  const { plane_revision: revision, replaced, total } = must(rows[0], 'the revision of a plane')
  const objects = rows.flatMap((row) => (row.plane === null ? [] : [listedObjectOf(row)]))
  const isKnown = total !== null && total <= MAX_COUNTED
  return { revision, objects, total: isKnown ? total : null, replaced: replaced ?? [] }
}

function statementOf({ plane, resource, start, computed, hasTombstones, ...query }: RowQuery): Sql {
  const limit = query.limit === null ? empty : sql`limit ${query.limit}::integer`
  return sql`
    select bounds.revision as plane_revision,
      ${replacedKeys(plane, resource, computed)} as replaced,
      ${totalOf({ plane, resource, ...query }, hasTombstones)} as total, listed.*
    from (
      select greatest(
        planes.revision, object_head.floor,
        case when planes.plane is null then ${start}::bigint end
      ) as revision
      from object_head left join planes on planes.plane = ${plane}::text
    ) as bounds
    left join lateral (
      select ${raw(OBJECT_COLUMNS)} from objects
      where ${join(conditionsOf({ plane, resource, ...query }), ' and ')}
      order by objects.namespace, objects.name ${limit}
    ) as listed on true`
}

/** A large collection is not counted, so that its lists stay fast. */
const MAX_COUNTED = 10_000

/** Without the condition on tombstones, PostgreSQL reads only the index: a third of the CPU. */
function totalOf(query: ObjectQuery, hasTombstones: boolean): Sql {
  if (query.countsRemaining !== true) return sql`null::integer`
  const conditions = hasTombstones ? conditionsOf(query) : rangeOf(query)
  return sql`(
    select count(*)::integer from (
      select from objects where ${join(conditions, ' and ')}
      limit ${MAX_COUNTED + 1}::integer
    ) as counted)`
}

function conditionsOf(query: ObjectQuery): readonly Sql[] {
  return [sql`not objects.is_tombstone`, ...rangeOf(query)]
}

function rangeOf(query: ObjectQuery): readonly Sql[] {
  const { plane, resource, namespace, after } = query
  return [
    sql`objects.plane = ${plane}::text and objects.resource = ${resource}::text`,
    ...(namespace === '' ? [] : [sql`objects.namespace = ${namespace}::text`]),
    ...(after === null
      ? []
      : [sql`(objects.namespace, objects.name) > (${after.namespace}::text, ${after.name}::text)`]),
    ...selectorConditions(query.selector),
  ]
}

function replacedKeys(plane: string, resource: string, { namespaces, names }: ComputedKeys): Sql {
  if (names.length === 0) return sql`null::integer[]`
  return sql`(
    select array_agg(computed.position::integer - 1)
    from unnest(${namespaces}::text[], ${names}::text[]) with ordinality
      as computed (namespace, name, position)
    join objects on objects.plane = ${plane}::text and objects.resource = ${resource}::text
      and objects.namespace = computed.namespace and objects.name = computed.name)`
}
