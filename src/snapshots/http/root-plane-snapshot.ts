import type { Response } from 'express'
import { invalid, notFound } from '../../lib/errors.ts'
import { waitOf } from '../../http/fairness/admission.ts'
import { waitForVersion } from '../../store/operations/read/wait-for-version.ts'
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
const NO_RESOURCES = Buffer.from('[]}')

interface RootPlaneQuery extends SnapshotQuery {
  readonly planes: PlaneObjects
  /** The root plane of the server, or of the caller's tenant. */
  readonly plane: string
}

/** GET of a root plane's snapshot: the stored objects that the caller may list there. */
export async function sendRootPlaneSnapshot(
  { operations, kind, clock, send }: SnapshotContext,
  { planes, plane: id, selection, watch, least }: RootPlaneQuery,
  response: Response,
): Promise<void> {
  if (watch) {
    const message = 'watch: the snapshot of the root plane has no watch; watch its lists instead'
    throw invalid([{ field: 'watch', message, constraint: 'enum', value: 'true' }])
  }
  if (least) await waitForVersion(operations, least, waitOf(response))
  if (isStrict(response.req.originalUrl)) {
    const selected = selection.resources ?? []
    await requireKnownNames(planes, id, { selected, known: [] })
  }
  const { resourceVersion } = operations.feed.broadcaster
  const scope = { id, selection, known: [] }
  const plane = await planes.snapshots.read(planeSelection(planes, response, scope))
  if (plane === null) throw notFound(kind.kind, ROOT_PLANE)
  const time = clock().toISOString()
  setSnapshotHeaders(response, kind, { id, time })
  const { etag, tail } = withPlaneParts({ tail: NO_RESOURCES, etag: `"${id}"` }, plane)
  response.setHeader('ETag', etag)
  if (hasTag(response.req, etag)) {
    response.status(304).end()
    return
  }
  const liveResources = plane.parts.length
  const root = { kind, id, idOrName: ROOT_PLANE }
  send(response, renderEnvelope({ ...root, time, resourceVersion, liveResources }), tail)
}
