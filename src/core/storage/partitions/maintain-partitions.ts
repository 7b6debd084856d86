import type { Database } from '../database/database.ts'

/** Partitions are created ahead, so that a database that is unavailable for a day needs no other. */
const DAYS_AHEAD = 3

const ADD_PARTITIONS = {
  name: 'add_day_partitions',
  text: `
    select add_day_partition($1::text, (now() at time zone 'utc')::date + days::integer)
    from generate_series(0, $2::integer) as days`,
}

const DROP_PARTITIONS = {
  name: 'drop_day_partitions',
  text: `
    select drop_day_partitions($1::text,
      ((now() - make_interval(secs => $2::float8)) at time zone 'utc')::date) as dropped`,
}

/** A table that is partitioned by day, by its column `time`. */
type DayPartitioned = 'audit_events' | 'resource_history'

/**
 * Creates the partitions of the next days, and drops those that are older than the retention. A day
 * is dropped as a whole, so rows are kept for up to a day longer.
 */
export async function maintainPartitions(
  database: Database,
  table: DayPartitioned,
  retentionSeconds: number,
): Promise<void> {
  await database.execute(ADD_PARTITIONS, [table, DAYS_AHEAD])
  await database.execute(DROP_PARTITIONS, [table, retentionSeconds])
}
