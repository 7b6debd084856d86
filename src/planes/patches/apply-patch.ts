import { mergePatchInSteps } from '../../http/patching/merge-patch.ts'
import { assert, unreachable } from '../../lib/assert.ts'
import { allSteps, type Steps } from '../../lib/async/steps.ts'
import { isJsonObject, type JsonObject } from '../../lib/json/json.ts'
import type { ObjectPatch } from '../model/object-operations.ts'
import type { Schema } from '../model/schema.ts'
import { jsonPatchBodyInSteps } from './json-patch-body.ts'
import { malformedPatch } from './patch-failure.ts'
import { strategicMergePatch } from './strategic-merge.ts'

/**
 * Applies a patch of any type except `apply` to a copy of the object. Throws 400 if the patch is
 * malformed and 422 if it does not fit the object. The schema is that of the whole object.
 */
export function applyPatch(
  current: JsonObject,
  patch: Pick<ObjectPatch, 'type' | 'body'>,
  schema: Schema,
): JsonObject {
  return allSteps(patchInSteps(current, patch, schema))
}

/** The same in steps. */
export function* patchInSteps(
  current: JsonObject,
  { type, body }: Pick<ObjectPatch, 'type' | 'body'>,
  schema: Schema,
): Steps<JsonObject> {
  if (type === 'json') return yield* jsonPatchBodyInSteps(current, body)
  if (!isJsonObject(body)) throw malformedPatch('a merge patch must be an object')
  switch (type) {
    case 'merge': {
      const merged = yield* mergePatchInSteps(current, body)
      assert(isJsonObject(merged), 'a merged object is an object')
      return merged
    }
    case 'strategic':
      return strategicMergePatch(current, body, schema)
    case 'apply':
      throw new Error('server-side apply is not a patch of the object')
    default:
      return unreachable(type)
  }
}
