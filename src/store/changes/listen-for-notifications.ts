import pg from 'pg'
import { pause } from '../../lib/async/pause.ts'
import { unlessAborted } from '../../lib/async/unless-aborted.ts'
import { withTimeout } from '../../lib/async/with-timeout.ts'
import type { Database } from '../database/database.ts'
import { type NamedSession, nameSession } from '../database/connection/named-session.ts'

const RECONNECT_MS = 1000
const CONNECT_TIMEOUT_MS = 30_000
const CLOSE_TIMEOUT_MS = 1000

interface Listener {
  /** A sequencer notifies its channel when its log has grown. */
  readonly channel: 'flotilla_changes' | 'flotilla_objects'
  /** The log may have grown; `pid` is the PostgreSQL session that notified. */
  readonly onNotification: (pid: number) => void
  /** The listener has connected or reconnected; notifications may have been missed. */
  readonly onConnect: () => void
}

/** Listens until it is disposed. */
export interface NotificationListener extends AsyncDisposable {
  /** The session of the current connection, once it is open; null if it has failed. */
  session(): Promise<NamedSession | null>
}

/**
 * Listens on a dedicated connection until it is disposed, and reconnects when the connection
 * breaks. A missed notification delays changes but never loses one.
 */
export function listenForNotifications(
  database: Database,
  listener: Listener,
): NotificationListener {
  const stopped = new AbortController()
  let session: Promise<NamedSession | null> = Promise.resolve(null)

  async function listenOnce(): Promise<void> {
    const client = new pg.Client({
      connectionString: database.connection.directUrl,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      keepAlive: true,
      application_name: 'flotilla feed',
    })
    let end = (): void => undefined
    const broken = new Promise<void>((resolve) => {
      end = resolve
    })
    client.on('error', end).on('end', end)
    stopped.signal.addEventListener('abort', end, { once: true })
    client.on('notification', ({ processId }) => listener.onNotification(processId))
    const lost = new AbortController()
    try {
      const name = openSession(client, listener.channel, stopped.signal)
      session = name.then(
        (opened) => ({ name: opened, ended: lost.signal }),
        () => null,
      )
      await name
      listener.onConnect()
      await broken
    } finally {
      session = Promise.resolve(null)
      lost.abort()
      stopped.signal.removeEventListener('abort', end)
      // A stalled server does not answer to the end of a connection.
      await withTimeout(
        client.end().catch(() => undefined),
        CLOSE_TIMEOUT_MS,
      )
    }
  }

  async function listen(): Promise<void> {
    while (!stopped.signal.aborted) {
      await listenOnce().catch(() => undefined)
      await pause(RECONNECT_MS, stopped.signal)
    }
  }

  const ended = listen()
  return {
    session: () => session,
    [Symbol.asyncDispose]: async () => {
      stopped.abort()
      await ended
    },
  }
}

/** Listens on a new connection, and returns the name of its session. */
async function openSession(
  client: pg.Client,
  channel: Listener['channel'],
  signal: AbortSignal,
): Promise<string> {
  await unlessAborted(client.connect(), signal)
  await client.query(`listen ${channel}`)
  // The default of a role would end the session while it waits.
  await client.query('set idle_session_timeout = 0')
  return nameSession(client)
}
