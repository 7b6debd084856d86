import type { Resource } from '../../../model/resource.ts'
import type { Database } from '../../database/database.ts'
import { allTargetsLive, lockedTargets } from '../../references/reference-targets.ts'
import { conditionMap } from '../resource-row.ts'

const TARGETS = { ids: '$19', kinds: '$20', tenant: '$17' }

/**
 * The common table expression `inserted`: the parent is locked against deletion, then the row goes
 * in unless its name is taken. A deletion that holds the lock first is waited for, and seen. A root
 * kind has no parent: $16 is null. What refers to others ($18) locks these too ($19, $20), and goes
 * in only if all of them are live. Parent and targets must be of the resource's tenant, $17.
 */
export function insertedRow({ referring }: { readonly referring: boolean }): string {
  return `
    with parent as (
      select deleted_time is null as live from resources
      where id = $4::text and kind = $16::text and tenant = $17::text
      for share
    ), ${referring ? `${lockedTargets(TARGETS)}, ` : ''}inserted as (
      insert into resources (
        id, kind, name, owner_id, generation, version, spec, labels, annotations,
        conditions, cond, created_time, updated_time, created_by, updated_by, tenant
        ${referring ? ', refs' : ''})
      select $1::text, $2::text, $3::text, $4::text, $5::integer, $6::bigint, $7::jsonb, $8::jsonb,
        $9::jsonb, $10::json, $11::jsonb, $12::timestamptz, $13::timestamptz, $14::text, $15::text,
        $17::text ${referring ? ', $18::jsonb' : ''}
      where ($16::text is null or exists (select 1 from parent where live))
        ${referring ? `and ${allTargetsLive(TARGETS)}` : ''}
      on conflict (tenant, kind, owner_id, name) where deleted_time is null do nothing
      returning id
    )`
}

/** A column: whether the parent is live; null where there is no such parent. */
export const PARENT_LIVE = '$16::text is null or (select live from parent) as parent_live'

const INSERT_RESOURCE = {
  name: 'insert_resource',
  text: `${insertedRow({ referring: false })}
    select exists (select 1 from inserted) as inserted, ${PARENT_LIVE}`,
}

export type InsertOutcome = 'inserted' | 'parent-missing' | 'parent-deleted' | 'name-taken'

/** What the statement of an insertion returns. */
export interface InsertRow {
  readonly inserted: boolean
  readonly parent_live: boolean | null
}

/** Stores a new resource that refers to nothing; `parentKind` is null for a root kind. */
export async function insertResource(
  database: Database,
  resource: Resource,
  parentKind: string | null,
): Promise<InsertOutcome> {
  const rows = await database.execute<InsertRow>(
    INSERT_RESOURCE,
    insertValues(resource, parentKind),
  )
  return insertOutcome(rows[0])
}

/** What became of an insertion whose targets, if any, are live. */
export function insertOutcome(row: InsertRow | undefined): InsertOutcome {
  if (row?.inserted === true) return 'inserted'
  const live = row?.parent_live ?? null
  if (live === null) return 'parent-missing'
  return live ? 'name-taken' : 'parent-deleted'
}

/** The parameters $1 to $17. */
export function insertValues(resource: Resource, parentKind: string | null): readonly unknown[] {
  return [
    resource.id,
    resource.kind,
    resource.name,
    resource.ownerId,
    resource.generation,
    resource.version,
    JSON.stringify(resource.spec),
    JSON.stringify(resource.labels),
    JSON.stringify(resource.annotations),
    JSON.stringify(resource.conditions),
    JSON.stringify(conditionMap(resource.conditions)),
    resource.createdTime,
    resource.updatedTime,
    resource.createdBy,
    resource.updatedBy,
    parentKind,
    resource.tenant,
  ]
}
