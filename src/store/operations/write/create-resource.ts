import { FlotillaError } from '../../../lib/errors.ts'
import { unreachable } from '../../../lib/assert.ts'
import type { JsonObject } from '../../../lib/json/json.ts'
import { retry } from '../../../lib/async/retry.ts'
import type { Resource } from '../../model/resource.ts'
import type { StoredResponse } from '../../idempotency/find-response.ts'
import type { IdempotencyKey } from '../../idempotency/idempotency-key.ts'
import { insertResource, type InsertOutcome } from '../../resources/insert/insert-resource.ts'
import { insertResourceWith } from '../../resources/insert/insert-resource-with.ts'
import { isStorableText } from '../../database/storable-text.ts'
import { type Creation, newResource } from './new-resource.ts'
import { nameTaken, parentBeingDeleted } from './write-failures.ts'
import { type Context, WRITE_ATTEMPTS } from '../context.ts'
import { parentNotFound } from '../read/require-parent.ts'
import { replayResponse } from './replay-response.ts'
import { referencesOf, rejectDeletedTargets, rejectMissingTargets } from './references.ts'

/** Makes a create idempotent: a repeated request gets the first response. */
export interface Once extends IdempotencyKey {
  /** The response body for the created resource, which repeats return. */
  readonly answerOf: (resource: Resource) => JsonObject
}

/** A created resource, or the recorded response to an earlier create with the same key. */
export type CreateOutcome = { readonly created: Resource } | { readonly replayed: StoredResponse }

/**
 * Creates a resource. Fails with `not-found` if the parent does not exist, `invalid` if a target of
 * its references does not exist, `state-conflict` if one of these is being deleted,
 * `already-exists` if the name is taken, and `unprocessable` if the idempotency key was used with
 * another body.
 */
export async function createResource(
  context: Context,
  creation: Creation,
  once: Once | null = null,
): Promise<CreateOutcome> {
  const outcome = await retry(WRITE_ATTEMPTS, null, () => attempt(context, creation, once))
  if (outcome) return outcome
  throw new FlotillaError(
    'unavailable',
    'The create collided with other writes too often: send it again',
  )
}

/** Null if a concurrent write used the key or changed a target: the caller tries again. */
async function attempt(
  context: Context,
  creation: Creation,
  once: Once | null,
): Promise<CreateOutcome | null> {
  const { database } = context
  const now = context.clock()
  const resource = newResource(now, creation)
  if (!isStorableText(resource.ownerId)) throw parentNotFound(creation.kind, resource.ownerId)
  const replayed = once && (await replayResponse(database, once))
  if (replayed) return { replayed }
  const outcome = await insert(context, resource, once)
  if (outcome !== null && typeof outcome === 'object') {
    return attempt(context, { ...creation, ...outcome }, once)
  }
  switch (outcome) {
    case 'inserted':
      context.feed.sequencer.notifyWrite()
      return { created: resource }
    case 'parent-missing':
      throw parentNotFound(creation.kind, resource.ownerId)
    case 'parent-deleted':
      throw parentBeingDeleted(creation.kind, resource.ownerId)
    case 'name-taken': {
      // The name may belong to a concurrent create with the same key.
      const sent = once && (await replayResponse(database, once))
      if (sent) return { replayed: sent }
      throw nameTaken(resource)
    }
    case null:
      return null
    default:
      return unreachable(outcome)
  }
}

/** Null if the statement collided with another one. Reports missing targets before deleted ones. */
async function insert(
  { database, registry, insertBatches }: Context,
  resource: Resource,
  once: Once | null,
): Promise<InsertOutcome | null> {
  const kind = registry.byName(resource.kind)
  const parentKind = kind.parent?.kind ?? null
  const references = referencesOf(kind, resource.refs)
  if (once === null && references.length === 0) {
    if (insertBatches !== null) return insertBatches({ resource, parentKind })
    return insertResource(database, resource, parentKind)
  }
  const result = await insertResourceWith(database, resource, {
    parentKind,
    targets: references,
    idempotency: once && { ...once, response: once.answerOf(resource) },
  })
  if (result === null) return null
  const { outcome, targets } = result
  rejectMissingTargets(references, targets)
  if (outcome === 'name-taken') rejectDeletedTargets(references, targets)
  return outcome
}
