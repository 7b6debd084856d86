import type { Database } from '../../store/database/database.ts'
import type { Table } from '../../store/tables/table.ts'
import { tenantTables } from './tenant-tables.ts'

const EXISTING_TRIGGERS = {
  name: 'existing_fence_triggers',
  text: `
    select tgname::text as trigger, relname::text as table
    from pg_trigger join pg_class on pg_class.oid = tgrelid
    where relnamespace = current_schema()::regnamespace and tgname like 'fence_%'`,
}

/**
 * Makes the database a shard with this name, unless it is one already: from then on it accepts writes
 * of its active tenants only. Returns the name of the shard, which is another one if the database
 * belongs to another shard.
 */
export async function joinShard(
  database: Database,
  tables: readonly Table[],
  name: string,
): Promise<string> {
  await database.withPrisma('name_shard', (prisma) =>
    prisma.shard.createMany({ data: { name }, skipDuplicates: true }),
  )
  const found = await shardNameOf(database)
  if (found !== null && found !== name) return found
  await database.transaction(async (transaction) => {
    const existing = await transaction.execute<{ trigger: string; table: string }>(
      EXISTING_TRIGGERS,
      [],
    )
    const names = new Set(existing.map(({ trigger, table }) => `${table} ${trigger}`))
    for (const { table, column, fenced } of tenantTables(tables)) {
      for (const operation of fenced) {
        if (names.has(`${table} fence_${operation}`)) continue
        // Every part of the text is a constant of this program.
        await transaction.execute(
          {
            name: `create_fence_${operation}_${table}`,
            text: `
              create or replace trigger fence_${operation} after ${operation} on ${table}
              referencing ${operation === 'delete' ? 'old' : 'new'} table as written
              for each statement execute function require_active_tenants('${column}')`,
          },
          [],
        )
      }
    }
  })
  return name
}

/** The name of the shard that a database is; null if it is none. */
export async function shardNameOf(database: Database): Promise<string | null> {
  const found = await database.withPrisma('read_shard_name', (prisma) => prisma.shard.findFirst())
  return found?.name ?? null
}
