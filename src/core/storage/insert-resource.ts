import type { Resource } from '../model/resource.ts'
import type { Database } from './database.ts'
import { conditionMap } from './resource-row.ts'

/**
 * One statement: the parent is locked against removal, then the row goes in unless its name is
 * taken. A root kind has no parent: $15 is null.
 */
const INSERT_RESOURCE = {
  name: 'insert_resource',
  text: `
    with parent as (
      select id from resources
      where id = $4::text and kind = $15::text and deleted_time is null
      for key share
    ), inserted as (
      insert into resources (
        id, kind, name, owner_id, generation, version, spec, labels, conditions, cond,
        created_time, updated_time, created_by, updated_by)
      select $1::text, $2::text, $3::text, $4::text, $5::integer, $6::bigint, $7::jsonb, $8::jsonb,
        $9::json, $10::jsonb, $11::timestamptz, $12::timestamptz, $13::text, $14::text
      where $15::text is null or exists (select 1 from parent)
      on conflict (kind, owner_id, name) where deleted_time is null do nothing
      returning id
    )
    select exists (select 1 from inserted) as inserted,
      $15::text is null or exists (select 1 from parent) as parent_found`,
}

export type InsertOutcome = 'inserted' | 'parent-missing' | 'name-taken'

/** Stores a new resource; `parentKind` is null for a root kind. */
export async function insertResource(
  database: Database,
  resource: Resource,
  parentKind: string | null,
): Promise<InsertOutcome> {
  const rows = await database.execute<{ inserted: boolean; parent_found: boolean }>(
    INSERT_RESOURCE,
    [
      resource.id,
      resource.kind,
      resource.name,
      resource.ownerId,
      resource.generation,
      resource.version,
      JSON.stringify(resource.spec),
      JSON.stringify(resource.labels),
      JSON.stringify(resource.conditions),
      JSON.stringify(conditionMap(resource.conditions)),
      resource.createdTime,
      resource.updatedTime,
      resource.createdBy,
      resource.updatedBy,
      parentKind,
    ],
  )
  if (rows[0]?.inserted === true) return 'inserted'
  return rows[0]?.parent_found === true ? 'name-taken' : 'parent-missing'
}
