import pg from 'pg'
import { pause } from '../../../lib/async/pause.ts'
import type { Database } from '../database/database.ts'

/** The channel on which the sequencer says that the log has grown. */
const CHANNEL = 'flotilla_changes'

const RECONNECT_MS = 1000

interface Listener {
  /** Something may have been added; `pid` is the session that did it. */
  readonly onNotification: (pid: number) => void
  /** The connection stands, for the first time or again: rings may have been missed. */
  readonly onConnect: () => void
}

/**
 * Listens on a connection of its own until it is disposed, and connects again when that breaks.
 * A ring that is missed costs time, never a change.
 */
export function listenForNotifications(database: Database, listener: Listener): AsyncDisposable {
  const stopped = new AbortController()
  const { connectionString } = database.pool.options

  async function listenOnce(): Promise<void> {
    const client = new pg.Client({
      ...(connectionString !== undefined && { connectionString }),
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
    try {
      await client.connect()
      await client.query(`listen ${CHANNEL}`)
      listener.onConnect()
      await broken
    } finally {
      stopped.signal.removeEventListener('abort', end)
      await client.end().catch(() => undefined)
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
    [Symbol.asyncDispose]: async () => {
      stopped.abort()
      await ended
    },
  }
}
