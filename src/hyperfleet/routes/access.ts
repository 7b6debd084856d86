import type { Access } from '../../access/authorizer.ts'
import { idParameter, type KindRoute, nameParameter } from '../../store/registry/kind-routes.ts'
import type { Method, Verb } from '../../store/registry/verb.ts'

type Operation = Pick<Access, 'verb' | 'subresource'>

const OF_VERB: Readonly<Record<Verb, Operation>> = {
  list: { verb: 'list', subresource: null },
  create: { verb: 'create', subresource: null },
  'create-many': { verb: 'create', subresource: null },
  get: { verb: 'get', subresource: null },
  'get-by-name': { verb: 'get', subresource: null },
  // The verb also requires the access `patch`.
  upsert: { verb: 'create', subresource: null },
  patch: { verb: 'patch', subresource: null },
  delete: { verb: 'delete', subresource: null },
  'force-delete': { verb: 'forcedelete', subresource: null },
  'list-statuses': { verb: 'list', subresource: 'statuses' },
  'report-status': { verb: 'update', subresource: 'statuses' },
  'put-status': { verb: 'update', subresource: 'statuses' },
  // A change contains what the resource contained.
  'list-changes': { verb: 'get', subresource: null },
  'list-history': { verb: 'get', subresource: null },
}

const OF_METHOD: Readonly<Record<Method, Access['verb']>> = {
  get: 'get',
  post: 'create',
  put: 'update',
  patch: 'patch',
  delete: 'delete',
}

const OF_COLLECTIONS: ReadonlySet<KindRoute['verb']> = new Set([
  'list',
  'create',
  'create-many',
  'upsert',
])

const WITH_DRY_RUN: ReadonlySet<KindRoute['verb']> = new Set([
  'create',
  'create-many',
  'upsert',
  'patch',
  'delete',
  'force-delete',
  'report-status',
  'put-status',
])

/** Whether a route changes nothing with `dryRun=All`. */
export function hasDryRun({ verb }: KindRoute): boolean {
  return WITH_DRY_RUN.has(verb)
}

/** The path parameter that names the resource of a route; null for collections and creations. */
export function nameParameterOf({ verb, kind }: KindRoute): string | null {
  if (OF_COLLECTIONS.has(verb)) return null
  return verb === 'get-by-name' ? nameParameter(kind) : idParameter(kind)
}

/** The access that the caller of a kind's route needs. */
export function accessOf(route: KindRoute): Access {
  const resource = route.kind.plural
  if (route.verb !== 'subresource') return { ...OF_VERB[route.verb], resource }
  return { verb: OF_METHOD[route.method], resource, subresource: route.subresource.segment }
}
