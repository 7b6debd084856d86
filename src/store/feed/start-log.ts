import { listenForNotifications } from '../changes/listen-for-notifications.ts'
import type { Log } from '../changes/log.ts'
import { outboxAge, vacuumOutbox } from '../changes/outbox.ts'
import { readHead } from '../changes/read-changes.ts'
import { renewEpoch } from '../changes/renew-epoch.ts'
import { sequenceChanges } from '../changes/sequence-changes.ts'
import type { NamedSession } from '../database/connection/named-session.ts'
import type { Database } from '../database/database.ts'
import type { LogReader } from './log-reader.ts'
import { repeat } from '../../lib/async/repeat.ts'
import { type Sequencer, startSequencer } from './sequencer.ts'

/** Longer than the grace period of readers, GRACE in compact-changes.ts. */
const COMPACTION_INTERVAL_MS = 60_000
/** The outbox is vacuumed at most once per interval, and only after this number of changes. */
const VACUUM = { intervalMs: 5000, changes: 2000 }
/**
 * Between two reads of the age of the outbox. An idle sequencer runs more often, so the age is read
 * only while this process cannot move changes.
 */
const LAG_INTERVAL_MS = 1500

/** The channels that sequencers notify. */
const CHANNELS = { resources: 'flotilla_changes', objects: 'flotilla_objects' } as const

interface Options {
  readonly database: Database
  readonly log: Log
  readonly reader: Pick<
    LogReader<unknown>,
    'resourceVersion' | 'refresh' | 'enterEpoch' | 'lagSeconds' | typeof Symbol.asyncDispose
  >
  readonly compact: () => Promise<void>
  /** A background task has failed; it is tried again. */
  readonly onError: (error: unknown) => void
}

/** The work of one process on a log. Disposal also ends the reader. */
export interface RunningLog extends AsyncDisposable {
  readonly sequencer: Sequencer
  /** The session that listens for changes, once it is open; null if it has failed. */
  session(): Promise<NamedSession | null>
  /** Seconds for which a change has waited in the outbox, or in the log for this process. */
  lagSeconds(): number
}

/** Starts the sequencer of a log, the listener that refreshes its reader, and compaction. */
export function startLog({ database, log, reader, compact, onError }: Options): RunningLog {
  let ownPid = 0
  let moved = 0
  /** Whether a run has moved everything since the last read of the age. */
  let emptied = false
  const sequencer = startSequencer({
    move: async (limit) => {
      const sequenced = await sequenceChanges(database, log, {
        limit,
        seen: reader.resourceVersion,
      })
      emptied ||= sequenced !== null && sequenced.moved < limit
      return sequenced
    },
    onError,
    onSequenced: ({ moved: count, epoch, revision, pid }) => {
      moved += count
      ownPid = pid
      reader.refresh({ epoch, revision })
    },
  })
  const notifier = listenForNotifications(database, {
    channel: CHANNELS[log],
    onNotification: (pid) => {
      if (pid !== ownPid) reader.refresh()
    },
    onConnect: () => {
      const renewed = renewEpoch(database, log, reader.resourceVersion)
      renewed.then(() => reader.refresh(), onError)
    },
  })
  database.onFailover(async (connection) => {
    await renewEpoch(connection, log, reader.resourceVersion)
    reader.enterEpoch(await readHead(connection, log))
  })
  const compaction = repeat({ pauseMs: COMPACTION_INTERVAL_MS, onError }, compact)
  const vacuum = repeat({ pauseMs: VACUUM.intervalMs, onError }, async () => {
    if (moved < VACUUM.changes) return
    moved = 0
    await vacuumOutbox(database, log)
  })
  let lagSeconds = 0
  const lag = repeat({ pauseMs: LAG_INTERVAL_MS, onError }, async () => {
    lagSeconds = emptied ? 0 : await outboxAge(database, log)
    emptied = false
  })
  return {
    sequencer,
    session: () => notifier.session(),
    lagSeconds: () => Math.max(lagSeconds, reader.lagSeconds),
    [Symbol.asyncDispose]: async () => {
      await Promise.all(
        [compaction, vacuum, lag, notifier].map((part) => part[Symbol.asyncDispose]()),
      )
      await sequencer[Symbol.asyncDispose]()
      await reader[Symbol.asyncDispose]()
    },
  }
}
