import { BoundedMap } from 'flotilla'
import type { ApiObject } from 'flotilla/planes'

const MAX_WRITES = 10_000

/**
 * The versions of objects that this process has written. The reconciliation that wrote a version has
 * seen all that came before it, so the change needs no further reconciliation.
 */
export class OwnWrites {
  #versions = new BoundedMap<true>(MAX_WRITES)

  /** Returns the written object. */
  record(object: ApiObject): ApiObject {
    this.#versions.set(keyOf(object), true)
    return object
  }

  has(object: ApiObject): boolean {
    return this.#versions.has(keyOf(object))
  }

  /** Call it after changes were lost: a database without them gives their versions to other writes. */
  forget(): void {
    this.#versions = new BoundedMap(MAX_WRITES)
  }
}

function keyOf({ metadata: { uid = '', resourceVersion = '' } }: ApiObject): string {
  return `${uid}/${resourceVersion}`
}
