import type { Table, TenantRows } from '../../store/tables/table.ts'

/** A table whose rows move with their tenant. */
export interface TenantTable extends TenantRows {
  readonly table: string
}

/** The tables whose rows move, in an order that foreign keys allow. */
export function tenantTables(tables: readonly Table[]): readonly TenantTable[] {
  return tables.flatMap(({ name, move }) =>
    move === 'copied later' || 'stays' in move ? [] : [{ ...move, table: name }],
  )
}

/** The tables that are copied while the tenant is served in its new shard. */
export function recordTables(tables: readonly Table[]): readonly string[] {
  return tables.filter(({ move }) => move === 'copied later').map(({ name }) => name)
}
