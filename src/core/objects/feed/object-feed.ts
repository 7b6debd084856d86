import { type Sequencer, startSequencer } from '../../feed/sequencer.ts'
import { listenForNotifications } from '../../storage/changes/listen-for-notifications.ts'
import type { Database } from '../../storage/database/database.ts'
import type { CodecOf } from '../model/body-codec.ts'
import { renewObjectEpoch } from '../storage/object-head.ts'
import { sequenceObjects } from '../storage/sequence-objects.ts'
import { ObjectBroadcaster } from './object-broadcaster.ts'
import { createPlaneFollowers, type PlaneFollowers } from './plane-followers.ts'

interface Options {
  readonly database: Database
  readonly codecOf: CodecOf
  /** The revision of a plane that has no row. */
  readonly startOf: (plane: string) => bigint | Promise<bigint>
  /** A background task has failed; it is tried again. */
  readonly onError: (error: unknown) => void
}

/** The feed of the changes of objects in one process. */
export interface ObjectFeed extends AsyncDisposable {
  readonly broadcaster: ObjectBroadcaster
  readonly sequencer: Sequencer
  readonly follow: PlaneFollowers['follow']
}

/** Starts the sequencer and the broadcaster of the log of objects. */
export async function startObjectFeed(options: Options): Promise<ObjectFeed> {
  const { database, codecOf, startOf, onError } = options
  await renewObjectEpoch(database)
  const broadcaster = await ObjectBroadcaster.start({ database, codecOf, onError })
  const followers = createPlaneFollowers({ database, broadcaster, codecOf, startOf })
  let ownPid = 0
  const sequencer = startSequencer({
    move: (limit) => sequenceObjects(database, limit),
    onError,
    onSequenced: ({ epoch, revision: sequence, pid }) => {
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
      renewObjectEpoch(database).then(() => broadcaster.refresh(), onError)
    },
  })
  return {
    broadcaster,
    sequencer,
    follow: followers.follow,
    [Symbol.asyncDispose]: async () => {
      followers[Symbol.dispose]()
      await notifier[Symbol.asyncDispose]()
      await sequencer[Symbol.asyncDispose]()
      await broadcaster[Symbol.asyncDispose]()
    },
  }
}
