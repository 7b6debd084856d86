import type { JsonObject } from '../../../lib/json/json.ts'
import type { Database } from '../database/database.ts'
import type { ServerRecord } from './register-server.ts'

/** A live server whose configuration has another fingerprint. */
export interface OtherServer {
  readonly id: string
  readonly host: string
  readonly configuration: JsonObject
  /** Whether it started before this one. */
  readonly isOlder: boolean
}

/** A row without a heartbeat for this long is of a dead server. */
const LIVE = "interval '15 seconds'"

/** Adds the row again, with the same start, if it expired or PostgreSQL crashed. */
const BEAT_SERVER = {
  name: 'beat_server',
  text: `
    with expired as (
      delete from servers where id in (
        select id from servers
        where seen_time < clock_timestamp() - ${LIVE} and id <> $1::text
        for update skip locked)
    ), beaten as (
      insert into servers as old (id, host, started_time, seen_time, fingerprint, configuration)
      values ($1::text, $2::text, $3::timestamptz, clock_timestamp(), $4::text, $5::json)
      on conflict (id) do update set seen_time = excluded.seen_time
      returning id, started_time, fingerprint
    )
    select other.id, other.host, other.configuration,
      (other.started_time, other.id) < (beaten.started_time, beaten.id) as is_older
    from beaten
    join servers as other on other.id <> beaten.id and other.fingerprint <> beaten.fingerprint
    where other.seen_time >= clock_timestamp() - ${LIVE}
    order by other.started_time, other.id`,
}

interface Row extends Omit<OtherServer, 'isOlder'> {
  readonly is_older: boolean
}

/** Records that a server is alive, removes dead ones, and reads those that differ, oldest first. */
export async function sendServerHeartbeat(
  database: Database,
  { id, host, fingerprint, configuration }: ServerRecord,
  startedTime: string,
): Promise<readonly OtherServer[]> {
  const values = [id, host, startedTime, fingerprint, JSON.stringify(configuration)]
  const rows = await database.execute<Row>(BEAT_SERVER, values)
  return rows.map(({ is_older: isOlder, ...row }) => ({ ...row, isOlder }))
}
