import type { JsonObject } from '../../lib/json/json.ts'
import type { Database } from '../database/database.ts'
import { LIVE_SERVERS_SINCE } from './live-servers.ts'
import type { ServerRecord } from './register-server.ts'

/** A live server whose configuration has another fingerprint. */
export interface OtherServer {
  readonly id: string
  readonly host: string
  readonly configuration: JsonObject
  /** Whether it started before this one. */
  readonly isOlder: boolean
}

/** Adds the row again, with the same start time, if it expired or PostgreSQL crashed. */
const SERVER_HEARTBEAT = {
  name: 'server_heartbeat',
  text: `
    with expired as (
      delete from servers where id in (
        select id from servers
        where seen_time < ${LIVE_SERVERS_SINCE} and id <> $1::text
        for update skip locked)
    ), self as (
      insert into servers as old (
        id, host, started_time, seen_time, fingerprint, configuration, reports_per_second)
      values (
        $1::text, $2::text, $3::timestamptz, clock_timestamp(), $4::text, $5::json, $6::float8)
      on conflict (id) do update
      set seen_time = excluded.seen_time, reports_per_second = excluded.reports_per_second
      returning id, started_time, fingerprint
    )
    select other.id, other.host, other.configuration,
      (other.started_time, other.id) < (self.started_time, self.id) as is_older
    from self
    join servers as other on other.id <> self.id and other.fingerprint <> self.fingerprint
    where other.seen_time >= ${LIVE_SERVERS_SINCE}
    order by other.started_time, other.id`,
}

interface Row extends Omit<OtherServer, 'isOlder'> {
  readonly is_older: boolean
}

interface Heartbeat {
  /** As registered. */
  readonly startedTime: string
  readonly reportsPerSecond: number
}

/**
 * Records a heartbeat, removes dead servers, and returns the servers with another configuration,
 * oldest first.
 */
export async function sendServerHeartbeat(
  database: Database,
  { id, host, fingerprint, configuration }: ServerRecord,
  { startedTime, reportsPerSecond }: Heartbeat,
): Promise<readonly OtherServer[]> {
  const values = [
    id,
    host,
    startedTime,
    fingerprint,
    JSON.stringify(configuration),
    reportsPerSecond,
  ]
  const rows = await database.execute<Row>(SERVER_HEARTBEAT, values)
  return rows.map(({ is_older: isOlder, ...row }) => ({ ...row, isOlder }))
}
