import type { Database } from '../../store/database/database.ts'
import { LIVE_SERVERS_SINCE } from '../../store/servers/live-servers.ts'

/** How long the records of minutes are kept, and the last reports of adapters. */
const RETENTION = "interval '61 minutes'"
const REPORT_RETENTION = "interval '30 days'"
/** The most rows of counts per minute: the largest ones of kind and tenant. */
const MAX_COUNTS = 2000

/** The first server that runs it in a minute records the minute; the others write nothing. */
const RECORD_MINUTE = {
  name: 'record_minute',
  text: `
    with expired_load as (
      delete from load_minutes where minute < now() - ${RETENTION}
    ), expired_counts as (
      delete from count_minutes
      where minute in (select minute from load_minutes where minute < now() - ${RETENTION})
    ), expired_reports as (
      delete from adapter_reports where last_report_time < now() - ${REPORT_RETENTION}
    ), due as (
      insert into load_minutes (minute, epoch, revision, reports_per_second)
      select date_trunc('minute', now()), head.epoch, head.revision, (
        select coalesce(sum(reports_per_second), 0) from servers
        where seen_time >= ${LIVE_SERVERS_SINCE})
      from head
      on conflict (minute) do nothing
      returning minute
    )
    insert into count_minutes (minute, tenant, kind, total, not_ready)
    select due.minute, counted.*
    from due cross join lateral (
      select tenant, kind, sum(total) as total, sum(not_ready) as not_ready
      from (
        select tenant, kind, total, 0 as not_ready from resource_counts
        where owner_id = '' and due.minute is not null
        union all
        select tenant, kind, 0, count(*) from resources
        where cond @> '{"Ready": "False"}' and due.minute is not null
        group by tenant, kind
      ) as parts
      group by tenant, kind
      order by sum(total) desc limit ${MAX_COUNTS}
    ) as counted
    on conflict do nothing`,
}

/** Records the number of resources and the load at the end of the last minute. */
export async function recordMinute(database: Database): Promise<void> {
  await database.execute(RECORD_MINUTE, [])
}
