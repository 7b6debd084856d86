import type { PlaneConfiguration } from '../../../store/objects/model/plane-configuration.ts'
import type { StoredObject } from '../../../store/objects/model/stored-object.ts'
import { isJsonObject, type JsonValue } from '../../../lib/json/json.ts'
import { CLUSTER_ROLE_BINDINGS, RBAC_GROUP, ROLE_BINDINGS } from './role-objects.ts'
import { type RoleRef, roleRefOf } from './role-ref.ts'
import { serviceAccountUser } from './service-account-name.ts'

/** A binding that names a subject. */
export interface Grant {
  readonly binding: string
  /** Empty for cluster role bindings. */
  readonly namespace: string
  readonly role: RoleRef
  /** The subject as reasons name it, such as `User "ada"`. */
  readonly subject: string
}

/** Grants of one subject in one scope by their role. Bindings of the same role count once. */
type GrantsByRole = ReadonlyMap<string, Grant>

/** The grants of one subject. */
export interface Grants {
  readonly clusterWide: GrantsByRole
  readonly byNamespace: ReadonlyMap<string, GrantsByRole>
}

/** The grants of a plane by subject. */
export interface GrantIndex {
  readonly users: ReadonlyMap<string, Grants>
  readonly groups: ReadonlyMap<string, Grants>
}

const INDEX = Symbol('grants by subject')

/** The grants of a plane, computed again after a change of its bindings. */
export function grantIndexOf(configuration: PlaneConfiguration): GrantIndex {
  return configuration.derive(INDEX, [CLUSTER_ROLE_BINDINGS, ROLE_BINDINGS], (current) => {
    const users = new Map<string, MutableGrants>()
    const groups = new Map<string, MutableGrants>()
    for (const resource of [CLUSTER_ROLE_BINDINGS, ROLE_BINDINGS]) {
      for (const binding of current.objects(resource)) addBinding(binding, users, groups)
    }
    return { users, groups }
  })
}

interface MutableGrants {
  readonly clusterWide: Map<string, Grant>
  readonly byNamespace: Map<string, Map<string, Grant>>
}

function addBinding(
  { namespace, name, body }: StoredObject,
  users: Map<string, MutableGrants>,
  groups: Map<string, MutableGrants>,
): void {
  const role = roleRefOf(body['roleRef'])
  const { subjects } = body
  if (!role || !Array.isArray(subjects)) return
  const entries: readonly JsonValue[] = subjects
  for (const entry of entries) {
    const subject = subjectOf(entry, namespace)
    if (!subject) continue
    const grants = grantsOf(subject.isGroup ? groups : users, subject.key)
    const grant: Grant = { binding: name, namespace, role, subject: subject.shown }
    const scope = namespace === '' ? grants.clusterWide : scopeOf(grants.byNamespace, namespace)
    const key = `${role.kind}/${role.name}`
    if (!scope.has(key)) scope.set(key, grant)
  }
}

interface Subject {
  readonly key: string
  readonly isGroup: boolean
  readonly shown: string
}

/** A service account without a namespace is one of the binding's namespace. */
function subjectOf(value: JsonValue, bindingNamespace: string): Subject | null {
  if (!isJsonObject(value)) return null
  const { kind, name, namespace, apiGroup } = value
  if (typeof name !== 'string') return null
  if (kind === 'ServiceAccount') {
    const own = typeof namespace === 'string' && namespace !== '' ? namespace : bindingNamespace
    if (own === '') return null
    const shown = `ServiceAccount "${name}/${own}"`
    return { key: serviceAccountUser(own, name), isGroup: false, shown }
  }
  if (apiGroup !== undefined && apiGroup !== '' && apiGroup !== RBAC_GROUP) return null
  if (kind !== 'User' && kind !== 'Group') return null
  return { key: name, isGroup: kind === 'Group', shown: `${kind} "${name}"` }
}

function grantsOf(index: Map<string, MutableGrants>, key: string): MutableGrants {
  const found = index.get(key)
  if (found) return found
  const created: MutableGrants = { clusterWide: new Map(), byNamespace: new Map() }
  index.set(key, created)
  return created
}

function scopeOf(scopes: MutableGrants['byNamespace'], namespace: string): Map<string, Grant> {
  const found = scopes.get(namespace)
  if (found) return found
  const created = new Map<string, Grant>()
  scopes.set(namespace, created)
  return created
}
