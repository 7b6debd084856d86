/** Events that wait to be rendered for one stream. */
export interface Delivery {
  /** The change behind the events. Streams that wait for the same source share its memory. */
  readonly source: object
  /** Estimated size of the source in bytes. */
  readonly size: number
  /** Writes the events to the stream. */
  readonly send: () => void
  /** The resource version of the last event; null if the events have none. */
  readonly resourceVersion: string | null
}
