import type { Hub } from '../../../core/feed/hub.ts'
import { Watchers } from '../../../core/operations/watch/watchers.ts'
import type { Presentation } from '../wire/resource.ts'
import { type BatchWriter, createBatchWriter } from './batch-writer.ts'
import { createObjectTexts } from './object-texts.ts'
import type { WatchStreams } from '../../../http/streams/watch-streams.ts'

/** Texts of changes that are kept for those who are told them later: resumed watches mostly. */
const MOST_TEXT = 8_388_608

/** What watches of lists work with. */
export interface Watching {
  readonly streams: WatchStreams
  readonly watchers: Watchers
  readonly write: BatchWriter
}

interface Parts {
  readonly streams: WatchStreams
  readonly hub: Hub
  readonly presentation: Presentation
}

/** Puts together what the watches of one server share. */
export function createWatching({ streams, hub, presentation }: Parts): Watching {
  const texts = createObjectTexts(presentation, MOST_TEXT)
  return { streams, watchers: new Watchers(hub, streams.pace), write: createBatchWriter(texts) }
}
