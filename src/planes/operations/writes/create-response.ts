import type { ApiObject } from '../../model/api-object.ts'
import type { NativeResource } from '../../model/native-resource.ts'
import { methodNotSupported, objectInvalid } from '../../errors/failures.ts'
import { objectErrors } from '../../schemas/object-errors.ts'
import { withIdentity } from '../input/check-identity.ts'
import type { OperationsContext } from '../context.ts'
import { processInput } from '../input/process-input.ts'
import { readObject } from '../reads/read-object.ts'
import { versionOf } from '../versioned-object.ts'
import { writeContext } from '../write-context.ts'
import type { ObjectRequest } from '../write-request.ts'

/** Answers the creation of an object that is not stored, such as a review. */
export async function createReview(
  context: OperationsContext,
  review: NonNullable<NativeResource['review']>,
  { requester, target, input, options }: ObjectRequest,
): Promise<ApiObject> {
  const { type, version } = target
  // Go clients send an empty status, which may violate its schema.
  const { status: _status, ...asked } = withIdentity(input, target)
  const object = await processInput(asked, { requester, target, options })
  const errors = await objectErrors(object, null, versionOf(type, version).schema)
  if (errors.length > 0) throw objectInvalid(type, object.metadata.name ?? '', errors)
  return review(object, writeContext(context, requester, target))
}

/** Passes a POST on a subresource to its handler. */
export async function createSubresource(
  context: OperationsContext,
  native: NativeResource | null,
  { requester, target, input, options }: ObjectRequest,
): Promise<ApiObject> {
  const handler = native?.subresources?.[target.subresource]
  if (!handler) throw methodNotSupported(target.type, 'create')
  const object = await readObject(context, { ...target, subresource: '' })
  return handler({
    context: writeContext(context, requester, target),
    object,
    body: input,
    dryRun: options.dryRun === true,
  })
}
