import type { PlaneConfiguration } from '../../../store/objects/model/plane-configuration.ts'
import type { StoredObject } from '../../../store/objects/model/stored-object.ts'

export const RBAC_GROUP = 'rbac.authorization.k8s.io'

/** The keys of the resources that authorization reads. */
export const ROLES = `roles.${RBAC_GROUP}`
export const CLUSTER_ROLES = `clusterroles.${RBAC_GROUP}`
export const ROLE_BINDINGS = `rolebindings.${RBAC_GROUP}`
export const CLUSTER_ROLE_BINDINGS = `clusterrolebindings.${RBAC_GROUP}`

const BY_NAME = Symbol('cluster roles by name')

/** The cluster roles of a plane by name. */
export function clusterRolesOf(
  configuration: PlaneConfiguration,
): ReadonlyMap<string, StoredObject> {
  return configuration.derive(BY_NAME, [CLUSTER_ROLES], (current) => {
    return new Map(current.objects(CLUSTER_ROLES).map((role) => [role.name, role]))
  })
}
