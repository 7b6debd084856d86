/** Latencies from the response to a write until its event on the other server. */
export interface Latencies {
  /** Records that a write was acknowledged now. */
  acknowledged(write: Write): void
  /** Records that its event arrived now, on a watch that caught up at `liveSince`. */
  delivered(write: Write, liveSince: number): void
  /** Milliseconds. */
  all(): readonly number[]
}

export interface Write {
  readonly id: string
  readonly sequence: number
  /** The number of the server that acknowledged the write or sent the event. */
  readonly server: number
}

interface Moment {
  readonly server: number
  readonly time: number
}

export function createLatencies(): Latencies {
  const responses = new Map<string, Moment>()
  const early = new Map<string, Moment>()
  const milliseconds: number[] = []
  return {
    acknowledged: ({ id, sequence, server }) => {
      const key = `${id} ${sequence}`
      const event = early.get(key)
      if (event && event.server !== server) milliseconds.push(0)
      early.delete(key)
      responses.set(key, { server, time: performance.now() })
    },
    delivered: ({ id, sequence, server }, liveSince) => {
      const key = `${id} ${sequence}`
      const now = performance.now()
      const response = responses.get(key)
      if (!response) early.set(key, { server, time: now })
      else if (response.server !== server && response.time > liveSince) {
        milliseconds.push(now - response.time)
      }
      // Later events of the resource, such as those of reports, carry the same sequence number.
      responses.delete(key)
    },
    all: () => milliseconds,
  }
}
