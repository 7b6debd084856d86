import type { Database } from '../storage/database/database.ts'
import { listenForChanges } from '../storage/changes/doorbell.ts'
import { inboxAge } from '../storage/changes/inbox-age.ts'
import { renewEpoch } from '../storage/changes/renew-epoch.ts'
import { vacuumInbox } from '../storage/changes/vacuum-inbox.ts'
import { compact, type Retention } from './compact.ts'
import { Hub } from './hub.ts'
import { repeat } from './repeat.ts'
import { type Sequencer, startSequencer } from './sequencer.ts'
import { createWriteTokens, type WriteTokens } from './write-token.ts'

/** Between two rounds; longer than the grace in which readers finish. */
const COMPACTION_MS = 60_000
/** Between two vacuums of the inbox, and after how many changes one pays. */
const VACUUM = { pauseMs: 5000, changes: 2000 }
/** Between two looks at the inbox. */
const LAG_MS = 1000

interface Options {
  readonly database: Database
  readonly retention: Retention
  /** What runs beside requests has failed, and is tried again. */
  readonly onError: (error: unknown) => void
}

/** The feed of changes as one process has it. */
export interface Feed extends AsyncDisposable {
  readonly hub: Hub
  readonly sequencer: Sequencer
  readonly writeTokens: WriteTokens
  /** How long a change has been waiting for the log, or the log for this process, in seconds. */
  lagSeconds(): number
}

/** Begins to move changes to the log, to read it, and to drop what is old. */
export async function startFeed({ database, retention, onError }: Options): Promise<Feed> {
  await renewEpoch(database)
  const hub = await Hub.start({ database, onError })
  let ownPid = 0
  let moved = 0
  const sequencer = startSequencer({
    database,
    onError,
    onSequenced: ({ moved: count, epoch, revision, pid }) => {
      moved += count
      ownPid = pid
      hub.wake({ epoch, revision })
    },
  })
  const doorbell = listenForChanges(database, {
    onRing: (pid) => {
      if (pid !== ownPid) hub.wake()
    },
    onConnect: () => {
      renewEpoch(database).then(() => hub.wake(), onError)
    },
  })
  const compaction = repeat(COMPACTION_MS, onError, () => compact(database, retention))
  const vacuum = repeat(VACUUM.pauseMs, onError, async () => {
    if (moved < VACUUM.changes) return
    moved = 0
    await vacuumInbox(database)
  })
  let lagSeconds = 0
  const lag = repeat(LAG_MS, onError, async () => {
    lagSeconds = await inboxAge(database)
  })
  return {
    hub,
    sequencer,
    writeTokens: createWriteTokens(),
    lagSeconds: () => Math.max(lagSeconds, hub.lagSeconds),
    [Symbol.asyncDispose]: async () => {
      await Promise.all(
        [compaction, vacuum, lag, doorbell].map((part) => part[Symbol.asyncDispose]()),
      )
      await sequencer[Symbol.asyncDispose]()
      await hub[Symbol.asyncDispose]()
    },
  }
}
