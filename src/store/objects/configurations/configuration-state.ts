import { compareText } from '../../../lib/text/compare-text.ts'
import { lazy } from '../../../lib/lazy.ts'
import type { ComputedPlane } from '../computed-objects.ts'
import type { ObjectChange } from '../model/object-change.ts'
import type { PlaneConfiguration } from '../model/plane-configuration.ts'
import type { ObjectKey, StoredObject } from '../model/stored-object.ts'
import type { LoadedConfiguration } from '../storage/load-configuration.ts'
import { storedObjectOf } from '../model/changed-object.ts'
import { jsonText } from '../../../lib/json/json-text.ts'

/** The approximate sizes of a configuration and of an object without content. */
const PLANE_BYTES = 1000
const FIXED_BYTES = 500
/** The approximate size of a computed object. */
const COMPUTED_BYTES = 2000

type List = () => readonly StoredObject[]

/** The objects of a resource that has rows. */
interface ResourceState {
  /** The stored object of a key; null for a tombstone. */
  readonly rows: Map<string, StoredObject | null>
  /** All objects that exist, in order; null after a change. */
  objects: List | null
}

interface Derived {
  /** The lists of objects that the value was computed from. */
  readonly inputs: readonly (readonly StoredObject[])[]
  readonly value: unknown
}

const NONE: readonly StoredObject[] = []

/** The configuration of one plane in memory. Changes replace the current view. */
export class ConfigurationState {
  readonly #names: ReadonlySet<string>
  readonly #computed: ComputedPlane
  /** Resources without rows are absent: most planes have few rows. */
  readonly #resources = new Map<string, ResourceState>()
  readonly #derived = new Map<symbol, Derived>()
  /** Resources whose computed objects have been used. */
  readonly #used = new Set<string>()
  #view: PlaneConfiguration | null = null
  #revision: bigint
  #size = PLANE_BYTES

  /** `computed` returns the same list each time. It is called when a view is asked for the list. */
  constructor(loaded: LoadedConfiguration, names: ReadonlySet<string>, computed: ComputedPlane) {
    this.#revision = loaded.revision
    this.#names = names
    this.#computed = computed
    for (const { object, isTombstone } of loaded.rows) {
      this.#stateOf(object.resource).rows.set(keyText(object), isTombstone ? null : object)
      this.#size += sizeOf(object)
    }
  }

  get revision(): bigint {
    return this.#revision
  }

  /** The approximate number of bytes in memory. It grows when computed objects are first used. */
  get size(): number {
    return this.#size
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
    if (this.#names.has(change.resource)) this.#applyTo(this.#stateOf(change.resource), change)
  }

  #stateOf(resource: string): ResourceState {
    const state = this.#resources.get(resource) ?? { rows: new Map(), objects: null }
    this.#resources.set(resource, state)
    return state
  }

  #computedOf(resource: string): readonly StoredObject[] {
    const objects = this.#computed(resource)
    if (!this.#used.has(resource)) this.#size += objects.length * COMPUTED_BYTES
    this.#used.add(resource)
    return objects
  }

  #applyTo(state: ResourceState, change: ObjectChange): void {
    const { rows } = state
    const key = keyText(change)
    const old = rows.get(key)
    state.objects = null
    if (old) this.#size -= sizeOf(old)
    if (change.type === 'DELETED') {
      // A tombstone hides the computed object.
      const computed = this.#computedOf(change.resource)
      if (computed.some((object) => keyText(object) === key)) rows.set(key, null)
      else rows.delete(key)
      return
    }
    const object = storedObjectOf(change)
    rows.set(key, object)
    this.#size += sizeOf(object)
  }

  /** Copies the rows, because the list may be used after the next change. */
  #listOf(resource: string, { rows }: ResourceState): List {
    const copy = new Map(rows)
    return lazy(() => merged(copy, this.#computedOf(resource)))
  }

  #createView(): PlaneConfiguration {
    const lists = new Map<string, List>(
      [...this.#resources].map(([resource, state]) => [
        resource,
        (state.objects ??= this.#listOf(resource, state)),
      ]),
    )
    const derived = this.#derived
    const view: PlaneConfiguration = {
      revision: this.#revision,
      objects: (resource) => {
        const list = lists.get(resource)
        if (list) return list()
        return this.#names.has(resource) ? this.#computedOf(resource) : NONE
      },
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

function merged(
  rows: ReadonlyMap<string, StoredObject | null>,
  computed: readonly StoredObject[],
): readonly StoredObject[] {
  const stored = [...rows.values()].filter((object) => object !== null)
  const unchanged = computed.filter((object) => !rows.has(keyText(object)))
  return [...stored, ...unchanged].sort(
    (first, second) =>
      compareText(first.namespace, second.namespace) || compareText(first.name, second.name),
  )
}

function keyText({ namespace, name }: Pick<ObjectKey, 'namespace' | 'name'>): string {
  return `${namespace}/${name}`
}

function sizeOf({ body, managedFields }: StoredObject): number {
  return FIXED_BYTES + jsonText(body).length + JSON.stringify(managedFields).length
}
