import sql from 'sql-template-tag'
import { describe, expect, it } from 'vitest'
import { readChanges } from '../../src/store/changes/read-changes.ts'
import type { Database } from '../../src/store/database/database.ts'
import { configurationLoader } from '../../src/store/objects/storage/load-configuration.ts'
import { readForReports } from '../../src/hyperfleet/statuses/storage/read-for-reports.ts'
import {
  type ConditionsWrite,
  writeReports,
} from '../../src/hyperfleet/statuses/storage/write-reports.ts'
import { readObjects } from '../../src/store/objects/storage/read-objects.ts'
import { readResources } from '../../src/store/resources/read-resources.ts'
import { readRevisions } from '../../src/store/objects/storage/read-revisions.ts'
import { findRoots } from '../../src/store/resources/find-root.ts'
import { openTestDatabase } from '../support/open-test-database.ts'
import { createTestDatabase } from '../support/test-database.ts'

/** PostgreSQL plans the first five executions for their values, and then decides. */
const PLANNED = 5
const EXECUTIONS = 12

function conditionsWrite(id: string): ConditionsWrite {
  const identity = { id, tenant: '', kind: 'Cluster', ownerId: '' }
  const state = { conditions: [], requiredAdapters: null, deletedTime: null }
  return { resource: { ...identity, ...state, generation: 1, version: 1n }, conditions: [] }
}

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
  read_for_reports: (database) => readForReports(database, ['c1', 'c2'], ['dns']),
  read_objects: (database) =>
    readObjects(database, [
      { plane: 'first', resource: 'configmaps', namespace: '', name: 'a' },
      { plane: 'second', resource: 'configmaps', namespace: '', name: 'a' },
    ]),
  read_resources: (database) =>
    readResources(database, [
      { id: 'c1', cachedVersion: 1n },
      { id: 'c2', cachedVersion: null },
    ]),
  write_reports: (database) =>
    writeReports(database, [conditionsWrite('c1'), conditionsWrite('c2')], []),
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
    await database.query('reports', REPORTS)
    await database.query(
      'analyze',
      sql`analyze resources, adapter_statuses, changes, outbox, planes, objects`,
    )
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

const REPORTS = sql`
  insert into adapter_statuses (
    resource_id, adapter, observed_generation, conditions, data, created_time, last_report_time,
    observed_time, condition_type, revision)
  select 'c' || number, adapter, 1, '[]', '{}', now(), now(), now(), '', 1
  from generate_series(1, 4000) as number, unnest('{dns,storage}'::text[]) as adapter`

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
