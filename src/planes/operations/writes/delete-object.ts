import { endLongTurn } from '../../../lib/async/steps.ts'
import { FlotillaError } from '../../../lib/errors.ts'
import { objectConflict, objectNotFound } from '../../errors/failures.ts'
import type { ApiObject } from '../../model/api-object.ts'
import type { DeleteContext } from '../../model/native-resource.ts'
import type { DeleteOptions, Requester, Target } from '../../model/object-operations.ts'
import { validateAdmission } from '../admit-object.ts'
import { isRemovable, type OldState, writeChange } from './change-object.ts'
import { contentOf } from '../input/object-content.ts'
import type { OperationsContext } from '../context.ts'
import { keyOf } from '../object-key.ts'
import { hasGeneration, timestamp } from '../input/system-fields.ts'
import { oneToVersion, versionOf } from '../versioned-object.ts'
import { nativeOf, writeContext } from '../write-context.ts'

const MAX_ATTEMPTS = 6
const ORPHAN = 'orphan'
const FOREGROUND = 'foregroundDeletion'

/** The result of a deletion. */
export interface Deletion {
  /** The object if finalizers delay its removal; otherwise its last state. */
  readonly object: ApiObject
  readonly isRemoved: boolean
}

/**
 * Removes an object, or marks it as deleted if finalizers delay the removal. 409 if a precondition
 * fails.
 */
export async function deleteObject(
  context: OperationsContext,
  request: Request,
): Promise<Deletion> {
  const { target } = request
  for (let attempt = 1; ; attempt += 1) {
    const stored = await context.storeOf(target.type).read(keyOf(target))
    if (!stored) throw objectNotFound(target.type, target.name)
    await endLongTurn()
    const object = await oneToVersion(context, target, stored)
    const deletion = await tryDelete(context, request, { stored, object })
    if (deletion) return deletion
    if (attempt === MAX_ATTEMPTS) throw objectConflict(target.type, target.name)
  }
}

interface Request {
  readonly requester: Requester
  readonly target: Target
  readonly options: DeleteOptions
}

/** Returns null if another write came first. */
async function tryDelete(
  context: OperationsContext,
  request: Request,
  old: OldState,
): Promise<Deletion | null> {
  const { requester, target, options } = request
  checkPreconditions(target, old.object, options)
  await validateAdmission(context, {
    requester,
    target,
    operation: 'DELETE',
    options,
    old: old.object,
    next: null,
  })
  const next = markDeleted(context, request, old.object)
  warnOfDeletion(context, request, old.object)
  const isRemoved = isRemovable(context, target, next)
  if (options.dryRun === true) return { object: next, isRemoved }
  if (!isRemoved && isMarked(old.object, next)) return { object: old.object, isRemoved }
  const removal = isRemoved ? old.object : next
  await endLongTurn()
  const content = await contentOf(context, target, removal)
  await endLongTurn()
  const written = await writeChange(context, { requester, target }, { old, content, isRemoved })
  return written && { object: written, isRemoved }
}

function isMarked(old: ApiObject, next: ApiObject): boolean {
  const before = old.metadata.finalizers ?? []
  const after = next.metadata.finalizers ?? []
  return old.metadata.deletionTimestamp !== undefined && before.join() === after.join()
}

function checkPreconditions(
  { type, name }: Target,
  { metadata }: ApiObject,
  { preconditions = {} }: DeleteOptions,
): void {
  const { uid, resourceVersion } = preconditions
  if (uid !== undefined && uid !== metadata.uid) {
    throw objectConflict(
      type,
      name,
      `Precondition failed: UID in precondition: ${uid}, UID in object meta: ${metadata.uid ?? ''}`,
    )
  }
  if (resourceVersion !== undefined && resourceVersion !== metadata.resourceVersion) {
    throw objectConflict(
      type,
      name,
      `Precondition failed: ResourceVersion in precondition: ${resourceVersion}, ResourceVersion in object meta: ${metadata.resourceVersion ?? ''}`,
    )
  }
}

function deleteContext(
  context: OperationsContext,
  { requester, target, options: { propagationPolicy } }: Request,
): DeleteContext {
  const circumstances = writeContext(context, requester, target)
  return { ...circumstances, ...(propagationPolicy !== undefined && { propagationPolicy }) }
}

function warnOfDeletion(context: OperationsContext, request: Request, old: ApiObject): void {
  if (old.metadata.deletionTimestamp !== undefined) return
  const strategy = nativeOf(context, request.target)?.strategy
  const warnings = strategy?.deletionWarnings?.(old, deleteContext(context, request)) ?? []
  for (const warning of warnings) request.requester.warn(warning)
}

/** The object with the finalizers of the propagation policy and the time of its deletion. */
function markDeleted(context: OperationsContext, request: Request, old: ApiObject): ApiObject {
  const { target, options } = request
  const circumstances = deleteContext(context, request)
  const version = versionOf(target.type, target.version)
  const finalizers = finalizersFor(old.metadata.finalizers ?? [], options.propagationPolicy)
  const { finalizers: _finalizers, ...metadata } = old.metadata
  const isFirst = metadata.deletionTimestamp === undefined
  const { generation = 1 } = metadata
  const marked: ApiObject = {
    ...old,
    metadata: {
      ...metadata,
      ...(finalizers.length > 0 && { finalizers }),
      ...(isFirst && {
        deletionTimestamp: timestamp(circumstances.now),
        deletionGracePeriodSeconds: 0,
        ...(hasGeneration(target.type, version) && { generation: generation + 1 }),
      }),
    },
  }
  const strategy = nativeOf(context, target)?.strategy
  return isFirst ? (strategy?.prepareDelete?.(marked, circumstances) ?? marked) : marked
}

/** Without a policy, the finalizers stay as they are. */
function finalizersFor(
  current: readonly string[],
  policy: DeleteOptions['propagationPolicy'],
): readonly string[] {
  if (policy === undefined) return current
  const others = current.filter((name) => name !== ORPHAN && name !== FOREGROUND)
  switch (policy) {
    case 'Background':
      return others
    case 'Foreground':
      return [...others, FOREGROUND]
    case 'Orphan':
      return [...others, ORPHAN]
  }
}

/** Whether a deletion in a collection may be skipped: another caller has removed the object. */
export function isGone(error: unknown): boolean {
  return error instanceof FlotillaError && error.reason === 'not-found'
}
