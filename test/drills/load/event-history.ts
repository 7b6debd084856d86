/** The part of an event that all watches of the cluster receive alike. */
interface ClusterEvent {
  readonly type: string
  readonly id: string
  readonly generation: number
  readonly digest: string
}

/** The state in which a watch began. */
interface Beginning {
  readonly version: string
  /** The generations of the existing clusters by ID. */
  readonly generations: ReadonlyMap<string, number>
}

/** Compares the events of several watches of the same clusters: they must be equal. */
export class EventHistory {
  /** Events by resource version, with the watches that received them. */
  readonly #events = new Map<string, ClusterEvent & { readonly watches: Set<object> }>()
  /** Each watch receives all events after its beginning. */
  readonly #beginnings = new Map<object, Beginning>()

  /** Called when a watch has received the existing objects, also after a reset. */
  join(watch: object, beginning: Beginning): void {
    this.#beginnings.set(watch, beginning)
  }

  /** Returns how the event differs from that of another watch. */
  record(watch: object, version: string, event: ClusterEvent): string | null {
    const known = this.#events.get(version)
    if (known === undefined) {
      this.#events.set(version, { ...event, watches: new Set([watch]) })
      return null
    }
    known.watches.add(watch)
    if (known.digest === event.digest) return null
    return `${version} is '${event.digest}', and '${known.digest}' in another watch`
  }

  get size(): number {
    return this.#events.size
  }

  /** The events that not every watch received. All watches must have caught up. */
  missed(): readonly string[] {
    return [...this.#events].flatMap(([version, event]) => {
      const absent = [...this.#beginnings].filter(
        ([watch, beginning]) =>
          isAfter(version, beginning.version) &&
          !event.watches.has(watch) &&
          !this.#began(watch, beginning, event),
      ).length
      if (absent === 0) return []
      const received = event.watches.size
      return [`${received} of ${received + absent} watches: ${version} ${event.digest}`]
    })
  }

  /**
   * Whether a watch began with the result of an event. The existing objects can be newer than their
   * resource version, and events that they had are not sent.
   */
  #began(
    watch: object,
    { generations }: Beginning,
    { type, id, generation }: ClusterEvent,
  ): boolean {
    const known = generations.get(id)
    if (type !== 'DELETED') return known !== undefined && known >= generation
    const received = [...this.#events.values()].some(
      (event) => event.id === id && event.watches.has(watch),
    )
    return known === undefined && !received
  }
}

/** Watches that joined in another epoch do not receive the event. */
function isAfter(version: string, joined: string): boolean {
  const [epoch, revision] = version.split('.')
  const [joinedEpoch, joinedRevision] = joined.split('.')
  return epoch === joinedEpoch && Number(revision) > Number(joinedRevision)
}
