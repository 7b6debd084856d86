/** The events of one list, which must be the same for all watches and servers. */
export interface EventLog {
  /** Records an event. Describes the conflict if another watch got a different event, else null. */
  record(revision: number, event: string): string | null
  /** Number of events after a revision. */
  countAfter(revision: number): number
}

export function createEventLog(): EventLog {
  const events = new Map<number, string>()
  return {
    record: (revision, event) => {
      const recorded = events.get(revision)
      if (recorded === undefined) events.set(revision, event)
      if (recorded === undefined || recorded === event) return null
      return `revision ${revision} is '${event}' here and '${recorded}' on another watch`
    },
    countAfter: (revision) => [...events.keys()].filter((each) => each > revision).length,
  }
}
