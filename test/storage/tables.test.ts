import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import type { Capability } from '../../src/capability/capability.ts'
import { CAPABILITIES } from '../../src/cmd/capabilities.ts'
import { TABLES } from '../../src/cmd/tables.ts'
import { tenantTables } from '../../src/shards/storage/tenant-tables.ts'
import { createTestDatabase } from '../support/test-database.ts'
import { query } from '../shards/query.ts'

const SOURCE = fileURLToPath(new URL('../../src', import.meta.url))

const EXISTING = `
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

/** The statements that name a table of another capability. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  'hyperfleet/statuses/storage/complete-lease.ts': 'a report ends its lease in one statement',
  'hyperfleet/statuses/storage/end-lease.ts': 'a report ends its lease in one transaction',
  'hyperfleet/statuses/storage/write-reports.ts': 'reports end their leases in one statement',
  'overview/storage/read-preceding-changes.ts': 'the change before a failure is in the history',
  'shards/storage/await-history.ts': 'a move copies the history of the changes before it',
  'shards/storage/count-running-sandboxes.ts': 'a tenant does not leave its running sandboxes',
  'store/objects/storage/remove-planes.ts': 'a root plane stays until its tenant has departed',
}

test('every table of the schema is declared by its owner, with its key', async () => {
  await using database = await createTestDatabase()
  const existing = await query<{ name: string }>(database.url, EXISTING)
  const declared = TABLES.filter(({ isFormer }) => isFormer !== true).map(({ name }) => name)
  expect(declared.toSorted()).toEqual(existing.map(({ name }) => name))
  for (const { table, column, key } of tenantTables(TABLES)) {
    const columns = await query<{ name: string }>(database.url, COLUMNS, [table])
    expect(columns.map(({ name }) => name)).toContain(column)
    const found = await query<{ name: string }>(database.url, KEYS, [table])
    expect(found.map(({ name }) => name)).toEqual(key)
  }
})

describe('the tables of a capability', () => {
  test('are named by its own folder only, apart from stated exceptions', async () => {
    const owners = CAPABILITIES.flatMap((capability: Capability) =>
      (capability.tables ?? []).map(({ name }) => ({ folder: capability.name, name })),
    )
    const files = await readdir(SOURCE, { recursive: true })
    const naming = new Set<string>()
    for (const file of files.filter((one) => one.endsWith('.ts'))) {
      const text = await readFile(path.join(SOURCE, file), 'utf8')
      for (const { folder, name } of owners) {
        if (file.startsWith(`${folder}/`)) continue
        if (new RegExp(`\\b(from|join|into|update|table) ${name}\\b`).test(text)) naming.add(file)
      }
    }
    expect([...naming].toSorted()).toEqual(Object.keys(EXCEPTIONS).toSorted())
  })
})
