import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { Database } from '../../src/store/database/database.ts'

/** Lists whose stored total is not the number of their rows, all in one snapshot. */
export const DIFFERENCES = `
  with list as (
    select distinct kind, parent, of_tenant
    from (select kind, owner_id, tenant from resources
      union select kind, owner_id, tenant from resource_counts
      union values ('Cluster', '', ''), ('NodePool', 'gone', '')) as keys
    cross join lateral (values (null), (nullif(owner_id, ''))) as below (parent)
    cross join lateral (values (null), (tenant)) as belonging (of_tenant)
  )
  select * from (
    select list.*, resource_total(array[kind], parent, of_tenant) as total,
      (select count(*) from resources
       where resources.kind = list.kind and (parent is null or owner_id = parent)
         and (of_tenant is null or tenant = of_tenant)) as rows
    from list) as totals
  where total <> rows
  union all
  select null, null, null, resource_total(array['Cluster', 'NodePool'], null, null), count(*)
  from resources having resource_total(array['Cluster', 'NodePool'], null, null) <> count(*)`

/** Inserts `count` resources. One in three is a cluster; two are node pools below another one. */
export function insertSome(count: number, prefix = 'made'): string {
  return `
    insert into resources (id, kind, name, owner_id, generation, version, spec, labels, conditions,
      cond, created_time, updated_time, created_by, updated_by)
    select '${prefix}-' || n, case n % 3 when 0 then 'Cluster' else 'NodePool' end,
      '${prefix}-' || n, case n % 3 when 0 then '' else 'parent-' || n % 5 end, 1, 1,
      '{}', '{}', '[]', '{}', now(), now(), 'a', 'a'
    from generate_series(1, ${count}) as n`
}

interface Counters {
  /** Additions and removals that are not counted yet. */
  readonly waiting: number
  /** Counters that the sequencer has written. */
  readonly counted: number
  /** All resources. */
  readonly total: number
}

export async function countersOf(database: Database): Promise<Counters> {
  const { rows } = await database.pool.query<Counters>(`
    select (select count(*) from outbox where type <> 'MODIFIED')::integer as waiting,
      (select count(*) from resource_counts)::integer as counted,
      (select count(*) from resources)::integer as total`)
  return rows[0] ?? { waiting: 0, counted: 0, total: 0 }
}

/** Adds, changes, soft-deletes and removes resources. Some of the transactions roll back. */
export async function startCountedWriter(
  url: string,
  seed: number,
  signal: AbortSignal,
): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  for (let step = 0; !signal.aborted; step += 1) {
    await sleep(Math.random() * 10)
    await client.query('begin')
    try {
      for (const statement of transactionOf(`w${seed}-${step}`)) await client.query(statement)
      await client.query(Math.random() < 0.75 ? 'commit' : 'rollback')
    } catch (error) {
      await client.query('rollback')
      // Two writers removed rows of the same tree in another order.
      if (!(error instanceof pg.DatabaseError) || error.code !== '40P01') throw error
    }
  }
  await client.end()
}

function transactionOf(prefix: string): readonly string[] {
  const any = STATEMENTS[Math.floor(Math.random() * STATEMENTS.length)] ?? []
  return any.map((statement) => statement.replaceAll('$prefix', prefix))
}

const SOME = `id in (select id from resources order by random() limit 10)`

const STATEMENTS: readonly (readonly string[])[] = [
  [insertSome(7, '$prefix')],
  [insertSome(3, '$prefix'), `update resources set tenant = tenant where ${SOME}`],
  [
    `savepoint half`,
    insertSome(5, '$prefix-a'),
    'rollback to half',
    insertSome(2, '$prefix-b'),
    `delete from resources where id like '$prefix-b%'`,
    insertSome(4, '$prefix-b'),
  ],
  [
    // Of a tenant, in the form that requests write.
    `insert into resources (id, kind, name, generation, version, spec, labels, conditions, cond,
       created_time, updated_time, created_by, updated_by, tenant)
     values ('$prefix', 'Cluster', '$prefix', 1, 1, '{}', '{}', '[]', '{}', now(), now(), 'a', 'a',
       'org=' || (random() * 3)::integer)`,
  ],
  [`update resources set deleted_time = now(), version = version + 1 where ${SOME}`],
  [`delete from resources where ${SOME}`],
  [`delete from resources where owner_id = 'parent-' || (random() * 5)::integer`],
]
