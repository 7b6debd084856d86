import type { DriverState } from '../../model/backends/driver-state.ts'
import type { ListedRuntime } from '../sandboxes/runtimes/runtime-directory.ts'

/** The drivers of live runtimes. */
export function driverStates(runtimes: readonly ListedRuntime[]): readonly DriverState[] {
  return runtimes
    .filter(({ isLive }) => isLive)
    .flatMap(({ drivers }) =>
      drivers.map(({ name, stores, unavailableReason }) => ({
        name,
        stores,
        unavailableReason: unavailableReason || null,
      })),
    )
}
