import type { ConformanceRig, Requirement } from './open-rig.ts'

/** One rule of the protocol. */
export interface ConformanceCheck {
  /** The rule in the present tense. */
  readonly name: string
  readonly needs: readonly Requirement[]
  /** Rejects if the server breaks the rule. */
  readonly run: (rig: ConformanceRig) => Promise<void>
}
