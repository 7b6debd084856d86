/** A sandbox in the queue. Rows with one of the uids are removed if the object no longer exists. */
export interface SandboxItem {
  readonly plane: string
  readonly namespace: string
  readonly name: string
  readonly uids: readonly string[]
}

/** The item of two with the same name. A sandbox may have been removed and created again. */
export function mergeItems(waiting: SandboxItem, added: SandboxItem): SandboxItem {
  return { ...added, uids: [...new Set([...waiting.uids, ...added.uids])] }
}

const MAX_SIZE = 50_000

/** Sandboxes whose operations wait. A change of a backend or a runtime wakes them early. */
export class WaitingSandboxes {
  readonly #items = new Map<string, SandboxItem>()
  readonly #woken = new Set<string>()

  get size(): number {
    return this.#items.size
  }

  set(uid: string, item: SandboxItem | null): void {
    if (item === null) {
      this.#items.delete(uid)
      this.#woken.delete(uid)
    } else if (this.#items.size < MAX_SIZE) this.#items.set(uid, item)
  }

  /** Marks the waiting sandboxes of a plane, or of all planes if null, and returns them. */
  wake(plane: string | null): readonly SandboxItem[] {
    const items: SandboxItem[] = []
    for (const [uid, item] of this.#items) {
      if (plane !== null && item.plane !== plane) continue
      this.#woken.add(uid)
      items.push(item)
    }
    return items
  }

  /** Whether the sandbox was marked since the last call. */
  takeWoken(uid: string): boolean {
    return this.#woken.delete(uid)
  }
}
