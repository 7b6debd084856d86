import { startEpoch } from '../../feed/start-epoch.ts'
import { type RunningLog, startLog } from '../../feed/start-log.ts'
import type { Database } from '../../database/database.ts'
import type { CodecOf } from '../model/body-codec.ts'
import { compactObjects, type ObjectRetention } from './compact-objects.ts'
import { type ObjectLog, startObjectLog } from './object-log.ts'
import { createPlaneFollowers, type PlaneFollowers } from './plane-followers.ts'

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
export interface ObjectFeed extends RunningLog {
  readonly log: ObjectLog
  readonly follow: PlaneFollowers['follow']
}

/** Starts the sequencer, the reader and compaction of the log of objects. */
export async function startObjectFeed(options: Options): Promise<ObjectFeed> {
  const { database, codecOf, startOf, retention, onError } = options
  await startEpoch(database, 'objects')
  const log = await startObjectLog({ database, codecOf, onError })
  const followers = createPlaneFollowers({ database, log, codecOf, startOf })
  const running = startLog({
    database,
    log: 'objects',
    reader: log,
    compact: () => compactObjects(database, retention),
    onError,
  })
  return {
    ...running,
    log,
    follow: followers.follow,
    [Symbol.asyncDispose]: async () => {
      followers[Symbol.dispose]()
      await running[Symbol.asyncDispose]()
    },
  }
}
