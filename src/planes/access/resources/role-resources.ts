import { isJsonObject, type JsonValue } from '../../../lib/json/json.ts'
import type { ApiObject } from '../../model/api-object.ts'
import type { NativeResource, PlaneIdentity, Strategy } from '../../model/native-resource.ts'
import { CLUSTER_ROLE_BINDING_TYPE, ROLE_BINDING_TYPE } from '../../native/rbac/binding-types.ts'
import { CLUSTER_ROLE_TYPE, ROLE_TYPE } from '../../native/rbac/role-types.ts'
import {
  clusterRoleBindingObjects,
  clusterRoleObjects,
  type DefaultRole,
} from '../defaults/default-role.ts'
import { DEFAULT_CLUSTER_ROLE_BINDINGS, DEFAULT_CLUSTER_ROLES } from '../defaults/default-roles.ts'
import { RBAC_GROUP } from '../rbac/role-objects.ts'
import { bindingErrors } from './binding-errors.ts'
import { roleErrors } from './role-errors.ts'

/** The cluster roles that a program adds to those of every plane. */
export type AdditionalRoles = (plane: string) => readonly DefaultRole[]

/** Roles and bindings. Each server keeps those of the planes in use in memory. */
export function createRoleResources(
  additionalRoles: AdditionalRoles = () => [],
): readonly NativeResource[] {
  return [
    { type: ROLE_TYPE, strategy: roleStrategy(true), isConfiguration: true },
    {
      type: CLUSTER_ROLE_TYPE,
      strategy: roleStrategy(false),
      isConfiguration: true,
      initialObjects: (plane) =>
        clusterRoleObjects(plane, [...DEFAULT_CLUSTER_ROLES, ...additionalRoles(plane.plane)]),
    },
    { type: ROLE_BINDING_TYPE, strategy: bindingStrategy(true), isConfiguration: true },
    {
      type: CLUSTER_ROLE_BINDING_TYPE,
      strategy: bindingStrategy(false),
      isConfiguration: true,
      initialObjects: defaultBindings,
    },
  ]
}

function defaultBindings(plane: PlaneIdentity): readonly ApiObject[] {
  return clusterRoleBindingObjects(plane, DEFAULT_CLUSTER_ROLE_BINDINGS)
}

function roleStrategy(isNamespaced: boolean): Strategy {
  return { validate: (role) => roleErrors(role, isNamespaced) }
}

function bindingStrategy(isNamespaced: boolean): Strategy {
  return {
    prepareCreate: withGroups,
    prepareUpdate: withGroups,
    validate: (binding, old) => bindingErrors(binding, old, isNamespaced),
  }
}

/** Sets empty groups. Clients in Go always send the fields, so the schema cannot default them. */
function withGroups(binding: ApiObject): ApiObject {
  const { roleRef } = binding
  const completed = withSubjectGroups(binding)
  if (!isJsonObject(roleRef) || (roleRef['apiGroup'] ?? '') !== '') return completed
  return { ...completed, roleRef: { ...roleRef, apiGroup: RBAC_GROUP } }
}

/** Sets the group of subjects, which depends on their kind. */
function withSubjectGroups(binding: ApiObject): ApiObject {
  const { subjects } = binding
  if (!Array.isArray(subjects) || !subjects.some(lacksGroup)) return binding
  const items: readonly JsonValue[] = subjects
  const completed = items.map((subject) =>
    isJsonObject(subject) && lacksGroup(subject) ? { ...subject, apiGroup: RBAC_GROUP } : subject,
  )
  return { ...binding, subjects: completed }
}

function lacksGroup(subject: JsonValue): boolean {
  if (!isJsonObject(subject)) return false
  const { kind, apiGroup = '' } = subject
  return apiGroup === '' && (kind === 'User' || kind === 'Group')
}
