import pg from 'pg'

/** For statements of any duration, whose texts do not depend on the settings of a server. */
export const EXACT_TEXT =
  '-c timezone=UTC -c datestyle=ISO -c extra_float_digits=3 -c statement_timeout=0'

/** A server that accepts connections and does not respond must not block a command. */
const CONNECT_TIMEOUT_MS = 30_000

interface Options {
  /** The name in `pg_stat_activity`. */
  readonly name?: string
  /** Startup options of the session. */
  readonly options?: string
}

/** Opens one connection outside the pool. Disposing closes it. */
export async function openClient(
  url: string,
  { name = 'flotilla', options }: Options = {},
): Promise<pg.Client & AsyncDisposable> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
    application_name: name,
    ...(options !== undefined && { options }),
  })
  // Without a listener, a broken connection would end the process. The running statement fails.
  client.on('error', () => undefined)
  await client.connect()
  return Object.assign(client, { [Symbol.asyncDispose]: () => client.end() })
}
