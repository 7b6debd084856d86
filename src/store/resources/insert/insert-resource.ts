import type { Resource } from '../../model/resource.ts'
import type { Database } from '../../database/database.ts'
import { allTargetsLive, lockedTargets } from '../../references/reference-targets.ts'
import { INSERTED_COLUMNS, type InsertedColumn, newRow } from '../resource-row.ts'

/** A parameter after those of the row; `position` starts at 1. */
export function parameterAfterRow(position: number): string {
  return `$${INSERTED_COLUMNS.length + position}`
}

const PARENT_KIND = `${parameterAfterRow(1)}::text`
export const TENANT = rowParameter('tenant')
const TARGETS = { ids: parameterAfterRow(2), kinds: parameterAfterRow(3), tenant: TENANT }

const ROW = INSERTED_COLUMNS.map(({ name, type }) => `${rowParameter(name)}::${type}`).join(', ')
const ROW_COLUMNS = INSERTED_COLUMNS.map(({ name }) => name).join(', ')

/** The parameter of a column of the row. */
function rowParameter(column: InsertedColumn): string {
  return `$${INSERTED_COLUMNS.findIndex(({ name }) => name === column) + 1}`
}

/**
 * The common table expression `inserted`. It locks the parent against deletion, then inserts the
 * row unless its name is taken. If a deletion holds the lock, the insertion waits and sees the
 * deletion. A root kind has no parent: its kind is null. A parent that declares its adapters has no
 * child without a declaration. `referring` also locks the targets of
 * references and inserts only if all of them are live. Parent and targets must have the resource's
 * tenant.
 */
export function insertedRow({ referring }: { readonly referring: boolean }): string {
  return `
    with parent as (
      select deleted_time is null as live, required_adapters from resources
      where id = ${rowParameter('owner_id')}::text and kind = ${PARENT_KIND} and tenant = ${TENANT}::text
      for share
    ), ${referring ? `${lockedTargets(TARGETS)}, ` : ''}inserted as (
      insert into resources (${ROW_COLUMNS})
      select ${ROW}
      where (${PARENT_KIND} is null or exists (
        select 1 from parent where live
          and (required_adapters is null or ${rowParameter('required_adapters')}::jsonb is not null)))
        ${referring ? `and ${allTargetsLive(TARGETS)}` : ''}
      on conflict (tenant, kind, owner_id, name) where deleted_time is null do nothing
      returning id
    )`
}

/** Columns: whether the parent is live; null if the parent does not exist. And its declaration. */
export const PARENT_STATE = `${PARENT_KIND} is null or (select live from parent) as parent_live,
      (select required_adapters from parent) as parent_adapters`

const INSERT_RESOURCE = {
  name: 'insert_resource',
  text: `${insertedRow({ referring: false })}
    select exists (select 1 from inserted) as inserted, ${PARENT_STATE}`,
}

export type InsertOutcome =
  | 'inserted'
  | 'parent-missing'
  | 'parent-deleted'
  | 'name-taken'
  /** The parent declares the adapters that it and its children require. */
  | { readonly requiredAdapters: readonly string[] }

/** The row that an insert statement returns. */
export interface InsertRow {
  readonly inserted: boolean
  readonly parent_live: boolean | null
  readonly parent_adapters: readonly string[] | null
}

/** Stores a new resource without references; `parentKind` is null for a root kind. */
export async function insertResource(
  database: Database,
  resource: Resource,
  parentKind: string | null,
): Promise<InsertOutcome> {
  const values = insertValues(resource, parentKind)
  const [row] = await database.execute<InsertRow>(INSERT_RESOURCE, values)
  return insertOutcome(row, resource)
}

/** The outcome of an insert whose targets, if any, are live. */
export function insertOutcome(
  row: InsertRow | undefined,
  { requiredAdapters }: Pick<Resource, 'requiredAdapters'>,
): InsertOutcome {
  if (row?.inserted === true) return 'inserted'
  const live = row?.parent_live ?? null
  if (live === null) return 'parent-missing'
  if (!live) return 'parent-deleted'
  const declared = row?.parent_adapters ?? null
  return declared === null || requiredAdapters !== null
    ? 'name-taken'
    : { requiredAdapters: declared }
}

/** The parameters of the row and the parent's kind. */
export function insertValues(resource: Resource, parentKind: string | null): readonly unknown[] {
  const row = newRow(resource)
  const values = INSERTED_COLUMNS.map(({ name, type }) => {
    const value = row[name]
    const isJson = value !== null && (type === 'jsonb' || type === 'json')
    return isJson ? JSON.stringify(value) : value
  })
  return [...values, parentKind]
}
