import { endLongTurn, stepsInTurns } from '../../../lib/async/steps.ts'
import { FlotillaError } from '../../../lib/errors.ts'
import { applyObject as mergeApplied } from '../../apply/apply-object.ts'
import { objectConflict } from '../../errors/failures.ts'
import type { ApiObject } from '../../model/api-object.ts'
import type { ObjectPatch, Target } from '../../model/object-operations.ts'
import { changeObject } from './change-object.ts'
import { withIdentity } from '../input/check-identity.ts'
import type { OperationsContext } from '../context.ts'
import { createObject } from './create-object.ts'
import { applyWrite } from '../input/manage-fields.ts'
import { processInput } from '../input/process-input.ts'
import { reportDuplicates } from '../../patches/report-duplicates.ts'
import { requireObject } from '../require-object.ts'
import { requireLeastSize } from '../input/require-size.ts'
import type { WriteRequest } from '../write-request.ts'

/** A patch of one object. */
export interface PatchRequest extends WriteRequest {
  readonly patch: ObjectPatch
}

/** The result of a patch; an apply creates missing objects. */
export interface Patched {
  readonly object: ApiObject
  readonly isNew: boolean
}

/** Attempts if other callers create and delete the object at the same time. */
const MAX_ATTEMPTS = 6

/**
 * Server-side apply: merges the applied fields into the object, or creates it. 409 if other managers
 * own changed fields, unless the patch is forced.
 */
export async function applyObject(
  context: OperationsContext,
  request: PatchRequest,
): Promise<Patched> {
  const { requester, target, patch, options } = request
  const applied = await appliedObject(request)
  await endLongTurn()
  requireLeastSize(applied, target, { ownsFields: true })
  await endLongTurn()
  const write = applyWrite({ target, options, now: context.clock() })
  const merged = (old: ApiObject | null) =>
    stepsInTurns(mergeApplied({ live: old, applied }, write, patch.force === true))
  const change = { requester, target, options, changed: merged, isApply: true }
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
    const changed = await unless('not-found', () => changeObject(context, change))
    if (changed) return { object: changed, isNew: false }
    // The second attempt throws the error of the missing object.
    if (target.subresource !== '')
      return { object: await changeObject(context, change), isNew: false }
    requireNoUid(applied, target)
    await requester.requireCreate?.()
    const collection = { ...target, name: '' }
    const input = await merged(null)
    const created = await unless('already-exists', () =>
      createObject(context, { requester, target: collection, input, options, isApply: true }),
    )
    if (created) return { object: created, isNew: true }
  }
  throw objectConflict(target.type, target.name)
}

/** The body of the patch. Duplicate fields are reported. The merge rejects unknown ones. */
async function appliedObject({
  requester,
  target,
  patch,
  options,
}: PatchRequest): Promise<ApiObject> {
  const given = withIdentity(requireObject(patch.body), target)
  reportDuplicates(patch, options, requester)
  await processInput(given, {
    requester,
    target,
    options: { ...options, fieldValidation: 'Ignore' },
  })
  return given
}

/** An object with a uid is never created: the caller means one that has been deleted. */
function requireNoUid({ metadata: { uid = '' } }: ApiObject, { type, name }: Target): void {
  if (uid === '') return
  const detail = `uid mismatch: the provided object specified uid ${uid}, and no existing object was found`
  throw objectConflict(type, name, detail)
}

/** The result, or null if the operation fails for this reason. */
async function unless<T>(
  reason: FlotillaError['reason'],
  run: () => Promise<T>,
): Promise<T | null> {
  try {
    return await run()
  } catch (error) {
    if (error instanceof FlotillaError && error.reason === reason) return null
    throw error
  }
}
