import { isJsonObject, type JsonObject } from '../../../lib/json/json.ts'
import { invalidValue } from '../../errors/field-errors.ts'
import { objectInvalid } from '../../errors/failures.ts'
import type { AccessAttributes, PlaneAuthorizer } from '../../model/access.ts'
import type { ApiObject } from '../../model/api-object.ts'
import type { FieldError } from '../../model/field-error.ts'
import type { NativeResource, WriteContext } from '../../model/native-resource.ts'
import type { ResourceType } from '../../model/resource-type.ts'
import type { UserInfo } from '../../model/user-info.ts'
import {
  LOCAL_SUBJECT_ACCESS_REVIEW_TYPE,
  SELF_SUBJECT_ACCESS_REVIEW_TYPE,
  SUBJECT_ACCESS_REVIEW_TYPE,
} from '../../native/reviews/authorization-types.ts'
import { describeDenial } from '../denial.ts'
import { operationErrors, reviewedOperation, reviewedUser } from './review-attributes.ts'
import { textOf } from '../../../lib/json/json-fields.ts'

/** The reviews of one operation: of the caller, of any user, and of any user in a namespace. */
export function createAccessReviews(authorizer: PlaneAuthorizer): readonly NativeResource[] {
  const reviewOf =
    (type: ResourceType, check: Check): NonNullable<NativeResource['review']> =>
    async (object, context) => {
      const spec = isJsonObject(object['spec']) ? object['spec'] : {}
      const { user, errors } = check(spec, object, context)
      const all = [...operationErrors(spec), ...errors]
      if (all.length > 0) throw objectInvalid(type, '', all)
      const operation = reviewedOperation(spec)
      const attributes = { plane: context.plane, user, ...operation }
      return { ...object, status: await statusOf(authorizer, attributes) }
    }
  return CHECKS.map(([type, check]) => ({ type, review: reviewOf(type, check) }))
}

/** Finds the user of a review and the violations of its specific rules. */
type Check = (
  spec: JsonObject,
  object: ApiObject,
  context: WriteContext,
) => { readonly user: UserInfo; readonly errors: readonly FieldError[] }

const CHECKS: readonly (readonly [ResourceType, Check])[] = [
  [SELF_SUBJECT_ACCESS_REVIEW_TYPE, (_spec, _object, { user }) => ({ user, errors: [] })],
  [
    SUBJECT_ACCESS_REVIEW_TYPE,
    (spec) => {
      const user = reviewedUser(spec)
      return { user, errors: userErrors(user) }
    },
  ],
  [
    LOCAL_SUBJECT_ACCESS_REVIEW_TYPE,
    (spec, object) => {
      const user = reviewedUser(spec)
      return { user, errors: [...userErrors(user), ...namespaceErrors(spec, object)] }
    },
  ],
]

function userErrors({ name, groups }: UserInfo): readonly FieldError[] {
  if (name !== '' || groups.length > 0) return []
  return [invalidValue('spec.user', '', 'at least one of user or group must be specified')]
}

function namespaceErrors(spec: JsonObject, { metadata }: ApiObject): readonly FieldError[] {
  const { resourceAttributes, nonResourceAttributes } = spec
  if (isJsonObject(nonResourceAttributes)) {
    const detail = 'disallowed on this kind of request'
    return [invalidValue('spec.nonResourceAttributes', nonResourceAttributes, detail)]
  }
  const namespace = isJsonObject(resourceAttributes) ? textOf(resourceAttributes['namespace']) : ''
  if (namespace === (metadata.namespace ?? '')) return []
  const field = 'spec.resourceAttributes.namespace'
  return [invalidValue(field, namespace, 'must match metadata.namespace')]
}

/** Reasons of denials repeat the operation. The status omits that part, as in Kubernetes. */
async function statusOf(
  authorizer: PlaneAuthorizer,
  attributes: AccessAttributes,
): Promise<JsonObject> {
  const { allowed, reason } = await authorizer.authorize(attributes)
  const denial = describeDenial(attributes)
  const shown = reason.startsWith(denial) ? reason.slice(denial.length).replace(/^: /, '') : reason
  return { allowed, ...(shown !== '' && { reason: shown }) }
}
