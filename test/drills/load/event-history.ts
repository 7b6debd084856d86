/** Compares the events of several watches of the same clusters: they must be equal. */
export class EventHistory {
  /** Digests by resource version, and how many watches received the event. */
  readonly #events = new Map<string, { readonly digest: string; received: number }>()
  /** The resource version from which each watch has received all events. */
  readonly #joined = new Map<object, string>()

  /** Called when a watch has received the existing objects, also after a reset. */
  join(watch: object, resourceVersion: string): void {
    this.#joined.set(watch, resourceVersion)
  }

  /** Returns how the event differs from that of another watch. */
  record(resourceVersion: string, digest: string): string | null {
    const known = this.#events.get(resourceVersion)
    if (known === undefined) {
      this.#events.set(resourceVersion, { digest, received: 1 })
      return null
    }
    known.received += 1
    if (known.digest === digest) return null
    return `${resourceVersion} is '${digest}', and '${known.digest}' in another watch`
  }

  get size(): number {
    return this.#events.size
  }

  /** The events that not every watch received. All watches must have caught up. */
  missed(): readonly string[] {
    return [...this.#events].flatMap(([version, { digest, received }]) => {
      const expected = [...this.#joined.values()].filter((joined) =>
        isAfter(version, joined),
      ).length
      return received >= expected
        ? []
        : [`${received} of ${expected} watches: ${version} ${digest}`]
    })
  }
}

/** Watches that joined in another epoch do not receive the event. */
function isAfter(version: string, joined: string): boolean {
  const [epoch, revision] = version.split('.')
  const [joinedEpoch, joinedRevision] = joined.split('.')
  return epoch === joinedEpoch && Number(revision) > Number(joinedRevision)
}
