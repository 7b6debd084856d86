import type { Database } from '../database/database.ts'
import { listenForNotifications } from '../changes/listen-for-notifications.ts'
import { outboxAge, vacuumOutbox } from '../changes/outbox.ts'
import { readHead } from '../changes/read-changes.ts'
import { renewEpoch } from '../changes/renew-epoch.ts'
import { sequenceChanges } from '../changes/sequence-changes.ts'
import { compact, type Retention } from './compact.ts'
import { Broadcaster } from './broadcaster.ts'
import { repeat } from './repeat.ts'
import { type Sequencer, startSequencer } from './sequencer.ts'
import { startEpoch } from './start-epoch.ts'
import { createWriteTokens, type WriteTokens } from './write-token.ts'

/** Longer than the grace period of readers, GRACE in compact-changes.ts. */
const COMPACTION_INTERVAL_MS = 60_000
/** The outbox is vacuumed at most once per interval, and only after this number of changes. */
const VACUUM = { intervalMs: 5000, changes: 2000 }
/** Between two reads of the age of the outbox. */
const LAG_INTERVAL_MS = 1000

interface Options {
  readonly database: Database
  readonly retention: Retention
  /** A background task has failed; it is tried again. */
  readonly onError: (error: unknown) => void
}

/** The change feed of one process. */
export interface Feed extends AsyncDisposable {
  readonly broadcaster: Broadcaster
  readonly sequencer: Sequencer
  readonly writeTokens: WriteTokens
  /** Seconds for which a change has waited in the outbox, or in the log for this process. */
  lagSeconds(): number
}

/** Starts the sequencer, the broadcaster and compaction. */
export async function startFeed({ database, retention, onError }: Options): Promise<Feed> {
  await startEpoch(database, 'head', () => renewEpoch(database, null))
  const broadcaster = await Broadcaster.start({ database, onError })
  let ownPid = 0
  let moved = 0
  const sequencer = startSequencer({
    move: (limit) => sequenceChanges(database, limit, broadcaster.resourceVersion),
    onError,
    onSequenced: ({ moved: count, epoch, revision, pid }) => {
      moved += count
      ownPid = pid
      broadcaster.refresh({ epoch, revision })
    },
  })
  const notifier = listenForNotifications(database, {
    channel: 'flotilla_changes',
    onNotification: (pid) => {
      if (pid !== ownPid) broadcaster.refresh()
    },
    onConnect: () => {
      const renewed = renewEpoch(database, broadcaster.resourceVersion)
      renewed.then(() => broadcaster.refresh(), onError)
    },
  })
  database.onFailover(async (connection) => {
    await renewEpoch(connection, broadcaster.resourceVersion)
    broadcaster.enterEpoch(await readHead(connection))
  })
  const compaction = repeat(COMPACTION_INTERVAL_MS, onError, () => compact(database, retention))
  const vacuum = repeat(VACUUM.intervalMs, onError, async () => {
    if (moved < VACUUM.changes) return
    moved = 0
    await vacuumOutbox(database)
  })
  let lagSeconds = 0
  const lag = repeat(LAG_INTERVAL_MS, onError, async () => {
    lagSeconds = await outboxAge(database)
  })
  return {
    broadcaster,
    sequencer,
    writeTokens: createWriteTokens(),
    lagSeconds: () => Math.max(lagSeconds, broadcaster.lagSeconds),
    [Symbol.asyncDispose]: async () => {
      await Promise.all(
        [compaction, vacuum, lag, notifier].map((part) => part[Symbol.asyncDispose]()),
      )
      await sequencer[Symbol.asyncDispose]()
      await broadcaster[Symbol.asyncDispose]()
    },
  }
}
