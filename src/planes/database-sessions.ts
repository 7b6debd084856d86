import type { CandidateSessions } from './controllers/runtime/candidate-sessions.ts'
import type { ObjectFeed } from '../store/objects/feed/object-feed.ts'
import type { Database } from '../store/database/database.ts'
import { hasSessionEnded } from '../store/database/connection/named-session.ts'
import { withTimeout } from '../lib/async/with-timeout.ts'

/** A leader without a session cannot be replaced before its lease ends, so candidates wait for one. */
const OPEN_TIMEOUT_MS = 2000

/** The sessions in which the servers of a database listen for changes of objects. */
export function databaseSessions(
  database: Database,
  feed: Pick<ObjectFeed, 'session'>,
): CandidateSessions {
  const hasEnded = (name: string): Promise<boolean> => hasSessionEnded(database, name)
  return {
    hasEnded,
    current: async () => {
      const session = await withTimeout(feed.session(), OPEN_TIMEOUT_MS)
      // A connection to another server, or through a pooler that loses locks, shows nothing.
      return session === null || (await hasEnded(session.name)) ? null : session
    },
  }
}
