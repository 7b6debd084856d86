import pg from 'pg'

const PARTITIONS = `
  select relname::text as name from pg_inherits join pg_class on pg_class.oid = inhrelid
  where inhparent = $1::text::regclass order by relname`

const ADD_PARTITION = 'select add_day_partition($1::text, $2::text::date)'

/** A restore creates all partitions in one transaction, and each needs several locks. */
const MAX_DAYS = 400

/** The partitions of a table, in the order of their names. Empty for a table without any. */
export async function partitionsOf(
  client: pg.ClientBase,
  table: string,
): Promise<readonly string[]> {
  const { rows } = await client.query<{ name: string }>(PARTITIONS, [table])
  return rows.map(({ name }) => name)
}

/** The newest days (UTC, such as `2026-11-23`) of a table that is partitioned by day. */
export async function daysOf(client: pg.ClientBase, table: string): Promise<readonly string[]> {
  const partitions = await partitionsOf(client, table)
  const days = new Set<string>()
  for (const name of partitions) {
    const [, year, month, day] = /_(\d{4})(\d\d)(\d\d)$/.exec(name) ?? []
    if (day !== undefined) days.add(`${year}-${month}-${day}`)
    else for (const other of await daysOfRows(client, name)) days.add(other)
  }
  return [...days].toSorted().slice(-MAX_DAYS)
}

/**
 * The days of the rows of a table, which have a column `time`. Omits days that no clock can have
 * meant.
 */
export async function daysOfRows(client: pg.ClientBase, table: string): Promise<readonly string[]> {
  const { rows } = await client.query<{ day: string }>(`
    select distinct to_char(time at time zone 'utc', 'YYYY-MM-DD') as day
    from ${pg.escapeIdentifier(table)}
    where time > now() - interval '10 years' and time < now() + interval '3 days'
    order by day`)
  return rows.map(({ day }) => day)
}

/**
 * Creates the partitions of days unless they exist, so that new rows do not enter the default
 * partition: moving them later needs a scan of it.
 */
export async function addDays(
  client: pg.ClientBase,
  table: string,
  days: readonly string[],
): Promise<void> {
  for (const day of days) await client.query(ADD_PARTITION, [table, day])
}
