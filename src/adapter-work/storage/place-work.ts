import sql, { type Sql } from 'sql-template-tag'
import { retrySeconds } from '../../hyperfleet/statuses/storage/retry-seconds.ts'
import { dueReason, RESTING_SINCE } from './due-reason.ts'
import type { WorkQueue } from './work-queue.ts'

/**
 * Common table expressions that decide about the resources in `ids` (resource_id) and write their
 * rows of the queue. They follow `ids`; the main query may count `placed`.
 *
 * Leased rows keep their lease unless a report without a token has completed it. Queued rows keep
 * their position. Rows that other transactions have locked are skipped if `waits` is false: they are
 * being leased, completed or renewed.
 *
 * **Fairness.** Positions are assigned by start-time fair queueing: each tenant has its own sequence
 * of positions, which starts at the first queued position, so a tenant with a few resources is served
 * among the first of a tenant with many. Resources that are queued only for the age of their report
 * form a second sequence per tenant, so that they do not delay new generations.
 */
export function placeWork(queue: WorkQueue, { waits }: { readonly waits: boolean }): Sql {
  const { adapter, kind } = queue
  const isQueued = sql`adapter = ${adapter}::text and kind = ${kind}::text and position is not null`
  return sql`${decideWork(queue, waits)}, tails as materialized (
      select tenant, is_refresh, coalesce(greatest(
        (select min(position) - 1 from adapter_work where ${isQueued}),
        (select max(position) from adapter_work where ${isQueued}
          and adapter_work.tenant = found.tenant and adapter_work.is_refresh = found.is_refresh)
      ), 0) as tail
      from (select distinct tenant, is_refresh from decided where action = 'queue') as found
    ), placed as (
      select decided.*,
        case when action = 'queue' then tail + row_number() over (
          partition by action, decided.tenant, decided.is_refresh order by resource_id) end
          as position
      from decided left join tails using (tenant, is_refresh)
      where action in ('rest', 'note', 'delay', 'queue')
    ), removed as (
      delete from adapter_work using decided
      where adapter_work.resource_id = decided.resource_id and adapter = ${adapter}::text
        and kind = ${kind}::text and action = 'remove'
    ), written as (
      insert into adapter_work as work (
        resource_id, adapter, kind, tenant, generation, position, is_refresh, is_requested, token,
        leased_time, wake_time, reported_time, attempts)
      select resource_id, ${adapter}::text, ${kind}::text, tenant, generation, position, is_refresh,
        is_requested and action <> 'rest',
        case when action = 'note' then token end, case when action = 'note' then leased_time end,
        case action when 'note' then wake_time when 'delay' then retry_time end,
        case when action = 'rest' then reported_time end,
        case when action = 'rest' then 0 else attempts end
      from placed
      on conflict (resource_id, adapter) do update set
        kind = excluded.kind, tenant = excluded.tenant, generation = excluded.generation,
        position = excluded.position, is_refresh = excluded.is_refresh,
        is_requested = excluded.is_requested, token = excluded.token,
        leased_time = excluded.leased_time, wake_time = excluded.wake_time,
        reported_time = excluded.reported_time, attempts = excluded.attempts
    )`
}

/** The decision about each resource (`action`), from its row of the queue and its current state. */
function decideWork(queue: WorkQueue, waits: boolean): Sql {
  const { adapter, kind } = queue
  const reason = dueReason(queue, sql`held.is_requested`)
  return sql`held as materialized (
      select adapter_work.* from adapter_work join ids using (resource_id)
      where adapter = ${adapter}::text
      order by resource_id for update of adapter_work ${waits ? sql`` : sql`skip locked`}
    ), facts as materialized (
      select ids.resource_id, r.id is null as is_gone, r.tenant, r.generation, ${reason} as reason,
        ${RESTING_SINCE} as reported_time, s.observed_generation, s.last_report_time
      from ids left join held using (resource_id)
        left join resources as r on r.id = ids.resource_id and r.kind = ${kind}::text
        left join adapter_statuses as s
          on s.resource_id = ids.resource_id and s.adapter = ${adapter}::text
      where ${waits}::boolean or held.resource_id is not null
    ), decided as materialized (
      select facts.*, held.token, held.leased_time, held.wake_time,
        -- 0 during a lease means that the generation has changed since its begin.
        case when held.generation = facts.generation then held.attempts else 0 end as attempts,
        coalesce(held.is_requested, false) as is_requested,
        held.wake_time + make_interval(secs => ${retrySeconds(sql`held.attempts`)}) as retry_time,
        coalesce(reason = 'ReportExpired', false) as is_refresh,
        case
          when is_gone then 'remove'
          -- The row is newer than the statement's snapshot of the resource.
          when facts.generation < held.generation then 'keep'
          when held.token is not null and held.wake_time > now() then
            case when reason is null and last_report_time >= held.leased_time
              and observed_generation >= held.generation then 'rest' else 'note' end
          when reason is null then 'rest'
          when held.generation is distinct from facts.generation then 'queue'
          when held.token is not null and held.attempts > 1 and held.wake_time
            + make_interval(secs => ${retrySeconds(sql`held.attempts`)}) > now() then 'delay'
          when held.wake_time > now() then 'keep'
          when held.position is not null and held.is_refresh = (reason = 'ReportExpired')
            then 'keep'
          else 'queue'
        end as action
      from facts left join held using (resource_id)
    )`
}
