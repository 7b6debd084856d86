import type { Database } from '../database/database.ts'
import { compact, type Retention } from './compact.ts'
import { Broadcaster } from './broadcaster.ts'
import { startEpoch } from './start-epoch.ts'
import { type RunningLog, startLog } from './start-log.ts'
import { createWriteTokens, type WriteTokens } from './write-token.ts'

interface Options {
  readonly database: Database
  readonly retention: Retention
  /** A background task has failed; it is tried again. */
  readonly onError: (error: unknown) => void
}

/** The change feed of one process. */
export interface Feed extends Omit<RunningLog, 'session'> {
  readonly broadcaster: Broadcaster
  readonly writeTokens: WriteTokens
}

/** Starts the sequencer, the broadcaster and compaction. */
export async function startFeed({ database, retention, onError }: Options): Promise<Feed> {
  await startEpoch(database, 'resources')
  const broadcaster = await Broadcaster.start({ database, onError })
  const running = startLog({
    database,
    log: 'resources',
    reader: broadcaster,
    compact: () => compact(database, retention),
    onError,
  })
  return { ...running, broadcaster, writeTokens: createWriteTokens() }
}
