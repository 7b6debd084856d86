import { badRequest } from '../errors/failures.ts'
import type { Verb } from '../model/resource-type.ts'

/** A resource that a path names. */
export interface ResourcePath {
  /** Empty for the core group. */
  readonly group: string
  readonly version: string
  readonly plural: string
  /** Empty for cluster-scoped resources and for all namespaces. */
  readonly namespace: string
  /** Empty for collections. */
  readonly name: string
  /** Empty for the resource itself. */
  readonly subresource: string
}

/** Subresources of namespaces; other third segments name resources in the namespace. */
const NAMESPACE_SUBRESOURCES: ReadonlySet<string> = new Set(['status', 'finalize'])

/**
 * The resource of a path below a plane, such as `/api/v1/namespaces/default/configmaps/a`.
 * Null for paths that name no resource. Throws URIError if a segment is not percent-encoded UTF-8.
 */
export function resourcePathOf(path: string): ResourcePath | null {
  const segments = path.split('/').slice(1).map(decodeURIComponent)
  // PostgreSQL cannot store this character, so no object has it in its name.
  if (segments.some((segment) => segment.includes('\0')))
    throw badRequest('the path contains a NUL')
  const [prefix, ...rest] = segments
  if (prefix === 'api') return within('', rest)
  if (prefix === 'apis') return within(rest[0] ?? '', rest.slice(1))
  return null
}

function within(group: string, [version = '', ...rest]: readonly string[]): ResourcePath | null {
  if (version === '' || rest[0] === undefined || rest[0] === '') return null
  const [first, second, third] = rest
  const isNamespaced =
    first === 'namespaces' && third !== undefined && !NAMESPACE_SUBRESOURCES.has(third)
  const [plural = '', name = '', ...subresource] = isNamespaced ? rest.slice(2) : rest
  if (plural === '') return null
  return {
    group,
    version,
    plural,
    namespace: isNamespaced ? (second ?? '') : '',
    name,
    subresource: subresource.join('/'),
  }
}

interface VerbOptions {
  /** Whether the query asks for a watch. */
  readonly isWatch: boolean
  /** Whether the subresource lists items. */
  readonly isList: boolean
}

/** The verb of a request on a resource; null if the method has none. */
export function verbOf(
  method: string,
  { name, subresource }: ResourcePath,
  { isWatch, isList }: VerbOptions,
): Verb | null {
  const isCollection = name === ''
  switch (method) {
    case 'GET':
    case 'HEAD':
      if (isWatch && method === 'GET') return 'watch'
      return isCollection || isList ? 'list' : 'get'
    case 'POST':
      return isCollection || subresource !== '' ? 'create' : null
    case 'PUT':
      return isCollection ? null : 'update'
    case 'PATCH':
      return isCollection ? null : 'patch'
    case 'DELETE':
      return isCollection ? 'deletecollection' : 'delete'
    default:
      return null
  }
}
