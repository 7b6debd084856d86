import pg from 'pg'
import { type Position, positionOf, type PositionRow, READ_POSITION } from './position.ts'

/** A dedicated connection, so that reads of a busy pool do not delay probes. */
export interface Probe extends AsyncDisposable {
  position(): Promise<Position>
}

/** Connects a probe, whose statements fail after `timeoutMs`. */
export async function openProbe(connectionString: string, timeoutMs: number): Promise<Probe> {
  const client = new pg.Client({
    connectionString,
    connectionTimeoutMillis: timeoutMs,
    query_timeout: timeoutMs,
    application_name: 'flotilla probe',
  })
  // Without a listener, a broken connection would end the process. The next probe fails.
  client.on('error', () => undefined)
  await client.connect()
  return {
    position: async () => positionOf((await client.query<PositionRow>(READ_POSITION.text)).rows[0]),
    // A stalled server does not answer to the end of a connection.
    [Symbol.asyncDispose]: () => {
      client.end().catch(() => undefined)
      return Promise.resolve()
    },
  }
}
