import type { ApiObject } from '../../model/api-object.ts'
import type { ResourceName } from '../client/plane-client.ts'

/** The objects that a namespace still contains. */
export class RemainingContent {
  readonly #resources = new Map<string, number>()
  readonly #finalizers = new Map<string, number>()

  get isEmpty(): boolean {
    return this.#resources.size === 0
  }

  add({ group, plural }: ResourceName, object: ApiObject): void {
    increment(this.#resources, `${plural}.${group}`)
    for (const finalizer of object.metadata.finalizers ?? []) increment(this.#finalizers, finalizer)
  }

  /** Such as `configmaps. has 2 resource instances`; empty if nothing remains. */
  describeResources(): string {
    return describe(this.#resources, (name, count) => `${name} has ${count} resource instances`)
  }

  /** Such as `example.com/wait in 2 resource instances`; empty if there is none. */
  describeFinalizers(): string {
    return describe(this.#finalizers, (name, count) => `${name} in ${count} resource instances`)
  }
}

function increment(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1)
}

function describe(
  counts: ReadonlyMap<string, number>,
  format: (name: string, count: number) => string,
): string {
  return [...counts]
    .map(([name, count]) => format(name, count))
    .sort()
    .join(', ')
}
