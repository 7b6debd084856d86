import type { KindTarget } from '../targets/kind-target.ts'

/** A resource that a command waits for. */
export interface PendingResource {
  readonly target: KindTarget
  readonly id: string
}
