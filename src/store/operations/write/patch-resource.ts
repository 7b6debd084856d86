import type { Caller } from '../../../access/principal.ts'
import { endLongTurn } from '../../../lib/async/steps.ts'
import { notFound } from '../../../lib/errors.ts'
import { retry } from '../../../lib/async/retry.ts'
import { isSameJson } from '../../../lib/json/same-json.ts'
import type { Resource } from '../../model/resource.ts'
import { type Desired, PATCHABLE_FIELDS, raisesGeneration } from '../../model/resource-fields.ts'
import { reportTimeOf } from '../../model/status-record.ts'
import { type ResourceWithStatuses, readForUpdate } from '../../resources/read-for-update.ts'
import { updateReferences } from '../../resources/update-references.ts'
import { updateResource } from '../../resources/update-resource.ts'
import { beingDeleted, keptChanging } from './write-failures.ts'
import { type Context, WRITE_ATTEMPTS } from '../context.ts'
import { type Precondition, requireMatch } from './precondition.ts'
import { keyOf, type Target } from '../read/read-resource.ts'
import { referencesOf, rejectDeletedTargets, rejectMissingTargets } from './references.ts'
import { showExactTimes } from '../read/show-exact-times.ts'

export interface Patch {
  /**
   * Computes the new state from the current one. Called again after a lost race. Throws if the
   * patch does not fit the resource.
   */
  readonly change: (current: Desired) => Desired | Promise<Desired>
  readonly precondition: Precondition
  readonly caller: Pick<Caller, 'user'>
}

export interface PatchOutcome {
  readonly resource: Resource
  /** False if the patch changed nothing, and nothing was written. */
  readonly isChanged: boolean
}

/**
 * Changes the desired state. A change of a field that raises the generation also recomputes the
 * conditions, in the same statement. If nothing changes, nothing is written. After a lost race, the
 * patch is applied to the new state, unless its precondition no longer holds. Fails with `invalid`
 * if a target of its references does not exist, and with `state-conflict` if a target is being
 * deleted.
 */
export async function patchResource(
  context: Context,
  target: Target,
  patch: Patch,
): Promise<PatchOutcome> {
  const outcome = await context.writes.run(target.id, () =>
    retry(WRITE_ATTEMPTS, null, () => attempt(context, target, patch)),
  )
  if (!outcome) throw keptChanging(target)
  context.feed.sequencer.notifyWrite()
  return outcome
}

/** Null if the resource changed between read and write. */
async function attempt(
  context: Context,
  target: Target,
  patch: Patch,
): Promise<PatchOutcome | null> {
  const found = await readForUpdate(context.database, keyOf(target))
  if (!found) throw notFound(target.kind.kind, target.id)
  const { resource, states } = found
  requireMatch(patch.precondition, resource)
  if (resource.deletedTime !== null) throw beingDeleted(resource.kind, resource.id)
  await endLongTurn()
  const desired = await patch.change(resource)
  await endLongTurn()
  const next = patched(context, found, { desired, caller: patch.caller })
  const isChanged = next !== resource
  await endLongTurn()
  if (isChanged && !(await write(context, resource, next))) return null
  return { resource: showExactTimes(target.kind, next, states.map(reportTimeOf)), isChanged }
}

/** False if the write collided with another one. */
async function write(
  { database, registry }: Context,
  { version, refs }: Resource,
  next: Resource,
): Promise<boolean> {
  if (next.refs === refs) return updateResource(database, next, version)
  const references = referencesOf(registry.byName(next.kind), next.refs)
  const update = { next, readVersion: version, targets: references }
  const result = await updateReferences(database, update)
  if (result === null) return false
  rejectMissingTargets(references, result.targets)
  if (!result.updated) rejectDeletedTargets(references, result.targets)
  return result.updated
}

/** The resource after the patch: the same object if nothing changes. */
function patched(
  context: Context,
  { resource, states }: ResourceWithStatuses,
  { desired, caller }: Pick<Patch, 'caller'> & { readonly desired: Desired },
): Resource {
  const changed = PATCHABLE_FIELDS.filter((field) => !isSameJson(desired[field], resource[field]))
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
