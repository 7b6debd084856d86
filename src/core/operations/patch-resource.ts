import { isDeepStrictEqual } from 'node:util'
import { FlotillaError, notFound } from '../../lib/errors.ts'
import type { JsonObject } from '../../lib/json.ts'
import { retry } from '../../lib/retry.ts'
import type { AdapterState } from '../model/report.ts'
import type { Resource } from '../model/resource.ts'
import { synthesize } from '../status/synthesize.ts'
import { readForUpdate } from '../storage/read-for-update.ts'
import { updateResource } from '../storage/update-resource.ts'
import { type Context, WRITE_ATTEMPTS } from './context.ts'
import { keyOf, readResource, type Target } from './read-resource.ts'

/** Members that are there replace the resource's whole value. */
export interface Patch {
  readonly spec?: JsonObject
  readonly labels?: Readonly<Record<string, string>>
  /** The caller's identity. */
  readonly actor: string
}

/**
 * Changes what is desired. A changed spec raises the generation and recomputes the conditions in
 * the same commit; nothing is written where nothing changes. A race with another writer is
 * decided anew on what that one left.
 */
export async function patchResource(
  context: Context,
  target: Target,
  patch: Patch,
): Promise<Resource> {
  const done = await context.writes.run(target.id, () =>
    retry(WRITE_ATTEMPTS, false, () => attempt(context, target, patch)),
  )
  if (!done) {
    throw new FlotillaError('CNF-002', `${target.kind.kind} with id='${target.id}' kept changing`)
  }
  return readResource(context, target)
}

/** False where the resource changed between read and write. */
async function attempt(context: Context, target: Target, patch: Patch): Promise<boolean> {
  const found = await readForUpdate(context.database, keyOf(target))
  if (!found) throw notFound(target.kind.kind, target.id)
  const { resource, states } = found
  const spec = patch.spec ?? resource.spec
  const labels = patch.labels ?? resource.labels
  const specChanged = !sameJson(spec, resource.spec)
  const labelsChanged = !sameJson(labels, resource.labels)
  if (!specChanged && !labelsChanged) return true
  const now = context.clock()
  const next: Resource = {
    ...resource,
    spec,
    labels,
    version: resource.version + 1n,
    updatedTime: now,
    updatedBy: patch.actor,
  }
  const bumped = specChanged || context.labelsBumpGeneration
  return updateResource(
    context.database,
    bumped ? atNextGeneration(target, next, states, now) : next,
    resource.version,
  )
}

function atNextGeneration(
  { kind }: Target,
  resource: Resource,
  states: readonly AdapterState[],
  now: Date,
): Resource {
  const generation = resource.generation + 1
  const conditions = synthesize({
    kind,
    required: kind.requiredAdapters,
    generation,
    previous: resource.conditions,
    reports: states,
    cause: 'spec-change',
    now,
  })
  return { ...resource, generation, conditions }
}

/** Equality of JSON values as they are stored: the sign of a zero is not. */
function sameJson(a: JsonObject, b: JsonObject): boolean {
  return isDeepStrictEqual(JSON.parse(JSON.stringify(a)), b)
}
