import type { Response } from 'express'
import { notFound } from '../../lib/errors.ts'
import type { TenantScope } from '../../access/tenant.ts'
import { takeSnapshot } from '../take-snapshot.ts'
import { waitOf } from '../../http/fairness/admission.ts'
import { waitForVersion } from '../../store/operations/read/wait-for-version.ts'
import type { CachedSnapshot } from '../cache/snapshot-cache.ts'
import type { PlaneSnapshot } from '../../planes/snapshots/plane-snapshots.ts'
import { type PlaneObjects, planeSelection, selectsPlane } from './plane-parts.ts'
import type { Selection } from './selection.ts'
import type { SnapshotContext } from './snapshot-context.ts'

/** The root of a snapshot, and the requested parts. */
export interface Root {
  readonly tenant: TenantScope
  readonly idOrName: string
  /** The selection of the request, which may name resources of the plane. */
  readonly requested: Selection
  /** Null if the snapshot does not include the objects of the root's plane. */
  readonly planes: PlaneObjects | null
}

/** A subtree with the objects of its plane. */
interface WholeSnapshot {
  readonly cached: CachedSnapshot
  /** Null if the snapshot includes none. */
  readonly plane: PlaneSnapshot | null
}

/** Reads every part of a snapshot, or fails: a snapshot is never partial. */
export async function takeWhole(
  context: Pick<SnapshotContext, 'operations' | 'snapshots' | 'kind' | 'parts'>,
  { tenant, idOrName, requested: selection, planes }: Root,
  response: Response,
): Promise<WholeSnapshot> {
  const { operations, snapshots, kind } = context
  const { known } = context.parts
  const take = async (): Promise<WholeSnapshot | null> => {
    const cached = await takeSnapshot(snapshots, { tenant, kind, idOrName })
    const { id } = cached.state.root
    const selected = selection.resources
    if (!planes || !(await selectsPlane(planes, id, { selected, known }))) {
      return { cached, plane: null }
    }
    const plane = await planes.snapshots.read(
      planeSelection(planes, response, { id, selection, known }),
    )
    return plane && { cached, plane }
  }
  const whole = await take()
  if (whole) return whole
  // The plane is removed, so the cached subtree is older than the removal of its root.
  await waitForVersion(operations, 'latest', waitOf(response))
  const current = await take()
  if (current) return current
  throw notFound(kind.kind, idOrName)
}
