/** The part of an event that all watches of the cluster receive alike. */
interface ClusterEvent {
  readonly type: string
  readonly id: string
  /** The generation and the status. */
  readonly state: string
}

/** The state in which a watch began. */
interface Beginning {
  readonly version: string
  /** The states of the existing clusters by ID. */
  readonly states: ReadonlyMap<string, string>
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
    const [mine, theirs] = [event, known].map(textOf)
    return mine === theirs ? null : `${version} is '${mine}', and '${theirs}' in another watch`
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
          !this.#beganAfter(watch, beginning, { version, ...event }),
      ).length
      if (absent === 0) return []
      const received = event.watches.size
      return [`${received} of ${received + absent} watches: ${version} ${textOf(event)}`]
    })
  }

  /**
   * Whether a watch began with the result of an event or of a later one. The existing objects can be
   * newer than their resource version, and events that they had are not sent.
   */
  #beganAfter(
    watch: object,
    { states }: Beginning,
    { version, type, id }: ClusterEvent & { readonly version: string },
  ): boolean {
    const known = states.get(id)
    const others = [...this.#events].filter(([, event]) => event.id === id)
    if (type === 'DELETED') {
      return known === undefined && !others.some(([, event]) => event.watches.has(watch))
    }
    return others.some(
      ([other, event]) => event.state === known && (other === version || isAfter(other, version)),
    )
  }
}

function textOf({ type, id, state }: ClusterEvent): string {
  return [type, id, state].join(' ')
}

/** Watches that joined in another epoch do not receive the event. */
function isAfter(version: string, joined: string): boolean {
  const [epoch, revision] = version.split('.')
  const [joinedEpoch, joinedRevision] = joined.split('.')
  return epoch === joinedEpoch && Number(revision) > Number(joinedRevision)
}
