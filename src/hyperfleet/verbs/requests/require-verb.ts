import type { Request } from 'express'
import type { RegisteredKind } from '../../../store/registry/kind.ts'
import { flatRoutes, idParameter } from '../../../store/registry/kind-routes.ts'
import type { Registry } from '../../../store/registry/registry.ts'
import { serves, type Verb } from '../../../store/registry/verb.ts'
import { allowedMethods, unrouted } from '../../../http/server/route-table.ts'

interface Requested {
  readonly kind: RegisteredKind
  readonly verb: Verb
  /** The path below an item of the kind; null for the collection. */
  readonly suffix: string | null
}

/** Rejects an operation of `/resources` that the kind does not serve, as the kind's path does. */
export function requireVerb(
  request: Request,
  registry: Registry,
  { kind, verb, suffix }: Requested,
): void {
  if (serves(kind, verb)) return
  const collection = `/${kind.plural}`
  const template = suffix === null ? collection : `${collection}/{${idParameter(kind)}}${suffix}`
  const siblings = flatRoutes(registry).filter((route) => route.template === template)
  throw unrouted(request, allowedMethods(siblings))
}
