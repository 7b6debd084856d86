import type { PlaneConfiguration } from '../../../store/objects/model/plane-configuration.ts'
import { isJsonObject, type JsonValue } from '../../../lib/json/json.ts'
import { clusterRoleRules } from './cluster-role-rules.ts'
import { type PolicyRule, policyRulesOf } from './policy-rule.ts'
import { RBAC_GROUP, ROLES } from './role-objects.ts'

/** The role that a binding grants. */
export interface RoleRef {
  readonly kind: 'Role' | 'ClusterRole'
  readonly name: string
}

/** Reads `roleRef` of a binding; null if it is malformed. */
export function roleRefOf(value: JsonValue | undefined): RoleRef | null {
  if (!isJsonObject(value)) return null
  const { kind, name } = value
  if (typeof name !== 'string' || (kind !== 'Role' && kind !== 'ClusterRole')) return null
  return { kind, name }
}

const ROLES_BY_NAME = Symbol('roles by namespace and name')

/** The rules that a binding in a namespace grants; null if its role does not exist. */
export function rulesOfRole(
  configuration: PlaneConfiguration,
  { kind, name }: RoleRef,
  namespace: string,
): readonly PolicyRule[] | null {
  if (kind === 'ClusterRole') return clusterRoleRules(configuration, name)
  const roles = configuration.derive(ROLES_BY_NAME, [ROLES], (current) => {
    return new Map(current.objects(ROLES).map((role) => [`${role.namespace}/${role.name}`, role]))
  })
  const role = roles.get(`${namespace}/${name}`)
  return role ? policyRulesOf(role.body['rules']) : null
}

/** The message of a binding whose role does not exist. */
export function roleNotFound({ kind, name }: RoleRef): string {
  const plural = kind === 'Role' ? 'role' : 'clusterrole'
  return `${plural}.${RBAC_GROUP} "${name}" not found`
}
