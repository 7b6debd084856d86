import type { Database } from '../../store/database/database.ts'

const STEP = "interval '10 minutes'"
/** How long each minute is kept, and then each step. */
const MINUTES_AGE = "interval '1 day'"
const STEPS_AGE = "interval '7 days'"
/** The time that one statement merges, or deletes. A later one continues. */
const MAX_TIME = "interval '1 hour'"

const endOfStep = (minute: string): string =>
  `date_bin(${STEP}, ${minute} - interval '1 second', 'epoch') + ${STEP}`

/** Counters keep their last value and counts their highest one. */
const MERGE_MINUTES = {
  name: 'merge_minutes',
  text: `
    with expired as (
      delete from count_minutes
      where step = 10 and minute <= least(now() - ${STEPS_AGE}, ${MAX_TIME} + (
        select min(minute) from count_minutes where step = 10))
    ), merged as (
      delete from count_minutes
      where step = 1 and minute <= least(
        date_bin(${STEP}, now() - ${MINUTES_AGE}, 'epoch'),
        ${MAX_TIME} + ${endOfStep('(select min(minute) from count_minutes where step = 1)')})
      returning minute, tenant, kind, adapter, total, not_ready, changes, reports, measured,
        latency_seconds, waiting
    )
    insert into count_minutes (minute, tenant, kind, adapter, step, total, not_ready, changes,
      reports, measured, latency_seconds, waiting)
    select ${endOfStep('minute')}, tenant, kind, adapter, 10, max(total), max(not_ready),
      max(changes), max(reports), max(measured), max(latency_seconds), max(waiting)
    from merged where minute > now() - ${STEPS_AGE}
    group by 1, 2, 3, 4
    on conflict do nothing`,
}

/** Merges minutes that are older than a day into steps, and deletes steps after a week. */
export async function mergeMinutes(database: Database): Promise<void> {
  await database.execute(MERGE_MINUTES, [])
}
