import sql from 'sql-template-tag'
import { describe, expect, it } from 'vitest'
import { readChanges } from '../../src/store/changes/read-changes.ts'
import type { Database } from '../../src/store/database/database.ts'
import { configurationLoader } from '../../src/store/objects/storage/load-configuration.ts'
import { readRevisions } from '../../src/store/objects/storage/read-revisions.ts'
import { findRoots } from '../../src/store/resources/find-root.ts'
import { openTestDatabase } from '../support/open-test-database.ts'
import { createTestDatabase } from '../support/test-database.ts'

/** PostgreSQL plans the first five executions for their values, and then decides. */
const PLANNED = 5
const EXECUTIONS = 12

const loadConfigurations = configurationLoader(['limitranges', 'namespaces'])

const STATEMENTS: Readonly<Record<string, (database: Database) => Promise<unknown>>> = {
  find_roots: (database) =>
    findRoots(database, 'Cluster', [
      { reference: 'first', tenant: null },
      { reference: 'second', tenant: null },
    ]),
  load_configuration: (database) => loadConfigurations(database, [{ plane: 'p3', start: 1n }]),
  load_configurations: (database) =>
    loadConfigurations(database, [
      { plane: 'first', start: 1n },
      { plane: 'p3', start: 1n },
    ]),
  read_object_revisions: (database) =>
    readRevisions(database, [
      { plane: 'first', resource: 'configmaps', namespace: '', name: 'a' },
      { plane: 'second', resource: 'configmaps', namespace: '', name: 'a' },
    ]),
  read_changes: (database) => readChanges(database, 3990n, 500),
}

describe('a statement of a hot path whose values are few or recent', () => {
  it.each(Object.entries(STATEMENTS))('%s keeps one plan', async (name, execute) => {
    await using copy = await createTestDatabase()
    await using database = openTestDatabase(copy.url)
    await database.query('insert', INSERT_MANY)
    await database.query('log', sql`select sequence_changes(4000, null, null)`)
    await database.query('planes', PLANES)
    await database.query('objects', OBJECTS)
    await database.query('analyze', sql`analyze resources, changes, outbox, planes, objects`)
    const plans = await database.transaction(async (connection) => {
      for (let count = 0; count < EXECUTIONS; count += 1) await execute(connection)
      return connection.query<{ custom_plans: bigint; generic_plans: bigint }>(
        'plans',
        sql`select custom_plans, generic_plans from pg_prepared_statements where name = ${name}`,
      )
    })
    expect(plans.map((row) => [Number(row.custom_plans), Number(row.generic_plans)])).toEqual([
      [PLANNED, EXECUTIONS - PLANNED],
    ])
  })
})

describe('the configurations of planes with many other objects', () => {
  it.each([[['p1']], [['p1', 'p2']]])('of %j are found by an index', async (planes) => {
    await using copy = await createTestDatabase()
    await using database = openTestDatabase(copy.url)
    await database.query('planes', PLANES)
    await database.query('objects', OBJECTS)
    await database.query('analyze', sql`analyze planes, objects`)
    const scans = await database.transaction(async (connection) => {
      for (let count = 0; count < EXECUTIONS; count += 1) {
        const wanted = planes.map((plane) => ({ plane, start: 1n }))
        const loaded = await loadConfigurations(connection, wanted)
        expect(loaded.map(({ rows }) => rows.length)).toEqual(planes.map(() => 10))
      }
      return connection.query<{ seq_scan: bigint }>(
        'scans',
        sql`select seq_scan from pg_stat_xact_user_tables where relname = 'objects'`,
      )
    })
    expect(scans.map((row) => Number(row.seq_scan))).toEqual([0])
  })
})

const OBJECTS = sql`
  insert into objects (
    plane, resource, namespace, name, uid, revision, body, managed_fields, labels, owner_uids,
    created_time)
  select 'p' || (1 + number % 2), case when number <= 20 then 'namespaces' else 'configmaps' end,
    '', 'n' || number, 'u' || number, number, jsonb_build_object('data', repeat('x', 300)), '[]',
    '{}', '{}', now()
  from generate_series(1, 20000) as number`

const INSERT_MANY = sql`
  insert into resources (
    id, kind, name, generation, version, spec, labels, conditions, cond, created_time, updated_time,
    created_by, updated_by)
  select 'c' || number, 'Cluster', 'c' || number, 1, number, '{}', '{}', '[]', '{}', now(), now(),
    '', ''
  from generate_series(1, 4000) as number`

const PLANES = sql`
  insert into planes (plane, revision, compacted)
  select 'p' || number, 1, 1 from generate_series(1, 4000) as number`
