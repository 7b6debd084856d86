import { TABLES } from '../../../src/cmd/tables.ts'
import pg from 'pg'
import { joinShard } from '../../../src/shards/storage/join-shard.ts'
import { openTestDatabase } from '../../support/open-test-database.ts'
import { withDatabase } from '../typescript-sdk/with-database.ts'
import { migrateDatabase } from './migrate-database.ts'

const ROWS = 2000
const ROUNDS = 7
const TENANT = '{"org":"a"}'

const SEED = `
  with tenant as (
    insert into tenant_states (tenant, state, revision) values ('${TENANT}', 'active', 1)
  ), seeded as (
    insert into resources (
      id, kind, name, generation, version, spec, labels, conditions, cond, created_time,
      updated_time, created_by, updated_by, tenant)
    select 'r' || n, 'Cluster', 'r' || n, 1, 1, jsonb_build_object('x', repeat('x', 800)), '{}', '[]',
      '{}', now(), now(), 'me', 'me', '${TENANT}'
    from generate_series(1, ${ROWS}) as n
    returning id
  )
  insert into adapter_statuses (
    resource_id, adapter, observed_generation, revision, conditions, data, created_time,
    last_report_time, observed_time, condition_type)
  select id, 'validator', 1, 1, '[]', jsonb_build_object('x', repeat('x', 500))::json, now(), now(),
    now(), 'ValidatorSuccessful'
  from seeded`

/** One statement for each row, or one for all rows, in the database only. */
const WRITES: Readonly<Record<string, string>> = {
  'heartbeats, one by one': `
    do $$ begin
      for n in 1..${ROWS} loop
        update adapter_statuses set last_report_time = clock_timestamp(), revision = revision + 1
        where resource_id = 'r' || n and adapter = 'validator';
      end loop;
    end $$`,
  'heartbeats, batches of 64': `
    do $$ begin
      for n in 0..${ROWS / 64 - 1} loop
        update adapter_statuses set last_report_time = clock_timestamp(), revision = revision + 1
        where resource_id = any(array(
          select 'r' || i from generate_series(n * 64 + 1, n * 64 + 64) as i));
      end loop;
    end $$`,
  'changes of clusters': `
    do $$ begin
      for n in 1..${ROWS} loop
        update resources set version = version + 1, updated_time = clock_timestamp()
        where id = 'r' || n;
      end loop;
    end $$`,
}

/** Compares writes with and without the triggers of a shard, in alternating rounds. */
export async function measureFence(print: (line: string) => void): Promise<void> {
  await withDatabase(async (url) => {
    await migrateDatabase(url)
    await using database = openTestDatabase(url)
    await joinShard(database, TABLES, 'a')
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    try {
      await client.query(SEED)
      for (const [name, text] of Object.entries(WRITES)) {
        const best = { enable: Infinity, disable: Infinity }
        for (let round = 0; round < ROUNDS; round += 1) {
          for (const mode of ['enable', 'disable'] as const) {
            await client.query(`alter table adapter_statuses ${mode} trigger fence_update`)
            await client.query(`alter table resources ${mode} trigger fence_update`)
            const start = performance.now()
            await client.query(text)
            best[mode] = Math.min(best[mode], performance.now() - start)
            await client.query('delete from outbox')
          }
        }
        const micros = (ms: number): string => ((ms * 1000) / ROWS).toFixed(1)
        print(
          `  ${name.padEnd(28)} ${micros(best.disable).padStart(6)} us a row without, ` +
            `${micros(best.enable).padStart(6)} us with the fence`,
        )
      }
    } finally {
      await client.end()
    }
  })
}
