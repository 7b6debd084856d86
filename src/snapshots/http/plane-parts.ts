import type { Response } from 'express'
import { invalid, type Violation } from '../../lib/errors.ts'
import type { Caller } from '../../access/principal.ts'
import { callerOf, tenantOf } from '../../http/auth/caller.ts'
import { refuseForeignSender } from '../../http/browsers/foreign-sender.ts'
import type {
  PlaneSelection,
  PlaneSnapshot,
  PlaneSnapshots,
} from '../../planes/snapshots/plane-snapshots.ts'
import type { Sender } from '../../planes/http/kube-handler.ts'
import type { UserInfo } from '../../planes/model/user-info.ts'
import type { RenderedResources } from './render-snapshot.ts'
import type { Selection } from './selection.ts'
import { resourcesOf, type SnapshotQuery } from './snapshot-query.ts'

/** The objects of planes in snapshots of their clusters. */
export interface PlaneObjects {
  readonly snapshots: PlaneSnapshots
  /** The user that a caller is in planes. */
  readonly userOf: (caller: Caller) => UserInfo
  /** Creates the cluster of a missing plane if the sender may. Absent if no request does. */
  readonly createMissing?: (reference: string, sender: Required<Sender>) => Promise<unknown>
}

/** Creates the root of a snapshot that does not exist, if the server creates planes on access. */
export async function createMissingRoot(
  { createMissing, userOf }: PlaneObjects,
  response: Response,
  reference: string,
): Promise<void> {
  if (!createMissing) return
  refuseForeignSender(response, `the cluster ${reference.slice(0, 253)}`)
  const user = userOf(callerOf(response))
  const sender = { tenant: tenantOf(response), userIn: () => Promise.resolve(user) }
  await createMissing(reference, sender)
}

/** The selected objects of a plane for the caller of a request. */
export function planeSelection(
  { userOf }: PlaneObjects,
  response: Response,
  {
    id,
    selection,
    known,
  }: { readonly id: string; readonly known: readonly string[] } & Pick<SnapshotQuery, 'selection'>,
): PlaneSelection {
  const { resources: names, includeEmpty } = selection
  const user = userOf(callerOf(response))
  return { plane: id, user, names, others: known, includeEmpty }
}

/**
 * Whether names may select objects of a plane. Names that the plane does not serve may be new there,
 * unless they are parts of the HyperFleet API. Saves a statement for snapshots of such parts alone.
 */
export async function selectsPlane(
  { snapshots }: PlaneObjects,
  plane: string,
  { selected, known }: { readonly selected: SelectedNames; readonly known: readonly string[] },
): Promise<boolean> {
  if (selected === null || selected.some((name) => !known.includes(name))) return true
  const served = await snapshots.namesOf(plane)
  return selected.some((name) => served.has(name))
}

type SelectedNames = Selection['resources']

/** Rejects names that neither the cluster nor its plane serves. */
export async function requireKnownNames(
  { snapshots }: PlaneObjects,
  plane: string,
  names: { readonly selected: readonly string[]; readonly known: readonly string[] },
): Promise<void> {
  const violations: Violation[] = []
  const served = await snapshots.namesOf(plane)
  resourcesOf(names.selected, [...names.known, ...served].toSorted(), violations)
  if (violations.length > 0) throw invalid(violations)
}

const END = Buffer.from(']}')
const COMMA = Buffer.from(',')

/** Adds the parts of a plane to a rendered snapshot. */
export function withPlaneParts(
  { tail, etag }: RenderedResources,
  { revision, parts }: PlaneSnapshot,
): RenderedResources {
  if (parts.length === 0) return { tail, etag }
  const rendered = parts.map(({ group, resource, items }) => {
    const head = JSON.stringify({ group, resource, synced: true, itemCount: items.length })
    return `${head.slice(0, -1)},"items":[${items.join(',')}]}`
  })
  const before = tail.subarray(0, tail.length - END.length)
  const isFirst = before.length === 1
  const pieces = [before, ...(isFirst ? [] : [COMMA]), Buffer.from(rendered.join(',')), END]
  const names = parts.map(({ group, resource }) => `${resource}.${group}`).join()
  const content = Buffer.from(`${revision} ${names}`).toString('base64url')
  return { tail: Buffer.concat(pieces), etag: `"${etag.replaceAll('"', '')}.${content}"` }
}
