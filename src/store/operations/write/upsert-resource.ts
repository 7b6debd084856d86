import { FlotillaError } from '../../../lib/errors.ts'
import { retry } from '../../../lib/async/retry.ts'
import type { Resource } from '../../model/resource.ts'
import type { Desired } from '../../model/resource-fields.ts'
import { findIdByName } from '../../resources/find-id-by-name.ts'
import { type Context, WRITE_ATTEMPTS } from '../context.ts'
import { createResource } from './create-resource.ts'
import type { Creation } from './new-resource.ts'
import { patchResource } from './patch-resource.ts'
import type { Precondition } from './precondition.ts'

export interface Upsert {
  /** Declares the whole state of a new resource. */
  readonly creation: Creation
  /** The state of an existing resource after the replacement. */
  readonly replace: (current: Desired) => Desired
  /** Of a replacement. */
  readonly precondition: Precondition
  /** Whether the request only replaces, only creates, or does either. */
  readonly allowed: 'replace' | 'create' | 'both'
}

export interface UpsertOutcome {
  readonly result: 'created' | 'replaced' | 'unchanged'
  readonly resource: Resource
}

/**
 * Creates a resource, or replaces the state of the live resource with its name. Callers that race
 * for a new name all succeed: one creates the resource, and the others replace it. Fails like
 * `createResource` and `patchResource` otherwise, and with `precondition-failed` if the operation
 * that is needed is not allowed.
 */
export async function upsertResource(context: Context, upsert: Upsert): Promise<UpsertOutcome> {
  const outcome = await retry(WRITE_ATTEMPTS, null, () => attempt(context, upsert))
  if (outcome) return outcome
  const { kind, name } = upsert.creation
  throw new FlotillaError(
    'conflict',
    `${kind.kind} with name='${name}' was created and deleted repeatedly during the request: send it again`,
  )
}

/** Null if another resource got the name, or the one that had it was deleted. */
async function attempt(context: Context, upsert: Upsert): Promise<UpsertOutcome | null> {
  const { creation, allowed } = upsert
  const id = await idOf(context, creation)
  if (id !== null) {
    if (allowed === 'create') throw nameExists(creation)
    return replace(context, upsert, id)
  }
  if (allowed === 'replace') throw nameMissing(creation)
  return create(context, creation)
}

function idOf({ database }: Context, creation: Creation): Promise<string | null> {
  const { tenant, kind, ownerId, name } = creation
  return findIdByName(database, { tenant, kind: kind.kind, ownerId, name })
}

async function create(context: Context, creation: Creation): Promise<UpsertOutcome | null> {
  try {
    const outcome = await createResource(context, creation)
    return 'created' in outcome ? { result: 'created', resource: outcome.created } : null
  } catch (error) {
    if (error instanceof FlotillaError && error.reason === 'already-exists') return null
    throw error
  }
}

async function replace(
  context: Context,
  { creation, replace: change, precondition }: Upsert,
  id: string,
): Promise<UpsertOutcome | null> {
  const { tenant, kind, ownerId, caller } = creation
  try {
    const patch = { change, precondition, caller }
    const { resource, isChanged } = await patchResource(
      context,
      { tenant, kind, id, ownerId },
      patch,
    )
    return { result: isChanged ? 'replaced' : 'unchanged', resource }
  } catch (error) {
    if (!isLostRace(error) || (await idOf(context, creation)) === id) throw error
    return null
  }
}

/** Whether the resource may have been deleted since it was found. */
function isLostRace(error: unknown): boolean {
  return (
    error instanceof FlotillaError &&
    ['not-found', 'state-conflict', 'precondition-failed'].includes(error.reason)
  )
}

function nameExists({ kind, name }: Creation): FlotillaError {
  return new FlotillaError(
    'precondition-failed',
    `${kind.kind} with name='${name}' already exists, and If-None-Match allows only a new one`,
  )
}

function nameMissing({ kind, name }: Creation): FlotillaError {
  return new FlotillaError(
    'precondition-failed',
    `${kind.kind} with name='${name}' does not exist, and If-Match allows only an existing one`,
  )
}
