import { isJsonObject, type JsonObject } from '../../../lib/json/json.ts'
import { invalidValue } from '../../errors/field-errors.ts'
import type { AccessAttributes } from '../../model/access.ts'
import type { FieldError } from '../../model/field-error.ts'
import type { UserInfo } from '../../model/user-info.ts'
import { textOf, textsOf } from '../../../lib/json/json-fields.ts'

/** The operation that a review asks about, without plane and user. */
type ReviewedOperation = Pick<AccessAttributes, 'verb' | 'resource' | 'path'>

/** Violations of the rule that a review names one operation. */
export function operationErrors(spec: JsonObject): readonly FieldError[] {
  const { resourceAttributes, nonResourceAttributes } = spec
  const hasResource = isJsonObject(resourceAttributes)
  const hasPath = isJsonObject(nonResourceAttributes)
  if (hasResource && hasPath) {
    const detail = 'cannot be specified in combination with resourceAttributes'
    return [invalidValue('spec.nonResourceAttributes', nonResourceAttributes, detail)]
  }
  if (hasResource || hasPath) return []
  const detail = 'exactly one of nonResourceAttributes or resourceAttributes must be specified'
  return [invalidValue('spec.resourceAttributes', null, detail)]
}

/** Reads the operation of a valid review. */
export function reviewedOperation(spec: JsonObject): ReviewedOperation {
  const { resourceAttributes, nonResourceAttributes } = spec
  if (!isJsonObject(resourceAttributes)) {
    const attributes = isJsonObject(nonResourceAttributes) ? nonResourceAttributes : {}
    return { verb: textOf(attributes['verb']), resource: null, path: textOf(attributes['path']) }
  }
  const text = (member: string): string => textOf(resourceAttributes[member])
  return {
    verb: text('verb'),
    resource: {
      group: text('group'),
      version: text('version') || '*',
      plural: text('resource'),
      subresource: text('subresource'),
      namespace: text('namespace'),
      name: text('name'),
    },
    path: '',
  }
}

/** The user that a review asks about. Its extra fields decide nothing. */
export function reviewedUser(spec: JsonObject): UserInfo {
  return {
    name: textOf(spec['user']),
    uid: textOf(spec['uid']),
    groups: textsOf(spec['groups']),
    extra: {},
  }
}

/** A user as reviews show it. */
export function userInfoJson({ name, uid, groups, extra }: UserInfo): JsonObject {
  return {
    username: name,
    ...(uid !== '' && { uid }),
    groups,
    ...(Object.keys(extra).length > 0 && { extra }),
  }
}
