import { expect, test } from 'vitest'
import {
  RECORD_TABLES,
  STAYING_TABLES,
  TENANT_TABLES,
} from '../../src/shards/storage/tenant-tables.ts'
import { createTestDatabase } from '../support/test-database.ts'
import { query } from './shard-servers.ts'

const TABLES = `
  select relname::text as name from pg_class
  where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition
    and relname <> '_prisma_migrations'
  order by relname`

const COLUMNS = `
  select attname::text as name from pg_attribute
  where attrelid = $1::regclass and attnum > 0 and not attisdropped`

const KEYS = `
  select attname::text as name from pg_index
  join lateral unnest(indkey) with ordinality as key (number, position) on true
  join pg_attribute on attrelid = indrelid and attnum = key.number
  where indrelid = $1::regclass and indisprimary order by key.position`

test('every table of the schema moves with its tenant, is copied, or stays for a stated reason', async () => {
  await using database = await createTestDatabase()
  const tables = await query<{ name: string }>(database.url, TABLES)
  const moving = TENANT_TABLES.map(({ table }) => table)
  const known = [...moving, ...RECORD_TABLES, ...Object.keys(STAYING_TABLES)]
  expect(known.toSorted()).toEqual(tables.map(({ name }) => name))
  for (const { table, column, key } of TENANT_TABLES) {
    const columns = await query<{ name: string }>(database.url, COLUMNS, [table])
    expect(columns.map(({ name }) => name)).toContain(column)
    const found = await query<{ name: string }>(database.url, KEYS, [table])
    expect(found.map(({ name }) => name)).toEqual(key)
  }
})
