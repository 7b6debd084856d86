import { stepsInTurns } from '../../../lib/async/steps.ts'
import { applyPatch } from '../../patches/apply-patch.ts'
import { jsonPatchBodyInSteps } from '../../patches/json-patch-body.ts'
import { reportDuplicates } from '../../patches/report-duplicates.ts'
import { applyObject, type Patched, type PatchRequest } from './apply-object.ts'
import { changeObject } from './change-object.ts'
import type { OperationsContext } from '../context.ts'
import { requireObject } from '../require-object.ts'
import { versionOf } from '../versioned-object.ts'

/** Patches an object. A patch without a resource version is tried again after other writes. */
export async function patchObject(
  context: OperationsContext,
  request: PatchRequest,
): Promise<Patched> {
  const { requester, target, patch, options } = request
  if (patch.type === 'apply') return applyObject(context, request)
  reportDuplicates(patch, options, requester)
  const { schema } = versionOf(target.type, target.version)
  const object = await changeObject(context, {
    requester,
    target,
    options,
    changed: async (old) => {
      const isJson = patch.type === 'json'
      const patched = isJson
        ? await stepsInTurns(jsonPatchBodyInSteps(old, patch.body))
        : applyPatch(old, patch, schema)
      return requireObject(patched)
    },
  })
  return { object, isNew: false }
}
