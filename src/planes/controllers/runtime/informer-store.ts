import type { ApiObject } from '../../model/api-object.ts'

/** A change of an informer's store. */
export type StoreChange =
  | { readonly type: 'added'; readonly object: ApiObject }
  | { readonly type: 'updated'; readonly object: ApiObject; readonly old: ApiObject }
  | {
      readonly type: 'deleted'
      readonly object: ApiObject
      /** The deletion was missed: the object is a stored state, not the last one. */
      readonly isStale: boolean
    }

/** The objects that an informer has received. Older states never replace newer ones. */
export class InformerStore {
  readonly #objects = new Map<string, ApiObject>()
  readonly #onChange: (change: StoreChange) => void

  constructor(onChange: (change: StoreChange) => void) {
    this.#onChange = onChange
  }

  get(namespace: string, name: string): ApiObject | undefined {
    return this.#objects.get(`${namespace}/${name}`)
  }

  get objects(): readonly ApiObject[] {
    return [...this.#objects.values()]
  }

  /** Applies a complete list. */
  replace(objects: readonly ApiObject[]): void {
    const missing = new Set(this.#objects.keys())
    for (const object of objects) {
      missing.delete(keyOf(object))
      this.#put(object)
    }
    for (const key of missing) this.#remove(key, null)
  }

  /** Applies an event and returns its resource version. */
  apply({ type, object }: { readonly type: string; readonly object: ApiObject }): string {
    if (type === 'DELETED') this.#remove(keyOf(object), object)
    else this.#put(object)
    return versionOf(object)
  }

  #put(object: ApiObject): void {
    const key = keyOf(object)
    const old = this.#objects.get(key)
    if (old !== undefined && !isNewer(object, old)) return
    if (old !== undefined && old.metadata.uid !== object.metadata.uid) this.#remove(key, null)
    const isKnown = this.#objects.has(key)
    this.#objects.set(key, object)
    this.#onChange(
      isKnown && old !== undefined ? { type: 'updated', object, old } : { type: 'added', object },
    )
  }

  /** `last` is null if the deletion was missed. */
  #remove(key: string, last: ApiObject | null): void {
    const old = this.#objects.get(key)
    // The pages of a list may be newer than the list's version, so that old events follow.
    if (old === undefined || (last !== null && !isNewer(last, old))) return
    this.#objects.delete(key)
    this.#onChange({ type: 'deleted', object: last ?? old, isStale: last === null })
  }
}

function keyOf({ metadata }: ApiObject): string {
  return `${metadata.namespace ?? ''}/${metadata.name ?? ''}`
}

function versionOf({ metadata }: ApiObject): string {
  return metadata.resourceVersion ?? ''
}

const INTEGER = /^\d{1,19}$/

/** Resource versions of one plane are comparable integers; of other servers only equality counts. */
function isNewer(object: ApiObject, old: ApiObject): boolean {
  const [left, right] = [versionOf(object), versionOf(old)]
  if (INTEGER.test(left) && INTEGER.test(right)) return BigInt(left) > BigInt(right)
  return left !== right
}
