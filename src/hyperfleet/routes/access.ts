import type { Access } from '../../access/authorizer.ts'
import {
  creates,
  idParameter,
  type KindRoute,
  nameParameter,
} from '../../store/registry/kind-routes.ts'
import { accessOfVerb, declarationOf, type Method } from '../../store/registry/verb.ts'

const OF_METHOD: Readonly<Record<Method, Access['verb']>> = {
  get: 'get',
  post: 'create',
  put: 'update',
  patch: 'patch',
  delete: 'delete',
}

/** Whether a route changes nothing with `dryRun=All`. */
export function hasDryRun({ verb, method }: KindRoute): boolean {
  return verb !== 'subresource' && method !== 'get'
}

/** The path parameter that names the resource of a route; null for collections and creations. */
export function nameParameterOf(route: KindRoute): string | null {
  const of = route.verb === 'subresource' ? 'item' : declarationOf(route.verb).of
  if (of === 'collection' || creates(route)) return null
  return of === 'name' ? nameParameter(route.kind) : idParameter(route.kind)
}

/** The access that the caller of a kind's route needs. */
export function accessOf(route: KindRoute): Access {
  const resource = route.kind.plural
  if (route.verb !== 'subresource') return { ...accessOfVerb(route.verb), resource }
  return { verb: OF_METHOD[route.method], resource, subresource: route.subresource.segment }
}
