import type { Database } from '../../src/store/database/database.ts'

/**
 * One table for all queues. A row is ready (`turn`), waits for a time or is leased (`due_time`), rests
 * (`due_time` is infinity), or is dead. Tenants take turns, as in `adapter_work`.
 */
const SCHEMA = `
  create table queue (
    kind text collate "C" not null,
    key text collate "C" not null,
    tenant text collate "C" not null,
    turn bigint,
    due_time timestamptz not null default 'infinity',
    owner text collate "C",
    lease bigint not null default 0,
    attempt integer not null default 0,
    -- The items of the key that are not finished.
    pending integer not null,
    is_dead boolean not null default false,
    data jsonb not null default '{}',
    primary key (kind, key)
  ) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02);
  create index queue_ready on queue (kind, turn) where turn is not null;
  create index queue_turns on queue (kind, tenant, turn) where turn is not null;
  create index queue_due on queue (kind, due_time) where turn is null`

export async function installQueue({ pool }: Database): Promise<void> {
  await pool.query(SCHEMA)
}

/** Queues the rows of `item` (tenant, key, count). */
export const enqueue = (kind: string): string => `
  tails as materialized (
    select tenant, coalesce(greatest(
      (select min(turn) - 1 from queue where kind = '${kind}' and turn is not null),
      (select max(turn) from queue
        where kind = '${kind}' and queue.tenant = found.tenant and turn is not null)), 0) as tail
    from (select distinct tenant from item) as found
  ), enqueued as (
    insert into queue (kind, key, tenant, turn, pending)
    select '${kind}', key, tenant, tail + row_number() over (partition by tenant order by key), count
    from item join tails using (tenant) order by key
    on conflict (kind, key) do update set pending = queue.pending + excluded.pending,
      turn = case when queue.pending = 0 then excluded.turn else queue.turn end
    returning key
  )`

/** Leases rows for 30 seconds: those whose lease or delay has ended, then those whose turn it is. */
export const claim = (kind: string, limit: string): string => `
  overdue as materialized (
    select key from queue where kind = '${kind}' and turn is null and due_time <= now() and not is_dead
    order by due_time limit ${limit} for update skip locked
  ), ready as materialized (
    select key from queue where kind = '${kind}' and turn is not null
    order by turn limit ${limit} - (select count(*) from overdue) for update skip locked
  ), claimed as (
    update queue set turn = null, due_time = now() + interval '30 seconds', owner = 'server',
      lease = lease + 1, attempt = attempt + 1
    from (select key from overdue union all select key from ready) as picked
    where queue.kind = '${kind}' and queue.key = picked.key
    returning queue.key, queue.tenant, lease, attempt, data
  )`

/** Leases one row by its key, also if another server holds it when `attempt` is lower. */
export const take = (kind: string, key: string): string => `
  claimed as (
    update queue set turn = null, due_time = now() + interval '30 seconds', owner = 'server',
      lease = lease + 1, attempt = attempt + 1
    where kind = '${kind}' and key = ${key}
    returning key, lease, attempt, data
  )`

/** Finishes or retries the rows of `result` (key, lease, state, delay) that are still leased. */
export const finish = (kind: string): string => `
  held as materialized (
    select queue.key, result.state, result.delay from queue join result using (key)
    where queue.kind = '${kind}' and queue.lease = result.lease
    order by queue.key for update of queue
  ), finished as (
    update queue set owner = null,
      pending = pending - case state when 'pending' then 0 else 1 end,
      attempt = case state when 'pending' then attempt else 0 end,
      is_dead = state = 'dead',
      due_time = case when state = 'pending' then now() + make_interval(secs => delay)
        when pending > 1 then now() else 'infinity' end
    from held where queue.kind = '${kind}' and queue.key = held.key
    returning queue.key
  )`

/** Removes a finished row. */
export const remove = (kind: string, key: string, lease: string): string => `
  removed as (
    delete from queue where kind = '${kind}' and key = ${key} and lease = ${lease} and due_time > now()
    returning key
  )`

/** Stores the progress of the row $1 that is leased as $2. */
export const save = (kind: string, data: string): string => `
  saved as (
    update queue set data = ${data}
    where kind = '${kind}' and key = $1::text and lease = $2::bigint
    returning key, data
  )`
