import { readFile } from 'node:fs/promises'
import type { Database } from '../../src/store/database/database.ts'

/** The columns of an object's change, which changes of resources leave null. */
const OBJECT_COLUMNS = `
  add column plane text collate "C", add column plane_revision bigint,
  add column resource text collate "C", add column namespace text collate "C",
  add column body json, add column managed_fields json, add column before json`

const NULLABLE = ['version', 'generation', 'created_time', 'conditions']
  .map((column) => `alter column ${column} drop not null`)
  .join(', ')

const TABLES = `
  alter table outbox ${OBJECT_COLUMNS}, ${NULLABLE};
  alter table changes ${OBJECT_COLUMNS}, ${NULLABLE};
  drop index changes_by_resource;
  create index changes_by_resource on changes (resource_id, revision) where plane is null;
  create index changes_by_plane on changes (plane, plane_revision) where plane is not null;
  drop table object_outbox, object_changes;`

/** Turns a migrated database into the prototype: one outbox, one sequencer, one log. */
export async function installOneLog(database: Database): Promise<void> {
  await database.pool.query(TABLES)
  const file = new URL('../../prisma/functions/write_objects.sql', import.meta.url)
  const today = await readFile(file, 'utf8')
  const prototype = today
    .replace(
      /insert into object_outbox \([^)]*\)/,
      `insert into outbox (
      type, plane, resource, namespace, name, resource_id, plane_revision, body, managed_fields,
      labels, before)`,
    )
    .replace('managed_fields, labels::json, before\n', 'managed_fields, labels, before\n')
  if (!prototype.includes('insert into outbox') || prototype.includes('labels::json')) {
    throw new Error('write_objects has changed: adapt the prototype')
  }
  await database.pool.query(prototype)
}
