import { createEscalationPlugin } from '../access/escalation/escalation-plugin.ts'
import { createRbacAuthorizer } from '../access/rbac/rbac-authorizer.ts'
import { CLUSTER_ROLES } from '../access/rbac/role-objects.ts'
import { completeClusterRoles } from '../access/resources/complete-cluster-roles.ts'
import { type AdditionalRoles, createRoleResources } from '../access/resources/role-resources.ts'
import { createAccessReviews } from '../access/reviews/access-reviews.ts'
import { createRulesReview } from '../access/reviews/rules-review.ts'
import { CUSTOM_RESOURCE_DEFINITIONS } from '../definitions/custom-resource-definitions.ts'
import type { NativeResource } from '../model/native-resource.ts'
import { resourceKey } from '../model/resource-type.ts'
import { groupedEvents } from '../native/events/events.ts'
import { NATIVE_RESOURCES } from '../native/native-resources.ts'
import { must } from '../../lib/assert.ts'
import { createPlaneAdmission, withAdmissionResources } from './plane-admission.ts'
import type { PlaneFoundation, PlaneServerOptions, PlaneServices } from './plane-server-options.ts'

interface GenericOptions {
  /** The program's own resources. */
  readonly more?: readonly NativeResource[]
  /** Default cluster roles, such as those for the program's own resources. */
  readonly roles?: AdditionalRoles
  readonly authenticate?: NonNullable<PlaneServices['authenticate']>
}

/**
 * The resources of Kubernetes that need no nodes, and the services that they depend on: roles,
 * definitions of custom resources, quotas, admission policies and webhooks. Options for one server.
 */
export function allGenericResources({
  more = [],
  roles,
  authenticate,
}: GenericOptions = {}): Required<Pick<PlaneServerOptions, 'resources' | 'services'>> {
  let running: PlaneFoundation | null = null
  const foundation = (): PlaneFoundation => must(running, 'the foundation of a started server')
  const stored = withAdmissionResources(
    () => foundation().database,
    [...NATIVE_RESOURCES, CUSTOM_RESOURCE_DEFINITIONS, ...createRoleResources(roles), ...more],
  )
  return {
    resources: stored.map((resource) => withShownRules(resource, foundation)),
    services: (parts) => {
      running = parts
      const { storage } = parts
      const authorizer = createRbacAuthorizer(storage)
      return {
        ...(authenticate && { authenticate }),
        authorizer,
        resources: [
          ...createAccessReviews(authorizer),
          createRulesReview(authorizer),
          groupedEvents(storage.store),
        ],
        admission: createPlaneAdmission({
          ...parts,
          authorizer,
          others: [createEscalationPlugin(authorizer)],
        }),
      }
    },
  }
}

/** Cluster roles show the rules that they collect from others. */
function withShownRules(
  resource: NativeResource,
  foundation: () => PlaneFoundation,
): NativeResource {
  if (resourceKey(resource.type) !== CLUSTER_ROLES) return resource
  const complete: NativeResource['complete'] = (roles) =>
    completeClusterRoles(foundation().storage.configurations)(roles)
  return { ...resource, complete }
}
