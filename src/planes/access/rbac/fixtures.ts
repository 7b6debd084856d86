import type {
  PlaneConfiguration,
  PlaneConfigurations,
} from '../../../store/objects/model/plane-configuration.ts'
import type { StoredObject } from '../../../store/objects/model/stored-object.ts'
import type { JsonObject } from '../../../lib/json/json.ts'
import type { AccessAttributes } from '../../model/access.ts'
import type { UserInfo } from '../../model/user-info.ts'
import { CLUSTER_ROLE_BINDINGS, CLUSTER_ROLES, ROLE_BINDINGS, ROLES } from './role-objects.ts'

/** A configuration in memory whose objects a test can replace. */
export interface TestPlane extends PlaneConfigurations {
  objects: readonly StoredObject[]
}

export function testPlane(...objects: readonly StoredObject[]): TestPlane {
  let derivedFrom = objects
  let values = new Map<symbol, unknown>()
  const plane: TestPlane = { objects, of: () => Promise.resolve(configuration) }
  const configuration: PlaneConfiguration = {
    revision: 1n,
    objects: (resource) => plane.objects.filter((object) => object.resource === resource),
    derive: <Value>(
      key: symbol,
      _resources: readonly string[],
      compute: (configuration: PlaneConfiguration) => Value,
    ) => {
      if (derivedFrom !== plane.objects) values = new Map()
      derivedFrom = plane.objects
      if (!values.has(key)) values.set(key, compute(configuration))
      return values.get(key) as Value
    },
  }
  return plane
}

function stored(resource: string, namespace: string, name: string, body: object): StoredObject {
  const metadata = { name, ...(namespace !== '' && { namespace }) }
  const merged = {
    ...body,
    metadata: { ...metadata, ...('metadata' in body && Object(body.metadata)) },
  }
  return {
    plane: 'root',
    resource,
    namespace,
    name,
    uid: `${resource}/${namespace}/${name}`,
    revision: 1n,
    body: merged,
    managedFields: [],
  }
}

export const clusterRole = (name: string, rules: readonly object[], more: object = {}) =>
  stored(CLUSTER_ROLES, '', name, { rules, ...more })

export const role = (namespace: string, name: string, rules: readonly object[]) =>
  stored(ROLES, namespace, name, { rules })

const RBAC = 'rbac.authorization.k8s.io'

/** Subjects in short form: `User:ada`, `Group:ops`, `ServiceAccount:ci/builder`. */
export function subjects(...texts: readonly string[]): JsonObject[] {
  return texts.map((text) => {
    const at = text.indexOf(':')
    const [kind, rest] = [text.slice(0, at), text.slice(at + 1)]
    if (kind !== 'ServiceAccount') return { kind, apiGroup: RBAC, name: rest }
    const [namespace = '', name = ''] = rest.split('/')
    return { kind, namespace, name }
  })
}

/** `role` is `Role/name` or `ClusterRole/name`. */
function roleRef(text: string): JsonObject {
  const [kind = '', name = ''] = text.split('/')
  return { apiGroup: RBAC, kind, name }
}

export const clusterRoleBinding = (name: string, of: string, ...to: readonly string[]) =>
  stored(CLUSTER_ROLE_BINDINGS, '', name, { roleRef: roleRef(of), subjects: subjects(...to) })

export const roleBinding = (place: string, of: string, ...to: readonly string[]) => {
  const [namespace = '', name = ''] = place.split('/')
  return stored(ROLE_BINDINGS, namespace, name, { roleRef: roleRef(of), subjects: subjects(...to) })
}

export function userNamed(name: string, ...groups: readonly string[]): UserInfo {
  return { name, uid: '', groups: [...groups, 'system:authenticated'], extra: {} }
}

/**
 * Attributes of an operation in short form: `get configmaps`, `list pods.metrics.k8s.io`,
 * `update deployments.apps/scale`, with an optional namespace and name.
 */
export function operation(
  user: UserInfo,
  text: string,
  { namespace = '', name = '' }: { readonly namespace?: string; readonly name?: string } = {},
): AccessAttributes {
  const [verb = '', target = ''] = text.split(' ')
  if (target.startsWith('/')) return { plane: 'root', user, verb, resource: null, path: target }
  const [qualified = '', subresource = ''] = target.split('/')
  const [plural = '', ...group] = qualified.split('.')
  return {
    plane: 'root',
    user,
    verb,
    resource: { group: group.join('.'), version: 'v1', plural, subresource, namespace, name },
    path: '',
  }
}
