import type { Broadcaster } from '../../store/feed/broadcaster.ts'
import { Watchers } from '../../store/operations/watch/watchers.ts'
import type { WireOptions } from '../wire/resource.ts'
import { type BatchWriter, createBatchWriter } from './batch-writer.ts'
import { createObjectTexts } from './object-texts.ts'
import type { WatchStreams } from '../../http/streams/watch-streams.ts'

/** Maximum number of characters in cached texts of changes, mostly for resumed watches. */
const MAX_TEXT = 8_388_608

/** The dependencies of watches of lists. */
export interface Watching {
  readonly streams: WatchStreams
  readonly watchers: Watchers
  readonly write: BatchWriter
}

interface Parts {
  readonly streams: WatchStreams
  readonly broadcaster: Broadcaster
  readonly wire: WireOptions
}

/** Creates the parts that the watches of one server share. */
export function createWatching({ streams, broadcaster, wire }: Parts): Watching {
  const texts = createObjectTexts(wire, MAX_TEXT)
  return {
    streams,
    watchers: new Watchers(broadcaster, streams.backpressure),
    write: createBatchWriter(texts),
  }
}
