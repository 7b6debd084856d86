import type { Database } from '../database/database.ts'

/** Partitions are created ahead, so that a database that is unavailable for a day needs no other. */
const DAYS_AHEAD = 3

const ADD_PARTITION = {
  name: 'add_day_partition',
  text: `select add_day_partition($1::text, (now() at time zone 'utc')::date + $2::integer)`,
}

const DROP_PARTITIONS = {
  name: 'drop_day_partitions',
  text: `
    select drop_day_partitions($1::text,
      ((now() - make_interval(secs => $2::float8)) at time zone 'utc')::date) as dropped`,
}

function deleteExpired(table: string) {
  const partition = `${table}_default`
  return {
    name: `delete_expired_${partition}`,
    text: `
      delete from ${partition} where ctid = any (array(
        select ctid from ${partition}
        where time < date_trunc('day', now() - make_interval(secs => $1::float8), 'utc')
        limit $2::integer))
      returning 1`,
  }
}

/** Rows that one statement deletes from the default partition. */
const DELETED_ROWS = 2000

/**
 * Creates the partitions of the next days of a table that is partitioned by its column `time`, and drops those that are older than the retention. A day
 * is dropped as a whole, so rows are kept for up to a day longer.
 */
export async function maintainPartitions(
  database: Database,
  table: string,
  retentionSeconds: number,
): Promise<void> {
  try {
    // One statement per day: each has the whole statement timeout.
    for (let day = 0; day <= DAYS_AHEAD; day += 1)
      await database.execute(ADD_PARTITION, [table, day])
  } finally {
    await deleteExpiredRows(database, table, retentionSeconds)
    await database.execute(DROP_PARTITIONS, [table, retentionSeconds])
  }
}

/** Deletes expired rows of the default partition in batches, which a single statement could not. */
async function deleteExpiredRows(
  database: Database,
  table: string,
  retentionSeconds: number,
): Promise<void> {
  const statement = deleteExpired(table)
  for (;;) {
    const deleted = await database.execute(statement, [retentionSeconds, DELETED_ROWS])
    if (deleted.length < DELETED_ROWS) return
  }
}
