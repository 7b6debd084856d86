import { compareText } from '../../../lib/compare-text.ts'
import type { ObjectChange } from '../model/object-change.ts'
import type { PlaneConfiguration } from '../model/plane-configuration.ts'
import type { ObjectKey, StoredObject } from '../model/stored-object.ts'
import type { LoadedConfiguration } from '../storage/load-configuration.ts'
import { storedObjectOf } from './stored-object-of.ts'

/** The approximate size of an object without its body, and of a computed object. */
const FIXED_BYTES = 500
const COMPUTED_BYTES = 2000

/** The objects of one resource. */
interface ResourceState {
  /** The stored object of a key; null for a tombstone. */
  readonly rows: Map<string, StoredObject | null>
  readonly computed: readonly StoredObject[]
  /** All objects that exist, in order; null after a change. */
  objects: readonly StoredObject[] | null
}

interface Derived {
  /** The lists of objects that the value was computed from. */
  readonly inputs: readonly (readonly StoredObject[])[]
  readonly value: unknown
}

const NONE: readonly StoredObject[] = []

/** The configuration of one plane in memory. Changes replace the current view. */
export class ConfigurationState {
  readonly #resources: ReadonlyMap<string, ResourceState>
  readonly #derived = new Map<symbol, Derived>()
  #view: PlaneConfiguration | null = null
  #revision: bigint
  /** The approximate number of bytes in memory. */
  size = 0

  constructor(loaded: LoadedConfiguration, computed: ReadonlyMap<string, readonly StoredObject[]>) {
    this.#revision = loaded.revision
    this.#resources = new Map(
      [...computed].map(([resource, objects]) => [
        resource,
        { rows: new Map(), computed: objects, objects: null },
      ]),
    )
    for (const { object, isTombstone } of loaded.rows) {
      this.#resources.get(object.resource)?.rows.set(keyText(object), isTombstone ? null : object)
      this.size += sizeOf(object)
    }
    for (const { computed: objects } of this.#resources.values()) {
      this.size += objects.length * COMPUTED_BYTES
    }
  }

  get revision(): bigint {
    return this.#revision
  }

  /** The configuration at the current revision; later changes do not affect it. */
  get view(): PlaneConfiguration {
    return (this.#view ??= this.#createView())
  }

  /** Applies a change of the plane, unless the configuration includes it. */
  apply(change: ObjectChange): void {
    if (change.revision <= this.#revision) return
    this.#revision = change.revision
    this.#view = null
    const state = this.#resources.get(change.resource)
    if (!state) return
    this.#applyTo(state, change)
    state.objects = null
  }

  #applyTo({ rows, computed }: ResourceState, change: ObjectChange): void {
    const key = keyText(change)
    const old = rows.get(key)
    if (old) this.size -= sizeOf(old)
    if (change.type === 'DELETED') {
      // A tombstone hides the computed object.
      if (computed.some((object) => keyText(object) === key)) rows.set(key, null)
      else rows.delete(key)
      return
    }
    const object = storedObjectOf(change)
    rows.set(key, object)
    this.size += sizeOf(object)
  }

  #createView(): PlaneConfiguration {
    const lists = new Map(
      [...this.#resources].map(([resource, state]) => [
        resource,
        (state.objects ??= existing(state)),
      ]),
    )
    const derived = this.#derived
    const view: PlaneConfiguration = {
      revision: this.#revision,
      objects: (resource) => lists.get(resource) ?? NONE,
      derive: (key, resources, compute) => {
        const inputs = resources.map(view.objects)
        const cached = derived.get(key)
        if (cached && cached.inputs.every((input, index) => input === inputs[index])) {
          // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a key has one `compute`
          return cached.value as ReturnType<typeof compute>
        }
        const value = compute(view)
        derived.set(key, { inputs, value })
        return value
      },
    }
    return view
  }
}

function existing({ rows, computed }: ResourceState): readonly StoredObject[] {
  if (rows.size === 0) return computed
  const objects = [...rows.values()].filter((object) => object !== null)
  const unchanged = computed.filter((object) => !rows.has(keyText(object)))
  return [...objects, ...unchanged].sort(
    (first, second) =>
      compareText(first.namespace, second.namespace) || compareText(first.name, second.name),
  )
}

function keyText({ namespace, name }: Pick<ObjectKey, 'namespace' | 'name'>): string {
  return `${namespace}/${name}`
}

function sizeOf({ body, managedFields }: StoredObject): number {
  return FIXED_BYTES + JSON.stringify(body).length + JSON.stringify(managedFields).length
}
