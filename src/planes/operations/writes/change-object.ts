import { endLongTurn } from '../../../lib/async/steps.ts'
import type { ObjectContent, SearchedFields } from '../../../store/objects/model/object-write.ts'
import type { ObjectKey, StoredObject } from '../../../store/objects/model/stored-object.ts'
import { isSameJson } from '../../../lib/json/same-json.ts'
import { objectConflict, objectInvalid, objectNotFound } from '../../errors/failures.ts'
import type { ApiObject } from '../../model/api-object.ts'
import type { Target } from '../../model/object-operations.ts'
import { mutateObject, validateAdmission } from '../admit-object.ts'
import { withIdentity } from '../input/check-identity.ts'
import type { OperationsContext } from '../context.ts'
import { contentOf } from '../input/object-content.ts'
import { manageFields } from '../input/manage-fields.ts'
import { keyOf } from '../object-key.ts'
import { processInput } from '../input/process-input.ts'
import { requireLeastSize } from '../input/require-size.ts'
import { requireWritten } from './require-written.ts'
import { restrictChange } from '../input/restrict-change.ts'
import { desiredState, hasGeneration, withSystemFieldsOf } from '../input/system-fields.ts'
import { validateObject } from '../input/validate-object.ts'
import { bodyOf, oneToVersion, sourceOf, storedObject, versionOf } from '../versioned-object.ts'
import { warnOfObject } from '../input/warn-of-object.ts'
import { nativeOf, writeContext } from '../write-context.ts'
import type { WriteRequest } from '../write-request.ts'
import { apiVersionOf, type ResourceVersion } from '../../model/resource-type.ts'
import { fieldText } from '../../../store/objects/selection/field-text.ts'

/** Attempts for a change that names no resource version. */
const MAX_ATTEMPTS = 6

/** A change of an existing object. */
export interface ObjectChange extends WriteRequest {
  /**
   * The object after the change, in the target's version. Runs again if another write came first.
   */
  readonly changed: (old: ApiObject) => ApiObject | Promise<ApiObject>
  /** Whether `changed` returns managed fields that are final, as an apply does. */
  readonly isApply?: boolean
}

/** The state that a write replaces. */
export interface OldState {
  readonly stored: StoredObject
  /** In the version of the request. */
  readonly object: ApiObject
  /** Only a write shows whether the state is still the stored one. */
  readonly isKnown?: true
}

/**
 * Changes an object: the write succeeds only if the object has not changed since it was read. A
 * change without a resource version is decided again up to 5 times.
 */
export async function changeObject(
  context: OperationsContext,
  change: ObjectChange,
): Promise<ApiObject> {
  const { target } = change
  const known = knownState(change)
  const written = known && (await tryChange(context, change, known))
  if (written) return written
  for (let attempt = 1; ; attempt += 1) {
    const old = await readState(context, target)
    const changed = await tryChange(context, change, old)
    if (changed) return changed
    if (attempt === MAX_ATTEMPTS) throw objectConflict(target.type, target.name)
  }
}

async function readState(context: OperationsContext, target: Target): Promise<OldState> {
  const stored = await context.storeOf(target.type).read(keyOf(target))
  if (!stored) throw objectNotFound(target.type, target.name)
  await endLongTurn()
  return { stored, object: await oneToVersion(context, target, stored) }
}

/** The state that the caller has read, which the write compares with the stored one. */
function knownState({ target, options: { basedOn, dryRun } }: ObjectChange): OldState | null {
  if (basedOn === undefined || dryRun === true) return null
  const { type, version } = target
  const stored = sourceOf(basedOn)
  if (stored === null || !isSameKey(stored, keyOf(target))) return null
  if (basedOn.apiVersion !== apiVersionOf(type.group, version)) return null
  return { stored, object: basedOn, isKnown: true }
}

function isSameKey(one: ObjectKey, other: ObjectKey): boolean {
  return (
    one.plane === other.plane &&
    one.resource === other.resource &&
    one.namespace === other.namespace &&
    one.name === other.name
  )
}

/** Returns null if another write came first. */
async function tryChange(
  context: OperationsContext,
  change: ObjectChange,
  old: OldState,
): Promise<ApiObject | null> {
  const next = await decide(context, change, old)
  const { target, options, requester } = change
  if (options.dryRun === true) return withRevisionOf(next, old.object)
  await endLongTurn()
  const content = await contentOf(context, target, next)
  await endLongTurn()
  const isUnchanged =
    isSameJson(content.body, bodyOf(storedObject(old.stored))) &&
    isSameJson(content.managedFields, old.stored.managedFields)
  if (isUnchanged) return old.isKnown ? null : old.object
  await endLongTurn()
  const isRemoved = isRemovable(context, target, next)
  return writeChange(context, { requester, target }, { old, content, isRemoved })
}

function withRevisionOf(next: ApiObject, { metadata }: ApiObject): ApiObject {
  const { resourceVersion } = metadata
  return {
    ...next,
    metadata: { ...next.metadata, ...(resourceVersion !== undefined && { resourceVersion }) },
  }
}

/** Decides the state after a change: everything except the write. */
async function decide(
  context: OperationsContext,
  { requester, target, options, changed, isApply = false }: ObjectChange,
  { object: old }: OldState,
): Promise<ApiObject> {
  const { type, subresource } = target
  const version = versionOf(type, target.version)
  const native = nativeOf(context, target)
  const circumstances = writeContext(context, requester, target)
  const input = withIdentity(await changed(old), target)
  requireSame(input, old, target)
  await endLongTurn()
  const processed = await processInput(input, { requester, target, options })
  await endLongTurn()
  const restrict = (object: ApiObject): ApiObject =>
    withSystemFieldsOf(restrictChange(object, old, { subresource, version, type }), old)
  const restricted = restrict(processed)
  const prepared = native?.strategy?.prepareUpdate?.(restricted, old, circumstances) ?? restricted
  await endLongTurn()
  const admission = { requester, target, operation: 'UPDATE', options, old } as const
  const mutated = await mutateObject(context, { ...admission, next: prepared })
  // Admission may change only what the endpoint may change.
  const kept = mutated === prepared ? mutated : restrict(mutated)
  const { now } = circumstances
  await endLongTurn()
  requireLeastSize(kept, target, { ownsFields: false })
  const managed = await manageFields({ target, options, now, isApply }, old, kept)
  await endLongTurn()
  const next = hasGeneration(type, version) ? withGeneration(managed, old, version) : managed
  await endLongTurn()
  const errors = await validateObject(context, { target, next, old }, circumstances)
  if (errors.length > 0) throw objectInvalid(type, target.name, errors)
  await endLongTurn()
  await validateAdmission(context, { ...admission, next })
  warnOfObject(context, { requester, target, next, old }, circumstances)
  return next
}

function requireSame(input: ApiObject, old: ApiObject, { type, name }: Target): void {
  const { resourceVersion = '', uid = '' } = input.metadata
  if (uid !== '' && uid !== old.metadata.uid) {
    throw objectConflict(
      type,
      name,
      `Precondition failed: UID in precondition: ${uid}, UID in object meta: ${old.metadata.uid ?? ''}`,
    )
  }
  if (resourceVersion !== '' && resourceVersion !== old.metadata.resourceVersion) {
    throw objectConflict(type, name)
  }
}

function withGeneration(
  next: ApiObject,
  old: ApiObject,
  version: Parameters<typeof desiredState>[1],
): ApiObject {
  const { generation = 1 } = old.metadata
  if (isSameJson(desiredState(next, version), desiredState(old, version))) return next
  return { ...next, metadata: { ...next.metadata, generation: generation + 1 } }
}

/** A decided write. */
interface Step {
  readonly old: OldState
  /** The state after the write. */
  readonly content: ObjectContent
  readonly isRemoved: boolean
}

/** Stores the state after a change, or removes the object. Null if another write came first. */
export async function writeChange(
  context: OperationsContext,
  { requester, target }: Pick<ObjectChange, 'requester' | 'target'>,
  { old, content, isRemoved }: Step,
): Promise<ApiObject | null> {
  const { type } = target
  const { stored } = old
  const write = {
    ...content,
    revision: stored.isComputed === true ? null : stored.revision,
    before: searchedBefore(stored, target),
    ...(requester.fence && { fence: requester.fence }),
  }
  const store = context.storeOf(type)
  const outcome = await store.write(
    isRemoved ? { ...write, type: 'remove', leaveTombstone: false } : { ...write, type: 'update' },
    requester.user,
  )
  if (outcome.status === 'conflict') return null
  const written = requireWritten(outcome, target, target.name)
  const current = { ...content.key, ...content, revision: written.revision }
  return oneToVersion(context, target, written.object ?? current)
}

function searchedBefore(stored: StoredObject, { type }: Target): SearchedFields {
  return searchedFields(storedObject(stored), versionOf(type, type.storageVersion))
}

/** Whether the object is being deleted and nothing delays its removal. */
export function isRemovable(
  context: OperationsContext,
  target: Target,
  object: ApiObject,
): boolean {
  const { deletionTimestamp, finalizers = [] } = object.metadata
  if (deletionTimestamp === undefined || finalizers.length > 0) return false
  return !(nativeOf(context, target)?.strategy?.isFinalizing?.(object) ?? false)
}

/** The labels and selectable fields of an object, which filtered watches compare. */
function searchedFields(
  object: ApiObject,
  { selectableFields }: Pick<ResourceVersion, 'selectableFields'>,
): SearchedFields {
  return {
    labels: object.metadata.labels ?? {},
    fields: Object.fromEntries(selectableFields.map((path) => [path, fieldText(object, path)])),
  }
}
