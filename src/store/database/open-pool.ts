import pg from 'pg'
import type { PrimaryFence } from './connection/primary-fence.ts'
import { startupParameters } from './connection/session-settings.ts'
import { startTurn } from '../../lib/tracing/main-thread.ts'
import { preciseDateOf } from '../../lib/precise-date.ts'

/** The function of PostgreSQL that warns of it. Messages are translated, and the code is generic. */
const ROUTINE = 'SyncRepWaitForLSN'

/**
 * Makes a commit fail if its wait for a synchronous standby was cancelled. PostgreSQL reports success
 * with a warning, but the commit may not survive a failover.
 */
function rejectCancelledWaits(client: pg.PoolClient): void {
  client.on('notice', ({ routine }) => {
    if (routine !== ROUTINE) return
    // Ends the statement before its success is read. Connection errors mean an unknown outcome.
    client.connection.emit('error', new Error('Connection terminated: a commit was not replicated'))
    client.connection.stream.destroy()
  })
}

interface Options {
  readonly url: string
  readonly poolSize: number
  readonly statementTimeoutMs: number
  readonly connectTimeoutMs: number
  readonly onIdleError: (error: Error) => void
}

/** Creates the pool of connections to the primary. */
export function openPool(options: Options, sendsParameters: boolean, fence: PrimaryFence): pg.Pool {
  const pool = new pg.Pool({
    connectionString: options.url,
    max: options.poolSize,
    connectionTimeoutMillis: options.connectTimeoutMs,
    idleTimeoutMillis: 30_000,
    // Longer than the server's timeout: it frees the request if the server no longer responds.
    query_timeout: options.statementTimeoutMs + 5_000,
    application_name: 'flotilla',
    types: { getTypeParser },
    ...(sendsParameters && startupParameters(options.statementTimeoutMs)),
    // oxlint-disable-next-line typescript/no-misused-promises -- the pool awaits it
    onConnect: (client) => fence.admit(client),
  })
  pool.on('connect', (client) => {
    // Before pg parses the rows.
    client.connection.stream.prependListener('data', startTurn)
    rejectCancelledWaits(client)
    fence.add(client)
  })
  pool.on('remove', (client) => fence.remove(client))
  // Closing does not wait for idle connections, whose server may stop at the same time.
  pool.on('error', (error) => {
    if (!pool.ending) options.onIdleError(error)
  })
  return pool
}

/** Parses 64-bit integers as bigint, times with their microseconds, and other types as pg does. */
function getTypeParser(oid: number, format?: 'text' | 'binary'): (value: string) => unknown {
  if (oid === pg.types.builtins.INT8 && format !== 'binary') return BigInt
  if (oid === pg.types.builtins.TIMESTAMPTZ && format !== 'binary') return parseTime
  return pg.types.getTypeParser(oid, 'text')
}

const parseOddTime: (text: string) => unknown = pg.types.getTypeParser(
  pg.types.builtins.TIMESTAMPTZ,
  'text',
)

function parseTime(text: string): unknown {
  const time = preciseDateOf(text)
  // Such as `infinity`, and times before time zones had whole minutes.
  return Number.isNaN(time.getTime()) ? parseOddTime(text) : time
}
