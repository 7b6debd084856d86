import type { Database } from '../storage/database/database.ts'
import { listenForNotifications } from '../storage/changes/listen-for-notifications.ts'
import { outboxAge, vacuumOutbox } from '../storage/changes/outbox.ts'
import { renewEpoch } from '../storage/changes/renew-epoch.ts'
import { compact, type Retention } from './compact.ts'
import { Broadcaster } from './broadcaster.ts'
import { repeat } from './repeat.ts'
import { type Sequencer, startSequencer } from './sequencer.ts'
import { createWriteTokens, type WriteTokens } from './write-token.ts'

/** Between two rounds; longer than the grace in which readers finish. */
const COMPACTION_MS = 60_000
/** Between two vacuums of the outbox, and after how many changes one pays. */
const VACUUM = { pauseMs: 5000, changes: 2000 }
/** Between two looks at the outbox. */
const LAG_MS = 1000

interface Options {
  readonly database: Database
  readonly retention: Retention
  /** What runs beside requests has failed, and is tried again. */
  readonly onError: (error: unknown) => void
}

/** The feed of changes as one process has it. */
export interface Feed extends AsyncDisposable {
  readonly broadcaster: Broadcaster
  readonly sequencer: Sequencer
  readonly writeTokens: WriteTokens
  /** How long a change has been waiting for the log, or the log for this process, in seconds. */
  lagSeconds(): number
}

/** Begins to move changes to the log, to read it, and to drop what is old. */
export async function startFeed({ database, retention, onError }: Options): Promise<Feed> {
  await renewEpoch(database)
  const broadcaster = await Broadcaster.start({ database, onError })
  let ownPid = 0
  let moved = 0
  const sequencer = startSequencer({
    database,
    onError,
    onSequenced: ({ moved: count, epoch, revision, pid }) => {
      moved += count
      ownPid = pid
      broadcaster.wake({ epoch, revision })
    },
  })
  const doorbell = listenForNotifications(database, {
    onNotification: (pid) => {
      if (pid !== ownPid) broadcaster.wake()
    },
    onConnect: () => {
      renewEpoch(database).then(() => broadcaster.wake(), onError)
    },
  })
  const compaction = repeat(COMPACTION_MS, onError, () => compact(database, retention))
  const vacuum = repeat(VACUUM.pauseMs, onError, async () => {
    if (moved < VACUUM.changes) return
    moved = 0
    await vacuumOutbox(database)
  })
  let lagSeconds = 0
  const lag = repeat(LAG_MS, onError, async () => {
    lagSeconds = await outboxAge(database)
  })
  return {
    broadcaster,
    sequencer,
    writeTokens: createWriteTokens(),
    lagSeconds: () => Math.max(lagSeconds, broadcaster.lagSeconds),
    [Symbol.asyncDispose]: async () => {
      await Promise.all(
        [compaction, vacuum, lag, doorbell].map((part) => part[Symbol.asyncDispose]()),
      )
      await sequencer[Symbol.asyncDispose]()
      await broadcaster[Symbol.asyncDispose]()
    },
  }
}
