import type { Database } from '../database/database.ts'
import { readHead } from '../changes/read-changes.ts'
import { renewEpoch } from '../changes/renew-epoch.ts'
import { sequenceChanges } from '../changes/sequence-changes.ts'
import { compact, type Retention } from './compact.ts'
import { Broadcaster } from './broadcaster.ts'
import { startEpoch } from './start-epoch.ts'
import { type LogStatements, type RunningLog, startLog } from './start-log.ts'
import { createWriteTokens, type WriteTokens } from './write-token.ts'

const STATEMENTS: LogStatements = {
  outbox: 'outbox',
  channel: 'flotilla_changes',
  sequence: sequenceChanges,
  renewEpoch,
  readHead,
}

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
  await startEpoch(database, 'head', () => renewEpoch(database, null))
  const broadcaster = await Broadcaster.start({ database, onError })
  const running = startLog({
    database,
    statements: STATEMENTS,
    reader: broadcaster,
    compact: () => compact(database, retention),
    onError,
  })
  return { ...running, broadcaster, writeTokens: createWriteTokens() }
}
