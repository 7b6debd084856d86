/** Times from the answer to a write to its event on the other server. */
export interface Latencies {
  /** A write was answered, now. */
  answered(write: Write): void
  /** Its event has come, now; `liveSince` is when that watch had caught up. */
  told(write: Write, liveSince: number): void
  /** Milliseconds, in order. */
  sorted(): readonly number[]
}

export interface Write {
  readonly id: string
  readonly turn: number
  /** The number of the server that answered or told. */
  readonly server: number
}

interface Moment {
  readonly server: number
  readonly time: number
}

export function createLatencies(): Latencies {
  const answers = new Map<string, Moment>()
  const early = new Map<string, Moment>()
  const milliseconds: number[] = []
  return {
    answered: ({ id, turn, server }) => {
      const key = `${id} ${turn}`
      const event = early.get(key)
      if (event && event.server !== server) milliseconds.push(0)
      early.delete(key)
      answers.set(key, { server, time: performance.now() })
    },
    told: ({ id, turn, server }, liveSince) => {
      const key = `${id} ${turn}`
      const now = performance.now()
      const answer = answers.get(key)
      if (!answer) early.set(key, { server, time: now })
      else if (answer.server !== server && answer.time > liveSince) {
        milliseconds.push(now - answer.time)
      }
      // A resource is told again with reports: only the first event is the write's.
      answers.delete(key)
    },
    sorted: () => milliseconds.toSorted((a, b) => a - b),
  }
}
