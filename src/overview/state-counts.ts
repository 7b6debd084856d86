import type { TenantScope } from '../access/tenant.ts'
import type { ResourceState } from './resource-state.ts'

/** A state and the number of resources that have it. */
export interface StateCount {
  readonly state: ResourceState
  readonly count: number
}

/** Numbers of resources by tenant and state. Its size depends on the number of states. */
export class StateCounts {
  readonly #byTenant = new Map<string, Map<string, StateCount>>()

  /** Adds resources to a state, or removes them with a negative number. */
  add(state: ResourceState, change: number): void {
    const { tenant } = state
    const counts = this.#byTenant.get(tenant) ?? new Map<string, StateCount>()
    const key = JSON.stringify(state)
    const count = (counts.get(key)?.count ?? 0) + change
    if (count === 0) counts.delete(key)
    else counts.set(key, { state, count })
    if (counts.size === 0) this.#byTenant.delete(tenant)
    else this.#byTenant.set(tenant, counts)
  }

  /** The states of a tenant, or of all tenants. */
  *of(tenant: TenantScope): Generator<StateCount, void, undefined> {
    if (tenant !== null) {
      yield* this.#byTenant.get(tenant)?.values() ?? []
      return
    }
    for (const counts of this.#byTenant.values()) yield* counts.values()
  }
}
