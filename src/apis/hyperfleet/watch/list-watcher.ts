import { formatToken, type Token } from '../../../core/feed/token.ts'
import type { WatchBatch, Watcher } from '../../../core/operations/watch/watch-event.ts'
import type { WatchStream } from '../../../http/streams/watch-stream.ts'

/** Writes what a watch is told to a stream. `from` is what the client knows already. */
export function listWatcher(
  stream: WatchStream,
  from: Token | null,
  write: (batch: WatchBatch) => Buffer,
): Watcher {
  let place = from
  stream.follow(() => place && formatToken(place))
  return {
    signal: stream.signal,
    tell: (batch) => {
      const { source, size, events, epoch } = batch
      const revision = events.at(-1)?.revision ?? null
      const token = revision === null ? null : formatToken({ epoch, revision })
      stream.deliver({ source, size, token, send: () => stream.write(write(batch)) })
    },
    passed: (token) => {
      place = token
    },
    stateTold: (token) => {
      place = token
      stream.bookmark(formatToken(token))
      stream.flush()
    },
    fail: (error) => stream.fail(error),
    ready: () => stream.ready(),
  }
}
