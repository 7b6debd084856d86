/** `Date` headers have whole seconds, so smaller differences say nothing. */
const GRANULARITY_MS = 1_000

/** Estimates the server's clock from the `Date` headers of its responses. */
export class ServerClock {
  #offset = 0

  /** Records a response to a request that was sent at a local time. */
  observe(headers: Headers, sentAt: number, receivedAt: number): void {
    const date = Date.parse(headers.get('date') ?? '')
    if (Number.isNaN(date)) return
    const earliest = date - receivedAt
    const latest = date + GRANULARITY_MS - sentAt
    if (this.#offset < earliest || this.#offset > latest) {
      this.#offset = earliest <= 0 && latest >= 0 ? 0 : (earliest + latest) / 2
    }
  }

  /** The server's time at a local time; the local time if no response contradicts it. */
  at(local: number): Date {
    return new Date(local + this.#offset)
  }
}
