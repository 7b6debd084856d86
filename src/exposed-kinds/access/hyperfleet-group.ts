/** The API group of HyperFleet's kinds in roles. */
export const HYPERFLEET_GROUP = 'hyperfleet.io'
