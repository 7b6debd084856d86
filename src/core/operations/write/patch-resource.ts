import type { Caller } from '../../auth/principal.ts'
import { isDeepStrictEqual } from 'node:util'
import { notFound } from '../../../lib/errors.ts'
import { retry } from '../../../lib/async/retry.ts'
import type { Resource } from '../../model/resource.ts'
import {
  type Desired,
  PATCHABLE_FIELDS,
  type PatchableField,
  raisesGeneration,
} from '../../model/resource-fields.ts'
import { reportTimeOf } from '../../model/status-record.ts'
import {
  type ResourceWithStatuses,
  readForUpdate,
} from '../../storage/resources/read-for-update.ts'
import { updateReferences } from '../../storage/resources/update-references.ts'
import { updateResource } from '../../storage/resources/update-resource.ts'
import { beingDeleted, keptChanging } from './write-failures.ts'
import { type Context, WRITE_ATTEMPTS } from '../context.ts'
import { type Precondition, requireMatch } from './precondition.ts'
import { keyOf, type Target } from '../read/read-resource.ts'
import { referencesOf, refuseDeletedTargets, refuseMissingTargets } from './references.ts'
import { showExactTimes } from '../read/show-exact-times.ts'

export interface Patch {
  /**
   * What the resource is to be, given what it is: called again after a lost race. Throws what the
   * caller is to be told where the patch does not fit the resource.
   */
  readonly change: (current: Desired) => Desired
  readonly precondition: Precondition
  /** The caller's identity. */
  readonly caller: Pick<Caller, 'user'>
}

/**
 * Changes what is desired. A change of the spec, or of the references, raises the generation and
 * recomputes the conditions in the same commit; nothing is written where nothing changes. A race
 * with another writer is decided anew on what that one left: a patch with a precondition fails
 * there. References to what is not there are `invalid`, to what is being deleted `state-conflict`.
 */
export async function patchResource(
  context: Context,
  target: Target,
  patch: Patch,
): Promise<Resource> {
  const resource = await context.writes.run(target.id, () =>
    retry(WRITE_ATTEMPTS, null, () => attempt(context, target, patch)),
  )
  if (!resource) throw keptChanging(target)
  context.feed.sequencer.notifyWrite()
  return resource
}

/** Null where the resource changed between read and write. */
async function attempt(context: Context, target: Target, patch: Patch): Promise<Resource | null> {
  const found = await readForUpdate(context.database, keyOf(target))
  if (!found) throw notFound(target.kind.kind, target.id)
  const { resource, states } = found
  requireMatch(patch.precondition, resource)
  if (resource.deletedTime !== null) throw beingDeleted(resource.kind, resource.id)
  const next = patched(context, found, patch)
  if (next !== resource && !(await write(context, target, resource, next))) return null
  return showExactTimes(target.kind, next, states.map(reportTimeOf))
}

/** False where it met another write. */
async function write(
  { database }: Context,
  { kind }: Target,
  { version, refs }: Resource,
  next: Resource,
): Promise<boolean> {
  if (next.refs === refs) return updateResource(database, next, version)
  const references = referencesOf(kind, next.refs)
  const update = { next, readVersion: version, targets: references }
  const result = await updateReferences(database, update)
  if (result === null) return false
  refuseMissingTargets(references, result.targets)
  if (!result.updated) refuseDeletedTargets(references, result.targets)
  return result.updated
}

/** The resource as the patch leaves it: itself where nothing changes. */
function patched(
  context: Context,
  { resource, states }: ResourceWithStatuses,
  { change, caller }: Patch,
): Resource {
  const desired = change(resource)
  const changed = PATCHABLE_FIELDS.filter((field) => !sameJson(desired[field], resource[field]))
  if (changed.length === 0) return resource
  const now = context.clock()
  const next: Resource = {
    ...resource,
    ...desired,
    refs: changed.includes('refs') ? desired.refs : resource.refs,
    version: resource.version + 1n,
    updatedTime: now,
    updatedBy: caller.user,
  }
  const raises = changed.some((field) => raisesGeneration(field, context.labelsBumpGeneration))
  if (!raises) return next
  const raised = { ...next, generation: resource.generation + 1 }
  const conditions = context.registry
    .byName(resource.kind)
    .statusHooks?.conditionsAfter({ type: 'change', resource: raised, records: states }, now)
  return { ...raised, conditions: conditions ?? [] }
}

/** Equality of JSON values as they are stored: the sign of a zero is not. */
function sameJson(a: Desired[PatchableField], b: Desired[PatchableField]): boolean {
  return isDeepStrictEqual(JSON.parse(JSON.stringify(a)), b)
}
