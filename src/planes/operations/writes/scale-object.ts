import { must } from '../../../lib/assert.ts'
import { scaleOf, withScale } from '../../definitions/scale.ts'
import { unsupportedMediaType } from '../../errors/failures.ts'
import type { ApiObject } from '../../model/api-object.ts'
import type { Target } from '../../model/object-operations.ts'
import type { ScalePaths } from '../../model/resource-type.ts'
import type { Schema } from '../../model/schema.ts'
import { applyPatch } from '../../patches/apply-patch.ts'
import type { PatchRequest } from './apply-object.ts'
import { changeObject } from './change-object.ts'
import type { OperationsContext } from '../context.ts'
import { readObject } from '../reads/read-object.ts'
import type { RevisionOptions } from '../reads/required-revision.ts'
import { requireObject } from '../require-object.ts'
import { versionOf } from '../versioned-object.ts'
import type { ObjectRequest, WriteRequest } from '../write-request.ts'

const SCALE_SCHEMA: Schema = { type: 'object' }

/** Whether a request is for the scale of an object. */
export function isScale({ subresource }: Target): boolean {
  return subresource === 'scale'
}

/** Reads the scale of an object. */
export async function readScale(
  context: OperationsContext,
  target: Target,
  options: RevisionOptions,
): Promise<ApiObject> {
  return scaleOf(await readObject(context, target, options), pathsOf(target))
}

/** Sets the number of replicas of an object to that of a scale. */
export function updateScale(
  context: OperationsContext,
  { input, ...request }: ObjectRequest,
): Promise<ApiObject> {
  return changeScale(context, request, () => input)
}

/** Patches the scale of an object. */
export function patchScale(
  context: OperationsContext,
  { patch, ...request }: PatchRequest,
): Promise<ApiObject> {
  if (patch.type === 'apply') {
    throw unsupportedMediaType('the scale of an object does not support apply')
  }
  return changeScale(context, request, (scale) =>
    requireObject(applyPatch(scale, patch, SCALE_SCHEMA)),
  )
}

async function changeScale(
  context: OperationsContext,
  { requester, target, options }: WriteRequest,
  changed: (scale: ApiObject) => ApiObject,
): Promise<ApiObject> {
  const paths = pathsOf(target)
  // The text of the request describes the scale, not the object.
  const { text: _text, ...others } = options
  const object = await changeObject(context, {
    requester,
    target,
    options: others,
    changed: (old) => withScale(old, changed(scaleOf(old, paths)), paths),
  })
  return scaleOf(object, paths)
}

function pathsOf({ type, version }: Target): ScalePaths {
  return must(versionOf(type, version).scale, 'the paths of the scale')
}
