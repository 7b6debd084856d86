import { repeat } from '../../feed/repeat.ts'
import { type Sequencer, startSequencer } from '../../feed/sequencer.ts'
import { startEpoch } from '../../feed/start-epoch.ts'
import { listenForNotifications } from '../../changes/listen-for-notifications.ts'
import type { SeenPosition } from '../../changes/seen-position.ts'
import type { Database } from '../../database/database.ts'
import type { NamedSession } from '../../database/connection/named-session.ts'
import type { CodecOf } from '../model/body-codec.ts'
import { readObjectHead, renewObjectEpoch } from '../storage/changes/object-head.ts'
import { objectOutboxAge, vacuumObjectOutbox } from '../storage/changes/object-outbox.ts'
import { sequenceObjects } from '../storage/changes/sequence-objects.ts'
import { compactObjects, type ObjectRetention } from './compact-objects.ts'
import { ObjectBroadcaster } from './object-broadcaster.ts'
import { createPlaneFollowers, type PlaneFollowers } from './plane-followers.ts'

/** Longer than the grace period of readers, GRACE in compact-object-changes.ts. */
const COMPACTION_INTERVAL_MS = 60_000
/** The outbox is vacuumed at most once per interval, and only after this number of changes. */
const VACUUM = { intervalMs: 5000, changes: 2000 }
/** Between two reads of the age of the outbox. */
const LAG_INTERVAL_MS = 1000

interface Options {
  readonly database: Database
  readonly codecOf: CodecOf
  /** The revision of a plane that has no row. */
  readonly startOf: (plane: string) => bigint | Promise<bigint>
  readonly retention: ObjectRetention
  /** A background task has failed; it is tried again. */
  readonly onError: (error: unknown) => void
}

/** The feed of the changes of objects in one process. */
export interface ObjectFeed extends AsyncDisposable {
  readonly broadcaster: ObjectBroadcaster
  readonly sequencer: Sequencer
  readonly follow: PlaneFollowers['follow']
  /** The session that listens for changes, once it is open; null if it has failed. */
  session(): Promise<NamedSession | null>
  /** Seconds for which a change has waited in the outbox, or in the log for this process. */
  lagSeconds(): number
}

/** Starts the sequencer, the broadcaster and compaction of the log of objects. */
export async function startObjectFeed(options: Options): Promise<ObjectFeed> {
  const { database, codecOf, startOf, retention, onError } = options
  await startEpoch(database, 'object_head', () => renewObjectEpoch(database, null))
  const broadcaster = await ObjectBroadcaster.start({ database, codecOf, onError })
  const followers = createPlaneFollowers({ database, broadcaster, codecOf, startOf })
  let ownPid = 0
  let moved = 0
  const sequencer = startSequencer({
    move: (limit) => sequenceObjects(database, limit, seenBy(broadcaster)),
    onError,
    onSequenced: ({ moved: count, epoch, revision: sequence, pid }) => {
      moved += count
      ownPid = pid
      broadcaster.refresh({ epoch, sequence })
    },
  })
  const notifier = listenForNotifications(database, {
    channel: 'flotilla_objects',
    onNotification: (pid) => {
      if (pid !== ownPid) broadcaster.refresh()
    },
    onConnect: () => {
      const renewed = renewObjectEpoch(database, seenBy(broadcaster))
      renewed.then(() => broadcaster.refresh(), onError)
    },
  })
  database.onFailover(async (connection) => {
    await renewObjectEpoch(connection, seenBy(broadcaster))
    broadcaster.enterEpoch(await readObjectHead(connection))
  })
  const compaction = repeat(COMPACTION_INTERVAL_MS, onError, () =>
    compactObjects(database, retention),
  )
  const vacuum = repeat(VACUUM.intervalMs, onError, async () => {
    if (moved < VACUUM.changes) return
    moved = 0
    await vacuumObjectOutbox(database)
  })
  let lagSeconds = 0
  const lag = repeat(LAG_INTERVAL_MS, onError, async () => {
    lagSeconds = await objectOutboxAge(database)
  })
  return {
    broadcaster,
    sequencer,
    follow: followers.follow,
    session: () => notifier.session(),
    lagSeconds: () => Math.max(lagSeconds, broadcaster.lagSeconds),
    [Symbol.asyncDispose]: async () => {
      followers[Symbol.dispose]()
      await Promise.all(
        [compaction, vacuum, lag, notifier].map((part) => part[Symbol.asyncDispose]()),
      )
      await sequencer[Symbol.asyncDispose]()
      await broadcaster[Symbol.asyncDispose]()
    },
  }
}

function seenBy({ epoch, sequence }: ObjectBroadcaster): SeenPosition {
  return { epoch, revision: sequence }
}
