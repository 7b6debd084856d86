import sql from 'sql-template-tag'
import { claimWork } from '../../src/adapter-work/storage/claim-work.ts'
import { dueReason } from '../../src/adapter-work/storage/due-reason.ts'
import { followLog } from '../../src/adapter-work/storage/follow-log.ts'
import type { WorkQueue } from '../../src/adapter-work/storage/work-queue.ts'
import { wakeWork } from '../../src/adapter-work/storage/wake-work.ts'
import { endLease } from '../../src/hyperfleet/statuses/storage/end-lease.ts'
import { sequenceChanges } from '../../src/store/changes/sequence-changes.ts'
import type { Database } from '../../src/store/database/database.ts'
import { claim, enqueue, finish, remove } from './generic-queue.ts'
import { named, type Pair } from './load.ts'

const CLUSTERS = 1000
const CHANGED = 400
const CLAIMED = 20
const QUEUE: WorkQueue = {
  adapter: 'dns',
  kind: 'Cluster',
  isRequired: true,
  maxAgeSeconds: null,
  tenant: null,
}

/** 1 000 clusters of 10 tenants that an adapter has reported on. */
export const FILL_CLUSTERS = `
  insert into resources (id, kind, name, generation, version, spec, labels, conditions, cond,
    created_time, updated_time, created_by, updated_by, tenant)
  select 'cluster-' || n, 'Cluster', 'cluster-' || n, 1, 1, '{"region": "europe"}', '{"team": "blue"}',
    '[]', '{}', now(), now(), 'bench', 'bench', 'tenant-' || n % 10
  from generate_series(1, ${CLUSTERS}) as n;
  insert into adapter_statuses (resource_id, adapter, observed_generation, revision, conditions, data,
    created_time, last_report_time, observed_time, condition_type)
  select 'cluster-' || n, 'dns', 1, 1, '[]', '{}', now(), now(), now(), 'DnsSuccessful'
  from generate_series(1, ${CLUSTERS}) as n;
  insert into adapter_queues (adapter, kind, epoch, revision, filled_time, is_filled, used_time)
  select 'dns', 'Cluster', epoch, revision, now(), true, now() from head;`

/** New generations of 400 clusters, in the log. */
async function change(database: Database): Promise<void> {
  // The first run renews the epoch.
  await sequenceChanges(database, 'resources', { limit: 10_000 })
  await database.pool.query(`
    update adapter_queues set epoch = head.epoch, revision = head.revision, is_filled = true
    from head where adapter_queues.epoch <> head.epoch`)
  await database.pool.query(`
    update resources set generation = generation + 1, version = version + 1
    where id in (select id from resources order by hashtext(id || version) limit ${CHANGED})`)
  await sequenceChanges(database, 'resources', { limit: 10_000 })
}

async function oldRun(database: Database): Promise<void> {
  await followLog(database, QUEUE)
  for (let done = 0; done < CHANGED;) {
    const claimed = await claimWork(database, {
      queue: QUEUE,
      filter: null,
      limit: CLAIMED,
      leaseSeconds: 30,
      nonce: 'nonce',
    })
    if (claimed.leased.length === 0) throw new Error(`no work after ${done}`)
    for (const { resource_id: resourceId, token } of claimed.leased)
      if (!(await endLease(database, { adapter: 'dns', resourceId, token })))
        throw new Error('lost')
    done += claimed.leased.length
  }
}

const KIND = 'work/dns/Cluster'
const REASON = dueReason(QUEUE, sql`false`)
/** `dueReason` as text, with its values from $n. */
function reasonFrom(first: number): string {
  return REASON.text.replaceAll(/\$(\d+)/g, (_, index) => `$${Number(index) + first - 1}`)
}

const FOLLOW = named(
  'generic_follow_log',
  `with cursor as materialized (
    select epoch, revision from adapter_queues where adapter = 'dns' and kind = 'Cluster' for update
  ), ids as materialized (
    select distinct resource_id from changes
    where revision > (select revision from cursor) and changes.kind = 'Cluster'
      and revision <= (select revision from cursor) + 2000
      and (type <> 'MODIFIED' or old_generation is distinct from generation
        or old_required_adapters is distinct from required_adapters)
  ), item as materialized (
    select r.tenant, r.id as key, 1 as count
    from ids join resources as r on r.id = ids.resource_id
      left join adapter_statuses as s on s.resource_id = r.id and s.adapter = 'dns'
    where (${reasonFrom(1)}) is not null
  ), ${enqueue(KIND)}
  update adapter_queues set revision = head.revision from head, cursor
  where adapter = 'dns' and kind = 'Cluster' returning (select count(*) from enqueued)`,
)

const CLAIM = named(
  'generic_claim_work',
  `with ${claim(KIND, '$1::integer')}, facts as materialized (
    select claimed.key, claimed.lease, claimed.attempt, r.id is null as is_gone,
      ${reasonFrom(2)} as reason
    from claimed left join resources as r on r.id = claimed.key
      left join adapter_statuses as s on s.resource_id = claimed.key and s.adapter = 'dns'
  )
  select key, lease, attempt, is_gone, reason from facts`,
)

const REMOVE = named(
  'generic_end_lease',
  `with ${remove(KIND, '$1::text', '$2::bigint')} select key from removed`,
)

interface Claimed {
  readonly key: string
  readonly lease: bigint
  readonly reason: string | null
}

async function newRun(database: Database): Promise<void> {
  await database.execute(FOLLOW, REASON.values)
  for (let done = 0; done < CHANGED;) {
    const claimed = await database.execute<Claimed>(CLAIM, [CLAIMED, ...REASON.values])
    if (claimed.length === 0) throw new Error(`no work after ${done}`)
    for (const { key, lease } of claimed)
      if ((await database.execute(REMOVE, [key, lease])).length === 0) throw new Error('lost')
    done += claimed.length
  }
}

/** New generations are queued from the log, leased in batches, and completed one by one. */
export const work: Pair = {
  old: { prepare: change, run: oldRun, operations: CHANGED },
  new: { prepare: change, run: newRun, operations: CHANGED },
}

const AGED: WorkQueue = { ...QUEUE, maxAgeSeconds: 60 }

/** Rows whose time has come, although the adapter has reported since: heartbeats write no rows. */
function aged(rows: string) {
  return async ({ pool }: Database): Promise<void> => {
    await pool.query('update resources set generation = 1 where generation <> 1')
    await pool.query('update adapter_statuses set last_report_time = now()')
    await pool.query(rows)
  }
}

const OLD_ROWS = `
  truncate adapter_work;
  insert into adapter_work (resource_id, adapter, kind, tenant, generation, reported_time)
  select id, 'dns', kind, tenant, generation, now() - interval '61 seconds' from resources`
const NEW_ROWS = `
  truncate queue;
  insert into queue (kind, key, tenant, due_time, pending)
  select '${KIND}', id, tenant, now() - interval '1 second', 1 from resources`

const REST = named(
  'generic_rest_work',
  `with result as (
    select * from unnest($1::text[], $2::bigint[], $3::text[], $4::float8[])
      as result (key, lease, state, delay)
  ), ${finish(KIND)}
  select key from finished`,
)

async function newWake(database: Database): Promise<void> {
  const claimed = await database.execute<Claimed>(CLAIM, [CLUSTERS, ...REASON.values])
  if (claimed.some(({ reason }) => reason !== null)) throw new Error('due')
  await database.execute(REST, [
    claimed.map(({ key }) => key),
    claimed.map(({ lease }) => lease),
    claimed.map(() => 'pending'),
    claimed.map(() => 60),
  ])
}

/** A lease request for reports that are older than a minute finds newer ones. */
export const ages: Pair = {
  old: {
    prepare: aged(OLD_ROWS),
    run: async (database) => {
      if ((await wakeWork(database, AGED)).count !== CLUSTERS) throw new Error('not woken')
    },
    operations: CLUSTERS,
  },
  new: { prepare: aged(NEW_ROWS), run: newWake, operations: CLUSTERS },
}
