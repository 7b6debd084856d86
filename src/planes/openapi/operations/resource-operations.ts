import {
  type DeclaredSubresource,
  mergesStrategically,
  type ResourceType,
  type ResourceVersion,
  type Verb,
} from '../../model/resource-type.ts'
import { subresourcesOf } from '../../discovery/subresources.ts'
import { kindComponent, listComponent, META } from '../schemas/component-names.ts'
import { groupVersionName, groupVersionTag, subresourceName } from './operation-names.ts'
import { type Operation, PRODUCES, PRODUCES_WATCH } from './operation.ts'
import type { PathParameter, QueryParameter } from './parameters.ts'

const WRITE: readonly QueryParameter[] = ['dryRun', 'fieldManager', 'fieldValidation']
const DELETE: readonly QueryParameter[] = [
  'dryRun',
  'gracePeriodSeconds',
  'orphanDependents',
  'propagationPolicy',
]
const LIST: readonly QueryParameter[] = [
  'continue',
  'fieldSelector',
  'labelSelector',
  'limit',
  'resourceVersion',
  'resourceVersionMatch',
  'sendInitialEvents',
  'timeoutSeconds',
]
const WAIT: readonly QueryParameter[] = ['timeout', 'wait']
const PATCH_TYPES = [
  'application/json-patch+json',
  'application/merge-patch+json',
  'application/apply-patch+yaml',
]
const NATIVE_PATCH_TYPES = [...PATCH_TYPES, 'application/strategic-merge-patch+json']

type Details = Pick<
  Operation,
  'method' | 'action' | 'description' | 'queryParameters' | 'body' | 'response' | 'codes'
> &
  Partial<Pick<Operation, 'produces' | 'consumes' | 'ownParameters'>>

/** A path of a resource and the parts that its operations share. */
interface Place {
  readonly path: string
  readonly pathParameters: readonly PathParameter[]
  /** Builds the id of an operation from its verb. */
  readonly id: (verb: string) => string
  readonly tag: string
  readonly kind: Operation['kind']
}

function operationAt({ id, ...place }: Place, verb: string, details: Details): Operation {
  return { ...place, id: id(verb), consumes: ['*/*'], produces: PRODUCES, ...details }
}

function readAt(
  place: Place,
  response: string,
  queryParameters: readonly QueryParameter[] = [],
): Operation {
  return operationAt(place, 'read', {
    method: 'get',
    action: 'get',
    description: 'Reads the object.',
    queryParameters,
    body: null,
    response,
    codes: [200],
  })
}

function replaceAt(place: Place, definition: string): Operation {
  return operationAt(place, 'replace', {
    method: 'put',
    action: 'put',
    description: 'Replaces the object.',
    queryParameters: [...WRITE],
    body: { definition, required: true },
    response: definition,
    codes: [200, 201],
  })
}

function patchAt(place: Place, definition: string, consumes: readonly string[]): Operation {
  return operationAt(place, 'patch', {
    method: 'patch',
    action: 'patch',
    description: 'Changes parts of the object.',
    queryParameters: [...WRITE, 'force'],
    body: { definition: `${META}.Patch`, required: true },
    response: definition,
    codes: [200, 201],
    consumes,
  })
}

function createAt(place: Place, definition: string, response = definition): Operation {
  return operationAt(place, 'create', {
    method: 'post',
    action: 'post',
    description: 'Creates an object.',
    queryParameters: [...WRITE],
    body: { definition, required: true },
    response,
    codes: [200, 201, 202],
  })
}

function listAt(place: Place, response: string): Operation {
  return operationAt(place, 'list', {
    method: 'get',
    action: 'list',
    description: 'Lists or watches objects.',
    queryParameters: ['allowWatchBookmarks', ...LIST, 'watch'],
    body: null,
    response,
    codes: [200],
    produces: PRODUCES_WATCH,
  })
}

function deleteAt(place: Place): Operation {
  return operationAt(place, 'delete', {
    method: 'delete',
    action: 'delete',
    description: 'Deletes the object.',
    queryParameters: [...DELETE],
    body: { definition: `${META}.DeleteOptions`, required: false },
    response: `${META}.Status`,
    codes: [200, 202],
  })
}

function deleteCollectionAt(place: Place): Operation {
  return operationAt({ ...place, id: () => place.id('deleteCollection') }, '', {
    method: 'delete',
    action: 'deletecollection',
    description: 'Deletes the selected objects.',
    queryParameters: [...DELETE, ...LIST],
    body: { definition: `${META}.DeleteOptions`, required: false },
    response: `${META}.Status`,
    codes: [200],
  })
}

/** The operations of a resource in a version, with its subresources. */
export function resourceOperations(
  type: ResourceType,
  version: ResourceVersion,
): readonly Operation[] {
  const { group, kind, plural, namespaced, verbs } = type
  const root = group === '' ? `/api/${version.name}` : `/apis/${group}/${version.name}`
  const prefix = groupVersionName(group, version.name)
  const scope = namespaced ? 'Namespaced' : ''
  const shared = {
    tag: groupVersionTag(group, version.name),
    kind: { group, version: version.name, kind },
  }
  const namespace: readonly PathParameter[] = namespaced ? ['namespace'] : []
  const collection = {
    ...shared,
    path: `${root}${namespaced ? '/namespaces/{namespace}' : ''}/${plural}`,
    pathParameters: namespace,
    // Kubernetes puts the group version into the middle of this verb.
    id: (verb: string) =>
      verb === 'deleteCollection'
        ? `delete${prefix}Collection${scope}${kind}`
        : `${verb}${prefix}${scope}${kind}`,
  }
  const item = {
    ...collection,
    path: `${collection.path}/{name}`,
    pathParameters: ['name', ...namespace] as const,
  }
  const everywhere = {
    ...shared,
    path: `${root}/${plural}`,
    pathParameters: [],
    id: (verb: string) => `${verb}${prefix}${kind}ForAllNamespaces`,
  }
  const definition = kindComponent(type, version)
  const list = listComponent(type, version)
  const patchTypes = mergesStrategically(type) ? NATIVE_PATCH_TYPES : PATCH_TYPES
  const byVerb: Readonly<Record<Verb, readonly Operation[]>> = {
    list: [listAt(collection, list), ...(namespaced ? [listAt(everywhere, list)] : [])],
    create: [createAt(collection, definition)],
    deletecollection: [deleteCollectionAt(collection)],
    get: [readAt(item, definition, version.hasStatus ? WAIT : [])],
    update: [replaceAt(item, definition)],
    patch: [patchAt(item, definition, patchTypes)],
    delete: [deleteAt(item)],
    watch: [],
  }
  return [
    ...verbs.flatMap((verb) => byVerb[verb]),
    ...subresourcesOf(type, version.name).flatMap((subresource) =>
      subresourceOperations(item, subresource, { definition, patchTypes }),
    ),
  ]
}

function subresourceOperations(
  item: Place,
  subresource: DeclaredSubresource,
  {
    definition,
    patchTypes,
  }: { readonly definition: string; readonly patchTypes: readonly string[] },
): readonly Operation[] {
  const { name, group, version, kind, verbs, schema, body: sent, created } = subresource
  const { produces = PRODUCES, parameters: ownParameters = [] } = subresource
  const body =
    name === 'scale' ? 'io.k8s.api.autoscaling.v1.Scale' : (schema?.definition ?? definition)
  const place = {
    ...item,
    path: `${item.path}/${name}`,
    kind: { group, version, kind },
    id: (verb: string) => item.id(verb) + subresourceName(name),
  }
  return verbs.flatMap((verb): readonly Operation[] => {
    if (verb === 'get') return [{ ...readAt(place, body), produces, ownParameters }]
    if (verb === 'update') return [replaceAt(place, body)]
    if (verb === 'patch') return [patchAt(place, body, patchTypes)]
    if (verb === 'list') return [listAt(place, body)]
    if (verb !== 'create') return []
    const response = created?.definition ?? body
    return [{ ...createAt(place, sent?.definition ?? body, response), produces }]
  })
}
