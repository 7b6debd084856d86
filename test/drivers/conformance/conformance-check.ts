import type { ConformanceRig } from './open-rig.ts'

/**
 * What a check needs. `proposal`: the three calls of KEP-0694. `extensions`: GetInfo and operation
 * IDs. `manifests`: GetSnapshot, Validate, digests, and snapshot UIDs that the controller chooses. `listing`: ListSnapshots. `runtime`: SandboxRuntime at the same endpoint. `freezing`: a
 * runtime that can freeze.
 */
export type Requirement =
  | 'proposal'
  | 'extensions'
  | 'manifests'
  | 'listing'
  | 'runtime'
  | 'freezing'

/** One rule of the protocol. */
export interface ConformanceCheck {
  /** The rule in the present tense. */
  readonly name: string
  readonly needs: readonly Requirement[]
  /** Rejects if the server breaks the rule. */
  readonly run: (rig: ConformanceRig) => Promise<void>
}
