import { BoundedMap } from 'flotilla'

interface Place {
  readonly plane: string
  readonly namespace: string
  readonly name: string
}

const MAX_SNAPSHOTS = 10_000

/** The deleted snapshots that wait for a user or a backend. A change may let them continue. */
export class WaitingSnapshots<Item extends Place> {
  readonly #items = new BoundedMap<Item>(MAX_SNAPSHOTS)

  /** Records whether a snapshot waits. */
  set(item: Item, isWaiting: boolean): void {
    const key = `${item.plane}/${item.namespace}/${item.name}`
    if (isWaiting) this.#items.set(key, item)
    else this.#items.delete(key)
  }

  /** The waiting snapshots of a plane, or of all planes. */
  in(plane: string | null): readonly Item[] {
    return [...this.#items.values()].filter((item) => plane === null || item.plane === plane)
  }
}
