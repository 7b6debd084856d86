import type { RequestHandler } from 'express'
import { FlotillaError } from '../../lib/errors.ts'
import type { RegisteredKind } from '../../store/registry/kind.ts'
import { kindRoutes } from '../../store/registry/kind-routes.ts'
import type { Registry } from '../../store/registry/registry.ts'
import { serves } from '../../store/registry/verb.ts'
import { addressOf } from '../paths/address.ts'
import type { AppRoute } from '../../http/server/app-route.ts'

/**
 * POST on the flat collection of a kind with a parent: the error names the nested path. These routes
 * are unlisted, because no request to them succeeds.
 */
export function nestedCreateRoutes(registry: Registry): readonly AppRoute[] {
  return registry.kinds
    .filter((kind) => kind.parent !== null && serves(kind, 'create'))
    .map((kind) => {
      const reject: RequestHandler = () => {
        throw createdBelowParent(registry, kind)
      }
      return {
        ...addressOf(`/${kind.plural}`),
        method: 'post',
        public: false,
        access: { verb: 'create', resource: kind.plural, subresource: null },
        unlisted: true,
        handlers: [reject],
      }
    })
}

/** The failure of a creation that does not name the parent. */
export function createdBelowParent(registry: Registry, kind: RegisteredKind): FlotillaError {
  const nested = kindRoutes(registry).filter((route) => {
    return route.verb === 'create' && route.kind === kind && route.parent !== null
  })
  const paths = nested.map(({ template }) => addressOf(template).template).join(' or ')
  const detail = `A ${kind.kind} is created below its ${kind.parent?.kind}: POST ${paths}`
  return new FlotillaError('unprocessable', detail)
}
