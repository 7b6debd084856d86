import type { Database } from '../../store/database/database.ts'

/** The end of a minute of the last hour. */
export interface OverviewMinute {
  readonly minute: Date
  readonly changes_per_second: number
  readonly reports_per_second: number
  /** By kind. */
  readonly total: Readonly<Record<string, number>>
  readonly not_ready: Readonly<Record<string, number>>
}

/** Rates of changes compare the revisions of consecutive records, unless the epoch has changed. */
const READ_MINUTES = {
  name: 'read_minutes',
  text: `
    with load as (
      select minute, reports_per_second,
        case when epoch = lag(epoch) over earlier
          then (revision - lag(revision) over earlier)
            / extract(epoch from minute - lag(minute) over earlier)::float8
          else 0 end as changes_per_second
      from load_minutes
      window earlier as (order by minute)
    ), counts as (
      select minute, json_object_agg(kind, total) as total,
        json_object_agg(kind, not_ready) as not_ready
      from (
        select minute, kind, sum(total) as total, sum(not_ready) as not_ready
        from count_minutes
        where ($1::text is null or tenant = $1::text) and kind = any($2::text[])
          and adapter = '' and step = 1 and minute > now() - interval '60 minutes'
        group by minute, kind
      ) as summed
      group by minute
    )
    select minute, changes_per_second, reports_per_second,
      coalesce(total, '{}') as total, coalesce(not_ready, '{}') as not_ready
    from load left join counts using (minute)
    where minute > now() - interval '60 minutes'
    order by minute`,
}

/** Reads the minutes of the last hour, oldest first. */
export async function readMinutes(
  database: Database,
  tenant: string | null,
  kinds: readonly string[],
): Promise<readonly OverviewMinute[]> {
  return database.execute<OverviewMinute>(READ_MINUTES, [tenant, [...kinds]])
}
