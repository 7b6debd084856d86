import sql, { join, raw, type Sql } from 'sql-template-tag'
import type { Database } from '../../database/database.ts'
import type { FleetQuery } from '../model/fleet-query.ts'
import type { StoredObject } from '../model/stored-object.ts'
import { OBJECT_COLUMNS, objectOf, type ObjectRow } from './object-row.ts'

const READ_PLANES = {
  name: 'read_planes',
  text: `
    select plane from planes where plane > $1::text and removed_time is null
    order by plane limit $2::integer`,
}

/** The stored objects of all planes that meet the conditions, in the order of their keys. */
export async function readFleet(
  database: Database,
  query: FleetQuery,
): Promise<readonly StoredObject[]> {
  const statement = sql`
    select ${raw(OBJECT_COLUMNS)} from objects
    where ${join(conditionsOf(query), ' and ')}
    order by objects.plane, objects.resource, objects.namespace, objects.name
    limit ${query.limit}::integer`
  return (await database.query<ObjectRow>('read_fleet', statement)).map(objectOf)
}

function conditionsOf(query: FleetQuery): readonly Sql[] {
  const { plane, resource, ownerUid, createdBefore, after } = query
  const conditions = [sql`not objects.is_tombstone`]
  if (plane !== undefined) conditions.push(sql`objects.plane = ${plane}::text`)
  if (resource !== undefined) conditions.push(sql`objects.resource = ${resource}::text`)
  // The condition of the index of owners.
  if (query.isOwned || ownerUid !== undefined) conditions.push(sql`objects.owner_uids <> '{}'`)
  if (query.uid !== undefined) conditions.push(sql`objects.uid = ${query.uid}::text`)
  if (ownerUid !== undefined) conditions.push(sql`objects.owner_uids @> ${[ownerUid]}::text[]`)
  if (query.isTerminating) conditions.push(sql`objects.deleted_time is not null`)
  if (createdBefore) conditions.push(sql`objects.created_time < ${createdBefore}::timestamptz`)
  if (after !== null) {
    conditions.push(sql`
      (objects.plane, objects.resource, objects.namespace, objects.name) > (
        ${after.plane}::text, ${after.resource}::text, ${after.namespace}::text,
        ${after.name}::text)`)
  }
  return conditions
}

/** The IDs of planes that have been written to, in order. */
export async function readPlanes(
  database: Database,
  after: string,
  limit: number,
): Promise<readonly string[]> {
  const rows = await database.execute<{ plane: string }>(READ_PLANES, [after, limit])
  return rows.map(({ plane }) => plane)
}
