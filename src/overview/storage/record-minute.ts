import type { Database } from '../../store/database/database.ts'
import { LIVE_SERVERS_SINCE } from '../../store/servers/live-servers.ts'

/** How long the load of minutes is kept, and the last reports of adapters. */
const RETENTION = "interval '61 minutes'"
const REPORT_RETENTION = "interval '30 days'"
/** Adapters without reports and without waiting resources for this time have no series. */
const ACTIVE = "interval '1 day'"
/** The most rows per minute, and those of a tenant: the kinds first, then the largest. */
const MAX_ROWS = 2000
const MAX_TENANT_ROWS = 100
/** Of more changes in a minute, the last are counted. */
const MAX_CHANGES = 200_000
/** Older counts by state belong to a server that has stopped. */
const STATES_AGE = "interval '5 minutes'"

/**
 * The first server that runs it in a minute records the minute; the others write nothing. The row of
 * the minute has the revision up to which changes are counted, so each change counts once.
 */
const RECORD_MINUTE = {
  name: 'record_minute',
  text: `
    with expired_load as (
      delete from load_minutes where minute < now() - ${RETENTION}
    ), expired_reports as (
      delete from adapter_reports where last_report_time < now() - ${REPORT_RETENTION}
    ), previous as (
      select epoch, revision from load_minutes order by minute desc limit 1
    ), due as (
      insert into load_minutes (minute, epoch, revision, reports_per_second)
      select date_trunc('minute', now()), head.epoch, head.revision, (
        select coalesce(sum(reports_per_second), 0) from servers
        where seen_time >= ${LIVE_SERVERS_SINCE})
      from head
      on conflict (minute) do nothing
      returning minute, epoch, revision
    ), changed as (
      select counted.* from due join previous using (epoch) cross join lateral (
        select tenant, kind, count(*) as changes from changes
        where revision > greatest(previous.revision, due.revision - ${MAX_CHANGES})
          and revision <= due.revision and adapter = ''
        group by tenant, kind
      ) as counted
    ), stored as (
      select states from due join state_counts using (epoch)
      where state_counts.revision = due.revision or stored_time > now() - ${STATES_AGE}
      order by state_counts.revision desc limit 1
    ), waiting as (
      select state ->> 'tenant' as tenant, state ->> 'kind' as kind, adapter,
        sum((entry ->> 'count')::bigint) as waiting
      from stored
      cross join lateral json_array_elements(states) as entry
      cross join lateral (select entry -> 'state' as state) as parsed
      cross join lateral json_array_elements_text(state -> 'waitingFor') as adapter
      group by 1, 2, 3
    ), kinds as (
      select counted.* from due cross join lateral (
        select tenant, kind, sum(total) as total, sum(not_ready) as not_ready,
          sum(reports) as reports
        from (
          select tenant, kind, total, 0 as not_ready, 0 as reports from resource_counts
          where owner_id = '' and due.minute is not null
          union all
          select tenant, kind, 0, count(*), 0 from resources
          where cond @> '{"Ready": "False"}' and due.minute is not null
          group by tenant, kind
          union all
          select tenant, kind, 0, 0, sum(reports) from adapter_reports
          where due.minute is not null
          group by tenant, kind
        ) as parts
        group by tenant, kind
      ) as counted
    ), rows as (
      select tenant, kind, '' as adapter, total, not_ready, reports,
        coalesce(changes, 0) + coalesce((
          select old.changes from count_minutes as old
          where old.tenant = kinds.tenant and old.kind = kinds.kind and old.adapter = ''
          order by minute desc limit 1), 0) as changes,
        null::bigint as measured, null::float8 as latency_seconds, null::bigint as waiting
      from kinds left join changed using (tenant, kind)
      union all
      select tenant, kind, adapter, 0, 0, coalesce(reports, 0), null, coalesce(measured, 0),
        coalesce(latency_seconds, 0),
        case when exists (select from stored) then coalesce(waiting, 0) end
      from (
        select active.* from due cross join lateral (
          select tenant, kind, adapter, reports, measured, latency_seconds
          from adapter_reports
          where last_report_time > now() - ${ACTIVE} and due.minute is not null
        ) as active
      ) as active
      full join waiting using (tenant, kind, adapter)
    ), ranked as (
      select *, row_number() over (
        partition by tenant
        order by adapter <> '', total desc, waiting desc nulls last, reports desc) as rank
      from rows
    )
    insert into count_minutes (minute, tenant, kind, adapter, total, not_ready, changes, reports,
      measured, latency_seconds, waiting)
    select due.minute, tenant, kind, adapter, total, not_ready, changes, reports, measured,
      latency_seconds, waiting
    from due cross join ranked
    where rank <= ${MAX_TENANT_ROWS}
    order by rank, total desc limit ${MAX_ROWS}
    on conflict do nothing`,
}

/** Records the counts and the load at the end of the last minute. */
export async function recordMinute(database: Database): Promise<void> {
  await database.execute(RECORD_MINUTE, [])
}
