/** A server of planes with the resources that a program chooses. */
export { createEscalationPlugin } from '../../planes/access/escalation/escalation-plugin.ts'
export {
  createRbacAuthorizer,
  type RbacAuthorizer,
} from '../../planes/access/rbac/rbac-authorizer.ts'
export {
  type AdditionalRoles,
  createRoleResources,
} from '../../planes/access/resources/role-resources.ts'
export { createAccessReviews } from '../../planes/access/reviews/access-reviews.ts'
export { fleetSource } from '../../planes/server/fleet-source.ts'
export { allGenericResources } from '../../planes/server/generic-resources.ts'
export type {
  PlaneFoundation,
  PlaneServerOptions,
  PlaneServices,
} from '../../planes/server/plane-server-options.ts'
export { type PlaneServer, startPlaneServer } from '../../planes/server/plane-server.ts'
