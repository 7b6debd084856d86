/** The group of fleets and scenarios. */
export const KPLANE_GROUP = 'kplane.dev'
export const KPLANE_VERSION = 'v1'
export const KPLANE_API_VERSION = `${KPLANE_GROUP}/${KPLANE_VERSION}`
/** Prefix of the definitions in OpenAPI documents. */
export const DEFINITIONS = 'dev.kplane.v1'

/** The label of members with the name of their fleet. */
export const FLEET_LABEL = 'kplane.dev/fleet'
/** The finalizer that keeps a fleet until its controller has removed its members. */
export const MEMBERS_FINALIZER = 'kplane.dev/members'
/** The annotation that records what happens to the members of a deleted fleet. */
export const DELETION_POLICY = 'kplane.dev/deletion-policy'
