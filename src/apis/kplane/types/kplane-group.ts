/** The group of fleets and scenarios. */
export const KPLANE_GROUP = 'kplane.dev'
export const KPLANE_VERSION = 'v1'
export const KPLANE_API_VERSION = `${KPLANE_GROUP}/${KPLANE_VERSION}`
/** Prefix of the definitions in OpenAPI documents. */
export const DEFINITIONS = 'dev.kplane.v1'
