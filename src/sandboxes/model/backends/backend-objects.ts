import type { DriverState } from './driver-state.ts'
import type { SnapshotClaim } from './snapshot-claim.ts'
import type { SnapshotClass } from './snapshot-class.ts'
import type { SnapshotProvider } from './snapshot-provider.ts'
import type { Unresolved } from './backend-resolution.ts'

/** The objects that a strategy refers to. Path A has no claims, path B no providers. */
export type BackendObjects = { readonly drivers: readonly DriverState[] } & (
  | {
      readonly path: 'A'
      readonly providerName: string
      readonly provider: SnapshotProvider | null
    }
  | {
      readonly path: 'B'
      /** The claim, or why a template led to none. */
      readonly claim: SnapshotClaim | Unresolved
      /** All classes of the plane. */
      readonly classes: readonly SnapshotClass[]
    }
)
