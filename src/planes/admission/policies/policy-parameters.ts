import { isJsonObject, type JsonObject } from '../../../lib/json/json.ts'
import type { StoredObject } from '../../../store/objects/model/stored-object.ts'
import { type ResourceType, resourceKey } from '../../model/resource-type.ts'
import type { ResourceStore } from '../../model/resource-store.ts'
import type { TypeRegistry } from '../../model/type-registry.ts'
import { labelSelectorRequirements } from '../../selectors/label-selector-object.ts'
import type { AdmissionRequest } from '../../model/admission.ts'
import { isNamespaceRequest } from '../matching/admission-subject.ts'
import type { Binding, BoundPolicy } from './policy.ts'
import { textOf } from '../../../lib/json/json-fields.ts'

/** The objects of planes, for the parameters of policies. */
export interface ParameterSource {
  readonly types: TypeRegistry
  readonly storeOf: (type: ResourceType) => Pick<ResourceStore, 'read' | 'list'>
}

/** The most parameters of a binding. */
const MAX_PARAMETERS = 100

/**
 * The parameters with which a policy is evaluated for a binding: null once if it has none. Throws if
 * the parameters are misconfigured or missing without being allowed to.
 */
export async function findParameters(
  { policy, binding }: { readonly policy: BoundPolicy; readonly binding: Binding },
  request: AdmissionRequest,
  source: ParameterSource,
): Promise<readonly (JsonObject | null)[]> {
  const { paramKind } = policy
  const { paramRef } = binding
  if (paramKind === null || paramRef === null) return [null]
  const type = await typeOf(paramKind, request.plane, source)
  const namespace = namespaceOf(type, paramRef, request)
  const found = await readParameters({ paramRef, type, namespace }, request.plane, source)
  if (found.length > 0 || paramRef['parameterNotFoundAction'] === 'Allow') return found
  throw new Error('no params found for policy binding with `Deny` parameterNotFoundAction')
}

async function typeOf(
  { apiVersion, kind }: { readonly apiVersion: string; readonly kind: string },
  plane: string,
  { types }: ParameterSource,
): Promise<ResourceType> {
  const slash = apiVersion.indexOf('/')
  const group = slash === -1 ? '' : apiVersion.slice(0, slash)
  const type = (await types.typesOf(plane)).findByKind(group, kind)
  if (type === null) throw new Error(`paramKind kind \`${apiVersion}, Kind=${kind}\` not known`)
  return type
}

function namespaceOf(
  { namespaced }: ResourceType,
  paramRef: JsonObject,
  request: AdmissionRequest,
): string {
  const named = textOf(paramRef['namespace'])
  if (!namespaced) {
    if (named === '') return ''
    throw new Error('paramRef.namespace must not be provided for a cluster-scoped `paramKind`')
  }
  const own = isNamespaceRequest(request) ? request.name : request.namespace
  const namespace = named === '' ? own : named
  if (namespace !== '') return namespace
  throw new Error(
    'cannot use namespaced paramRef in policy binding that matches cluster-scoped resources',
  )
}

interface Reference {
  readonly paramRef: JsonObject
  readonly type: ResourceType
  readonly namespace: string
}

async function readParameters(
  { paramRef, type, namespace }: Reference,
  plane: string,
  { storeOf }: ParameterSource,
): Promise<readonly JsonObject[]> {
  const store = storeOf(type)
  const resource = resourceKey(type)
  const name = textOf(paramRef['name'])
  if (name !== '') {
    const object = await store.read({ plane, resource, namespace, name })
    return object === null ? [] : [bodyOf(object)]
  }
  const { selector } = paramRef
  if (!isJsonObject(selector)) throw new Error('one of name or selector must be provided')
  const { objects } = await store.list({
    plane,
    resource,
    namespace,
    selector: { labels: labelSelectorRequirements(selector), fields: [] },
    limit: MAX_PARAMETERS,
    after: null,
  })
  return objects.map(bodyOf)
}

function bodyOf({ body }: StoredObject): JsonObject {
  return body
}
