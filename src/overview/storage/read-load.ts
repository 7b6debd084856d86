import { must } from '../../lib/assert.ts'
import type { Database } from '../../store/database/database.ts'
import { LIVE_SERVERS_SINCE } from '../../store/servers/live-servers.ts'

const READ_REPORT_RATE = {
  name: 'read_report_rate',
  text: `
    select coalesce(sum(reports_per_second), 0)::float8 as rate from servers
    where seen_time >= ${LIVE_SERVERS_SINCE}`,
}

/** Reads backwards until a change is old enough, within a limit. */
const READ_EARLIER_REVISION = {
  name: 'read_earlier_revision',
  text: `
    select coalesce(
      (select changes.revision from changes
       where changes.revision > head.revision - 20000
         and written_time < clock_timestamp() - $1::integer * interval '1 second'
       order by changes.revision desc limit 1),
      greatest(head.compacted, head.revision - 20000)) as revision
    from head`,
}

/** Reports that all live servers accept per second. */
export async function readReportRate(database: Database): Promise<number> {
  const rows = await database.execute<{ rate: number }>(READ_REPORT_RATE, [])
  return must(rows[0], 'the rate of reports').rate
}

/** The revision of the log some seconds ago; a later one if the log grows too fast. */
export async function readEarlierRevision(database: Database, seconds: number): Promise<bigint> {
  const rows = await database.execute<{ revision: bigint }>(READ_EARLIER_REVISION, [seconds])
  return must(rows[0], 'the head of the log').revision
}
