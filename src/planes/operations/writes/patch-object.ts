import { stepsInTurns } from '../../../lib/async/steps.ts'
import { patchInSteps } from '../../patches/apply-patch.ts'
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
    changed: async (old) => requireObject(await stepsInTurns(patchInSteps(old, patch, schema))),
  })
  return { object, isNew: false }
}
