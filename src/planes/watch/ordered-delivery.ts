import type { WatchStream } from '../../http/streams/watch-stream.ts'

/** An event of a watch. */
export interface WatchDelivery {
  /** The change or object behind the event. Streams share its memory. */
  readonly source: object
  /** Estimated size in bytes. */
  readonly size: number
  /** The framed event, which may still be rendered. */
  readonly text: string | Promise<string>
  /** The revision up to which the client has every change afterwards; null if it is unknown. */
  readonly revision: bigint | null
}

/** Delivers events in the order of the calls. */
export interface OrderedDelivery {
  send(delivery: WatchDelivery): void
  /** Whether no event is being rendered, so that a bookmark cannot overtake one. */
  isIdle(): boolean
}

/**
 * Waits for events that are rendered asynchronously, such as converted objects. Without bookmarks,
 * deliveries carry no resource version, so that the stream sends none.
 */
export function createOrderedDelivery(
  stream: Pick<WatchStream, 'deliver' | 'write' | 'fail'>,
  bookmarks: boolean,
): OrderedDelivery {
  let last: Promise<void> | null = null
  const deliver = (delivery: WatchDelivery, text: string): void => {
    const { source, size, revision } = delivery
    const resourceVersion = bookmarks && revision !== null ? revision.toString() : null
    stream.deliver({ source, size, resourceVersion, send: () => stream.write(text) })
  }
  const deliverLater = async (
    before: Promise<void> | null,
    delivery: WatchDelivery,
  ): Promise<void> => {
    try {
      await before
      deliver(delivery, await delivery.text)
    } catch (error) {
      stream.fail(error)
    }
  }
  return {
    isIdle: () => last === null,
    send: (delivery) => {
      const { text } = delivery
      if (last === null && typeof text === 'string') {
        deliver(delivery, text)
        return
      }
      const current = deliverLater(last, delivery).finally(() => {
        if (last === current) last = null
      })
      last = current
    },
  }
}
