import { nativeType } from '../native-type.ts'
import { CREATED_AT_COLUMN, NAME_COLUMN } from '../printer-columns.ts'
import { AGGREGATION_RULE, RBAC_DEFINITIONS, RBAC_GROUP, RULES } from './rbac-schemas.ts'

/** The type of roles in a namespace. */
export const ROLE_TYPE = nativeType({
  group: RBAC_GROUP,
  kind: 'Role',
  plural: 'roles',
  definitions: RBAC_DEFINITIONS,
  namespaced: true,
  nameRule: 'path-segment',
  description: 'Permissions in a namespace.',
  properties: { rules: RULES },
  printerColumns: [NAME_COLUMN, CREATED_AT_COLUMN],
})

/** The type of roles for all namespaces and for cluster-scoped resources. */
export const CLUSTER_ROLE_TYPE = nativeType({
  group: RBAC_GROUP,
  kind: 'ClusterRole',
  plural: 'clusterroles',
  definitions: RBAC_DEFINITIONS,
  namespaced: false,
  nameRule: 'path-segment',
  description: 'Permissions that bindings grant in one namespace or in the whole plane.',
  properties: { aggregationRule: AGGREGATION_RULE, rules: RULES },
  printerColumns: [NAME_COLUMN, CREATED_AT_COLUMN],
})
