import { randomInt } from 'node:crypto'
import { endLongTurn } from '../../../lib/async/steps.ts'
import type { ObjectWrite } from '../../../store/objects/model/object-write.ts'
import { DEFINITIONS_RESOURCE } from '../../definitions/type-registry.ts'
import {
  alreadyExists,
  badRequest,
  methodNotSupported,
  objectInvalid,
} from '../../errors/failures.ts'
import type { ApiObject } from '../../model/api-object.ts'
import type { Requester, Target } from '../../model/object-operations.ts'
import { limitOf, mutateObject, validateAdmission } from '../admit-object.ts'
import { withIdentity } from '../input/check-identity.ts'
import { createReview, createSubresource } from './create-response.ts'
import { dryRunCreate } from './dry-run-create.ts'
import type { OperationsContext } from '../context.ts'
import { manageFields } from '../input/manage-fields.ts'
import { companionContents, contentOf } from '../input/object-content.ts'
import { prepareCreate } from './prepare-create.ts'
import { requireLeastSize } from '../input/require-size.ts'
import { requireWritten } from './require-written.ts'
import { validateObject } from '../input/validate-object.ts'
import { oneToVersion } from '../versioned-object.ts'
import { warnOfObject } from '../input/warn-of-object.ts'
import { nativeOf, writeContext } from '../write-context.ts'
import type { ObjectRequest } from '../write-request.ts'

const MAX_ATTEMPTS = 8
const SUFFIX_LENGTH = 5
/** Without vowels and similar characters, so that no words appear. */
const SUFFIX_ALPHABET = 'bcdfghjklmnpqrstvwxz2456789'
const MAX_GENERATED_PREFIX = 58

/** The creation of an object. */
interface Creation extends ObjectRequest {
  /** Whether the object already has the managed fields of an apply. */
  readonly isApply?: boolean
}

/** Creates an object. A name that the server generates is tried up to 8 times. */
export async function createObject(
  context: OperationsContext,
  { requester, target, input, options, isApply = false }: Creation,
): Promise<ApiObject> {
  const native = nativeOf(context, target)
  const request = { requester, target, input, options }
  if (target.subresource !== '') return createSubresource(context, native, request)
  if (native?.review) return createReview(context, native.review, request)
  if (target.name !== '') throw methodNotSupported(target.type, 'create')
  if ((input.metadata.resourceVersion ?? '') !== '') {
    throw badRequest('resourceVersion should not be set on objects to be created')
  }
  const identified = withIdentity(input, target)
  await endLongTurn()
  for (let attempt = 1; ; attempt += 1) {
    const named = withName(identified)
    const isGenerated = named !== identified
    await endLongTurn()
    const created = await tryCreate(context, { requester, target, input: named, options, isApply })
    if (created) return created
    if (!isGenerated || attempt === MAX_ATTEMPTS) {
      throw alreadyExists(target.type, named.metadata.name ?? '')
    }
  }
}

/** Adds a random suffix to `generateName` if the object has no name. */
function withName(object: ApiObject): ApiObject {
  const { name, generateName } = object.metadata
  // The input is not validated yet: Go clients send null for absent members.
  if ((name ?? '') !== '' || typeof generateName !== 'string' || generateName === '') return object
  const suffix = Array.from({ length: SUFFIX_LENGTH }, () =>
    SUFFIX_ALPHABET.charAt(randomInt(SUFFIX_ALPHABET.length)),
  ).join('')
  const generated = generateName.slice(0, MAX_GENERATED_PREFIX) + suffix
  return { ...object, metadata: { ...object.metadata, name: generated } }
}

/** Returns null if an object with this name exists. */
async function tryCreate(
  context: OperationsContext,
  { requester, target, input, options, isApply = false }: Creation,
): Promise<ApiObject | null> {
  const { type } = target
  const circumstances = writeContext(context, requester, target)
  const prepared = await prepareCreate(
    context,
    { requester, target, options, input },
    circumstances,
  )
  await endLongTurn()
  const admission = { requester, target, operation: 'CREATE', options, old: null } as const
  const mutated = await mutateObject(context, { ...admission, next: prepared })
  const { now } = circumstances
  await endLongTurn()
  requireLeastSize(mutated, target, { ownsFields: !isApply })
  const next = await manageFields({ target, options, now, isApply }, null, mutated)
  const name = next.metadata.name ?? ''
  const errors = await validateObject(context, { target, next, old: null }, circumstances)
  if (errors.length > 0) throw objectInvalid(type, name, errors)
  await endLongTurn()
  await validateAdmission(context, { ...admission, next })
  warnOfObject(context, { requester, target, next, old: null }, circumstances)
  if (options.dryRun === true) {
    return dryRunCreate(context, { ...target, name }, next)
  }
  const limit = await limitOf(context, { ...admission, next })
  await endLongTurn()
  const content = await contentOf(context, target, next)
  await endLongTurn()
  const outcome = await context.storeOf(type).write(
    {
      type: 'create',
      ...content,
      requireNamespace: type.namespaced,
      ...fenceOf(requester, target),
      ...(limit && { maxObjects: limit.max }),
      companions: companionContents(context, { target, next }, circumstances),
    },
    requester.user,
  )
  if (outcome.status === 'exists') return null
  if (outcome.status === 'limit-exceeded' && limit) throw await limit.exceeded()
  const written = requireWritten(outcome, target, name)
  const stored = { ...content.key, ...content, revision: written.revision }
  return oneToVersion(context, target, written.object ?? stored)
}

/** An instance is created only while its definition exists, also if the plane is reset. */
function fenceOf(
  { fence }: Requester,
  { plane, type: { definition } }: Target,
): Pick<ObjectWrite, 'fence'> {
  if (fence) return { fence }
  if (!definition) return {}
  const { name, uid } = definition
  return { fence: { key: { plane, resource: DEFINITIONS_RESOURCE, namespace: '', name }, uid } }
}
