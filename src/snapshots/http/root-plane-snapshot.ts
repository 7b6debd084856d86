import type { Request, Response } from 'express'
import { invalid, notFound } from '../../lib/errors.ts'
import { waitForVersion } from '../../store/operations/read/wait-for-version.ts'
import { tenantOf } from '../../http/auth/caller.ts'
import { ROOT_PLANE } from '../../planes/planes/root-plane.ts'
import { hasTag } from '../../hyperfleet/wire/etag.ts'
import { setSnapshotHeaders } from '../../hyperfleet/wire/snapshot-headers.ts'
import {
  type PlaneObjects,
  planeSelection,
  requireKnownNames,
  withPlaneParts,
} from './plane-parts.ts'
import { renderEnvelope } from './render-envelope.ts'
import type { SnapshotContext } from './snapshot-context.ts'
import { isStrict, type SnapshotQuery } from './snapshot-query.ts'

/** A snapshot has a cluster's resources before the objects of its plane; the root plane has none. */
const NO_RESOURCES = { tail: Buffer.from('[]}'), etag: `"${ROOT_PLANE}"` }

interface RootPlaneQuery extends SnapshotQuery {
  readonly planes: PlaneObjects
}

/** GET of the root plane's snapshot: the stored objects that the caller may list there. */
export async function sendRootPlaneSnapshot(
  { operations, authorizer, kind, clock, send }: SnapshotContext,
  { planes, selection, watch, least }: RootPlaneQuery,
  request: Request,
  response: Response,
): Promise<void> {
  // The root plane belongs to all tenants, so that only roles can protect it.
  if (tenantOf(response) !== null && !authorizer.isDetailed) throw notFound(kind.kind, ROOT_PLANE)
  if (watch) {
    const message = 'watch: the snapshot of the root plane has no watch; watch its lists instead'
    throw invalid([{ field: 'watch', message, constraint: 'enum', value: 'true' }])
  }
  if (least) await waitForVersion(operations, least)
  if (isStrict(request.originalUrl)) {
    const selected = selection.resources ?? []
    await requireKnownNames(planes, ROOT_PLANE, { selected, known: [] })
  }
  const { resourceVersion } = operations.feed.broadcaster
  const scope = { id: ROOT_PLANE, selection, known: [] }
  const plane = await planes.snapshots.read(planeSelection(planes, response, scope))
  if (plane === null) throw notFound(kind.kind, ROOT_PLANE)
  const time = clock().toISOString()
  setSnapshotHeaders(response, kind, { id: ROOT_PLANE, time })
  const { etag, tail } = withPlaneParts(NO_RESOURCES, plane)
  response.setHeader('ETag', etag)
  if (hasTag(request, etag)) {
    response.status(304).end()
    return
  }
  const liveResources = plane.parts.length
  const root = { kind, id: ROOT_PLANE, idOrName: ROOT_PLANE }
  send(response, renderEnvelope({ ...root, time, resourceVersion, liveResources }), tail)
}
