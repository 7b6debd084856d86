import { idParameter } from '../../store/registry/kind-routes.ts'
import { addressOf } from '../../hyperfleet/paths/address.ts'
import type { ApiPart } from '../../hyperfleet/routes/api-part.ts'
import type { RouteOptions } from '../../hyperfleet/routes/route-options.ts'
import type { AppRoute } from '../../http/server/app-route.ts'
import type { SnapshotCache } from '../cache/snapshot-cache.ts'
import type { PlaneObjects } from './plane-parts.ts'
import { SNAPSHOTS_TEMPLATE, snapshotTemplate } from './snapshot-paths.ts'
import { jsonFormat } from '../../http/validation/body-format.ts'
import { bodyStage } from '../../http/validation/body-stage.ts'
import { getSnapshot } from './get-snapshot.ts'
import { postSnapshots, snapshotsRules } from './post-snapshots.ts'
import { type SnapshotContext, snapshotContext } from './snapshot-context.ts'

interface Parts {
  readonly snapshots: SnapshotCache
  /** The objects of planes in snapshots. */
  readonly planeObjects: PlaneObjects
}

/** Snapshots of the kinds that have them. */
export function snapshotPart(parts: Parts): ApiPart {
  return { isBusy: true, routes: (options) => routesOf(parts, options) }
}

function routesOf({ snapshots, planeObjects }: Parts, options: RouteOptions): readonly AppRoute[] {
  const { verbs, clock, streams, validation, authorizer } = options
  const { operations, wire } = verbs
  const verify = validation.proof !== null
  const shared = { operations, snapshots, wire, clock, streams, authorizer, verify }
  const contexts = operations.registry.kinds
    .filter((kind) => kind.snapshots === true)
    .map((kind) => snapshotContext(shared, kind))
  const [first, ...others] = contexts
  if (!first) return []
  return [
    ...contexts.flatMap((context) => itemRoutes(context, options, planeObjects)),
    manyRoute([first, ...others], options, planeObjects),
  ]
}

/**
 * The path below the base path, and the one at the server's root that kplane's SDK calls. The latter
 * includes the objects of the plane. The handler checks the query itself, which is cheaper than a
 * schema. The proof, if there is one, compares requests and responses with the document.
 */
function itemRoutes(
  context: SnapshotContext,
  { validation }: RouteOptions,
  planeObjects: PlaneObjects,
): readonly AppRoute[] {
  const { kind } = context
  const template = snapshotTemplate(kind)
  const handler = getSnapshot(context)
  const atRoot = `/${kind.plural}/{${idParameter(kind)}}/control-plane/snapshot`
  const checks = validation.proof ? [validation.proof.stageOf({ method: 'get', template })] : []
  const access = { verb: 'get', resource: kind.plural, subresource: 'snapshot' } as const
  const nameParameter = idParameter(kind)
  const route = { method: 'get', public: false, access, nameParameter } as const
  return [
    { ...route, ...addressOf(template), handlers: [...checks, handler] },
    { ...route, ...rootAddressOf(atRoot), handlers: [getSnapshot(context, planeObjects)] },
  ]
}

function manyRoute(
  contexts: readonly [SnapshotContext, ...SnapshotContext[]],
  { validation, bodyLimit }: RouteOptions,
  planeObjects: PlaneObjects,
): AppRoute {
  return {
    ...addressOf(SNAPSHOTS_TEMPLATE),
    method: 'post',
    public: false,
    access: { verb: 'list', resource: '*', subresource: 'snapshot' },
    handlers: [
      bodyStage(bodyLimit, [jsonFormat(snapshotsRules)]),
      ...validation.stages({ method: 'post', template: SNAPSHOTS_TEMPLATE }),
      postSnapshots(contexts, planeObjects),
    ],
  }
}

function rootAddressOf(template: string): Pick<AppRoute, 'path' | 'template'> {
  return { path: template.replaceAll(/\{(\w+)\}/g, ':$1'), template }
}
