import type { WatchStream } from '../../http/streams/watch-stream.ts'
import type { WatchStreams } from '../../http/streams/watch-streams.ts'
import type { StreamEvents } from '../../http/streams/stream-events.ts'
import type { ChangeSubscription } from '../../store/objects/model/change-subscriber.ts'
import type { VerbRequest } from '../verbs/verb-request.ts'
import { createOrderedDelivery, type OrderedDelivery } from './ordered-delivery.ts'
import { streamEventsOf, WATCH_FORMAT } from './watch-events.ts'
import type { WatchOptions } from './watch-options.ts'

/** The parts that the watches of all planes share. */
export interface Watching {
  readonly streams: WatchStreams
  /** Watches without `timeoutSeconds` close at a random time between this and twice this. */
  readonly minTimeoutSeconds: number
}

interface Subscribed extends Pick<WatchOptions, 'bookmarks' | 'timeoutSeconds'> {
  readonly bookmark: StreamEvents['bookmark']
  readonly subscribe: (
    stream: WatchStream,
    delivery: OrderedDelivery,
  ) => Promise<ChangeSubscription>
}

/** Serves a watch until its subscription ends. Sends bookmarks if the client asked for them. */
export function serveSubscription(
  { streams, minTimeoutSeconds }: Watching,
  { response, target }: VerbRequest,
  { bookmarks, timeoutSeconds, bookmark, subscribe }: Subscribed,
): Promise<void> {
  const maxAgeSeconds = timeoutSeconds ?? minTimeoutSeconds * (1 + Math.random())
  const options = {
    ...streamEventsOf(bookmark),
    format: WATCH_FORMAT,
    maxAgeSeconds,
    // An event must not leave long before the change that a controller has reacted to.
    group: target.plane,
  }
  return streams.serve(response, options, async (stream) => {
    const delivery = createOrderedDelivery(stream, bookmarks)
    const subscription = await subscribe(stream, delivery)
    stream.disposeOnEnd(subscription)
    if (bookmarks) {
      stream.reportVersionsFrom(() => (delivery.isIdle() ? subscription.revision.toString() : null))
    }
    stream.start()
  })
}
