import type { Database } from '../../database/database.ts'
import type { ObjectContent } from '../model/object-write.ts'
import { labelsOf, ownerUidsOf, timeOf } from '../selection/object-metadata.ts'

/** Rows of the outbox get their ids in the order of the revisions of their plane. */
const INSERT_OBJECTS = {
  name: 'insert_objects',
  text: `
    with input as materialized (
      select * from json_to_recordset($1::json) as input (
        plane text, resource text, namespace text, name text, uid text, revision bigint,
        managed_fields json, labels json, owner_uids text[], created_time timestamptz, body json)
    ), stored as (
      insert into objects (
        plane, resource, namespace, name, uid, revision, body, managed_fields, labels, owner_uids,
        created_time)
      select plane, resource, namespace, name, uid, revision, body::text::jsonb, managed_fields,
        labels::text::jsonb, owner_uids, created_time
      from input order by plane, revision
    )
    insert into object_outbox (
      type, plane, resource, namespace, name, uid, revision, body, managed_fields, labels)
    select 'ADDED', plane, resource, namespace, name, uid, revision, body, managed_fields, labels
    from input order by plane, revision`,
}

/** The record of a new object, as JSON text. `body` is its stored form as JSON text. */
export function insertRecord(content: ObjectContent, body: string, revision: bigint): string {
  const { key, uid, managedFields } = content
  const columns = JSON.stringify({
    plane: key.plane,
    resource: key.resource,
    namespace: key.namespace,
    name: key.name,
    uid,
    // JSON numbers cannot hold every revision.
    revision: String(revision),
    managed_fields: managedFields,
    labels: labelsOf(content.body),
    owner_uids: ownerUidsOf(content.body),
    created_time: timeOf(content.body, 'creationTimestamp') ?? new Date().toISOString(),
  })
  return `${columns.slice(0, -1)},"body":${body}}`
}

/**
 * Inserts objects and their changes. The transaction holds the locks of their planes, and their keys
 * are new.
 */
export async function insertObjects(
  transaction: Database,
  records: readonly string[],
): Promise<void> {
  await transaction.execute(INSERT_OBJECTS, [`[${records.join(',')}]`])
}
