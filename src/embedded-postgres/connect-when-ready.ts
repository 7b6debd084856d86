import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { errorMessage } from '../lib/error-message.ts'
import { EmbeddedPostgresError } from './embedded-postgres-error.ts'
import { errorCode } from '../lib/error-code.ts'
import type { ServerProcess } from './server-process.ts'

const TIMEOUT_MS = 30_000
const PAUSE_MS = 25
const STARTING_UP = '57P03'
const NOT_YET = [STARTING_UP, 'ENOENT', 'ECONNREFUSED', 'ECONNRESET', 'EPIPE']
const WRONG_PASSWORD = '28P01'

/** Connects as soon as the server accepts connections. Throws with its last log lines if it does not. */
export async function connectWhenReady(server: ServerProcess, url: string): Promise<pg.Client> {
  let deadline = Date.now() + TIMEOUT_MS
  for (;;) {
    const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: TIMEOUT_MS })
    // A broken connection also fails its query, and that failure is handled.
    client.on('error', () => undefined)
    try {
      await client.connect()
      return client
    } catch (cause) {
      await client.end().catch(() => undefined)
      // Recovery after a crash can take long and is not a failure.
      if (errorCode(cause) === STARTING_UP) deadline = Date.now() + TIMEOUT_MS
      const waits = !server.hasEnded() && Date.now() < deadline
      if (!waits || !NOT_YET.includes(errorCode(cause) ?? ''))
        throw await startFailure(server, cause)
    }
    await sleep(PAUSE_MS)
  }
}

async function startFailure(server: ServerProcess, cause: unknown): Promise<EmbeddedPostgresError> {
  if (errorCode(cause) === WRONG_PASSWORD) {
    return new EmbeddedPostgresError(
      'the file `password` in DATA_DIR does not hold the password of its PostgreSQL: restore it',
      { cause },
    )
  }
  const what = server.hasEnded()
    ? 'ended while it started'
    : `does not answer (${errorMessage(cause)})`
  const said = await server.lastLines()
  return new EmbeddedPostgresError(`PostgreSQL ${what}; it said:\n${said}`, { cause })
}
