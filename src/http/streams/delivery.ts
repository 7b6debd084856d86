/** Events that wait to be rendered for one stream. */
export interface Delivery {
  /** What the events are about: streams that wait for the same source share its memory. */
  readonly source: object
  /** About how many bytes the source takes. */
  readonly size: number
  /** Writes the events to the stream. */
  readonly send: () => void
  /** Of the last event; null if the events have no token. */
  readonly token: string | null
}
