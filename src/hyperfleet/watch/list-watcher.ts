import { formatResourceVersion, type ResourceVersion } from '../../store/feed/resource-version.ts'
import type { WatchBatch, Watcher } from '../../store/operations/watch/watch-event.ts'
import type { WatchStream } from '../../http/streams/watch-stream.ts'

/**
 * Writes the events of a watch to a stream. Until the first of them the stream sends no bookmark: it
 * would begin the response, and a failed check could no longer set its status.
 */
export function listWatcher(stream: WatchStream, write: (batch: WatchBatch) => Buffer): Watcher {
  let place: ResourceVersion | null = null
  stream.reportVersionsFrom(() => place && formatResourceVersion(place))
  return {
    signal: stream.signal,
    send: (batch) => {
      const { source, size, events, epoch } = batch
      const revision = events.at(-1)?.revision ?? null
      const resourceVersion = revision === null ? null : formatResourceVersion({ epoch, revision })
      stream.deliver({ source, size, resourceVersion, send: () => stream.write(write(batch)) })
    },
    passed: (token) => {
      place = token
    },
    initialStateSent: (token) => {
      place = token
      stream.bookmark(formatResourceVersion(token))
      stream.flush()
    },
    fail: (error) => stream.fail(error),
    ready: () => stream.ready(),
  }
}
