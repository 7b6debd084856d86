import type { RequestHandler } from 'express'
import type { Method } from '../../store/registry/verb.ts'
import type { AppRoute } from '../../http/server/app-route.ts'
import { jsonFormat } from '../../http/validation/body-format.ts'
import { bodyStage } from '../../http/validation/body-stage.ts'
import { addressOf } from '../../hyperfleet/paths/address.ts'
import { leaseWork } from './lease-work.ts'
import { renewLease } from './renew-lease.ts'
import { returnLease } from './return-lease.ts'
import type { ApiPart } from '../../hyperfleet/routes/api-part.ts'
import type { RouteOptions } from '../../hyperfleet/routes/route-options.ts'
import type { AdapterWork } from '../adapter-work.ts'
import type { WorkMetrics } from '../work-metrics.ts'

/** The work queues of adapters. Their callers may report as the adapter. */
export function workPart(work: AdapterWork, metrics: WorkMetrics): ApiPart {
  return { routes: (options) => routesOf({ work, metrics }, options) }
}

interface Parts {
  readonly work: AdapterWork
  readonly metrics: WorkMetrics
}

function routesOf(
  { work, metrics }: Parts,
  { validation, verbs, authorizer, bodyLimit }: RouteOptions,
): readonly AppRoute[] {
  const { operations, representation, send } = verbs
  const route = (method: Method, template: string, handler: RequestHandler): AppRoute => ({
    ...addressOf(template),
    method,
    public: false,
    access: { verb: 'report', resource: 'adapters', subresource: null },
    nameParameter: 'adapter',
    handlers: [
      ...(method === 'post' ? [bodyStage(bodyLimit, [jsonFormat()])] : []),
      ...validation.stages({ method, template }),
      handler,
    ],
  })
  const lease = '/adapters/{adapter}/leases/{token}'
  const context = { operations, authorizer, work, metrics, representation, send }
  return [
    route('post', '/adapters/{adapter}/lease', leaseWork(context)),
    route('post', `${lease}/renew`, renewLease(work)),
    route('delete', lease, returnLease(work)),
  ]
}
