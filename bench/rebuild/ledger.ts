/** What has been told of one list, by whatever server to whatever watch: it must be the same. */
export interface Ledger {
  /** Says what is wrong where another watch was told something else at this revision; else null. */
  note(revision: number, event: string): string | null
  /** Events behind a revision. */
  countAfter(revision: number): number
}

export function createLedger(): Ledger {
  const events = new Map<number, string>()
  return {
    note: (revision, event) => {
      const known = events.get(revision)
      if (known === undefined) events.set(revision, event)
      if (known === undefined || known === event) return null
      return `revision ${revision} is '${event}' here and '${known}' elsewhere`
    },
    countAfter: (revision) => [...events.keys()].filter((each) => each > revision).length,
  }
}
