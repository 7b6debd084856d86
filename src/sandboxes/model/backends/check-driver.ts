import type { BackendTarget } from './backend.ts'
import { type Unresolved, unresolved } from './backend-resolution.ts'
import type { DriverState } from './driver-state.ts'

/** The store of drivers that have several if the parameters name none. */
const DEFAULT_STORE = 'local'

/** The target with the store that its driver uses, if a runtime has the driver and it is usable. */
export function checkDriver(
  target: BackendTarget,
  drivers: readonly DriverState[],
): BackendTarget | Unresolved {
  const name = JSON.stringify(target.driver)
  const registered = drivers.filter((driver) => driver.name === target.driver)
  const usable = registered.filter(({ unavailableReason }) => unavailableReason === null)
  const [first] = usable
  if (!first) return unresolved('DriverNotFound', absence(name, registered, drivers))
  const store = target.store === '' ? defaultStore(first) : target.store
  if (usable.some(({ stores }) => stores.length === 0 || stores.includes(store))) {
    return store === target.store ? target : withStore(target, store)
  }
  const known = first.stores.join(', ')
  const message =
    store === ''
      ? `the driver ${name} needs the parameter store: ${known}`
      : `the driver ${name} has no store ${JSON.stringify(store)}; it has ${known}`
  return unresolved('ParametersInvalid', message)
}

function defaultStore({ stores }: DriverState): string {
  return stores.includes(DEFAULT_STORE) ? DEFAULT_STORE : ''
}

function withStore(target: BackendTarget, store: string): BackendTarget {
  return { ...target, store, parameters: { ...target.parameters, store } }
}

function absence(
  name: string,
  registered: readonly DriverState[],
  drivers: readonly DriverState[],
): string {
  const [unavailable] = registered
  if (unavailable) {
    return `the driver ${name} cannot be used: ${unavailable.unavailableReason ?? ''}`
  }
  const known = [...new Set(drivers.map((driver) => driver.name))].toSorted().join(', ')
  return `no runtime has the driver ${name}; runtimes have ${known === '' ? 'none' : known}`
}
