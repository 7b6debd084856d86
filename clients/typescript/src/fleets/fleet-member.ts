import type { FleetMember } from '../generated/kplane.ts'
import type { Plane } from '../planes/plane.ts'

/** A member of a fleet with the handle of its plane. */
export interface Member extends FleetMember {
  readonly plane: Plane
}
