import { setTimeout as sleep } from 'node:timers/promises'
import type { CandidateSessions } from '../controllers/runtime/candidate-sessions.ts'
import type { ObjectFeed } from '../core/objects/feed/object-feed.ts'
import type { Database } from '../core/storage/database/database.ts'
import { hasSessionEnded, type NamedSession } from '../core/storage/database/named-session.ts'

/** A candidate without a session waits this long, because its whole term is then without one. */
const CONNECT_MS = 5000
const POLL_MS = 50

/** The sessions in which the servers of a database listen for changes of objects. */
export function databaseSessions(
  database: Database,
  feed: Pick<ObjectFeed, 'session'>,
): CandidateSessions {
  const hasEnded = (name: string): Promise<boolean> => hasSessionEnded(database, name)
  return {
    hasEnded,
    current: async () => {
      const session = await connectedSession(feed)
      // A connection to another server, or through a pooler that loses locks, shows nothing.
      return session === null || (await hasEnded(session.name)) ? null : session
    },
  }
}

async function connectedSession(feed: Pick<ObjectFeed, 'session'>): Promise<NamedSession | null> {
  for (let waited = 0; waited < CONNECT_MS; waited += POLL_MS) {
    const session = feed.session()
    if (session !== null) return session
    await sleep(POLL_MS)
  }
  return null
}
