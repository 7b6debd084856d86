import { isJsonObject, type JsonObject, type JsonValue } from '../../../../lib/json/json.ts'
import { isSameJson } from '../../../../lib/json/same-json.ts'
import { invalidValue } from '../../../errors/field-errors.ts'
import type { ApiObject } from '../../../model/api-object.ts'
import type { FieldError } from '../../../model/field-error.ts'
import type { NativeResource, WriteContext } from '../../../model/native-resource.ts'
import { labelKeyProblems } from '../../../selectors/label-syntax.ts'
import { isCount, isQuantity } from './quantity.ts'
import { RESOURCE_QUOTA_TYPE } from './resource-quota-type.ts'

function isCounted(resource: string): boolean {
  return resource.startsWith('count/') || /^[a-z]+$/.test(resource)
}

function limitErrors(field: string, limits: JsonValue | undefined): readonly FieldError[] {
  return Object.entries(isJsonObject(limits) ? limits : {}).flatMap(([resource, quantity]) => {
    const path = `${field}[${resource}]`
    const named = labelKeyProblems(resource).map((message) => invalidValue(path, resource, message))
    if (typeof quantity !== 'string') return named
    if (!isQuantity(quantity))
      return [...named, invalidValue(path, quantity, 'must be a valid resource quantity')]
    if (quantity.startsWith('-'))
      return [...named, invalidValue(path, quantity, 'must be greater than or equal to 0')]
    return isCounted(resource) && !isCount(quantity)
      ? [...named, invalidValue(path, quantity, 'must be an integer')]
      : named
  })
}

function memberOf(object: ApiObject, part: 'spec' | 'status', member: string) {
  const value = object[part]
  return isJsonObject(value) ? value[member] : undefined
}

function validate(
  object: ApiObject,
  old: ApiObject | null,
  { subresource }: WriteContext,
): readonly FieldError[] {
  if (subresource === 'status') {
    return ['hard', 'used'].flatMap((member) =>
      limitErrors(`status.${member}`, memberOf(object, 'status', member)),
    )
  }
  const scopes = memberOf(object, 'spec', 'scopes') ?? []
  const isChanged = old !== null && !isSameJson(scopes, memberOf(old, 'spec', 'scopes') ?? [])
  return [
    ...limitErrors('spec.hard', memberOf(object, 'spec', 'hard')),
    ...(isChanged ? [invalidValue('spec.scopes', scopes, 'field is immutable')] : []),
  ]
}

/** Writes numbers as texts, as quantities are stored. */
function prepare(object: ApiObject): ApiObject {
  const { spec, status } = object
  return {
    ...object,
    ...(isJsonObject(spec) && { spec: withTexts(spec) }),
    ...(isJsonObject(status) && { status: withTexts(status) }),
  }
}

function withTexts(part: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(part).map(([member, value]) => [
      member,
      isJsonObject(value) && (member === 'hard' || member === 'used')
        ? Object.fromEntries(Object.entries(value).map(([key, item]) => [key, quantityText(item)]))
        : value,
    ]),
  )
}

function quantityText(value: JsonValue): JsonValue {
  return typeof value === 'number' ? String(value) : value
}

/** Quotas. Admission enforces their counts. */
export const RESOURCE_QUOTAS: NativeResource = {
  type: RESOURCE_QUOTA_TYPE,
  strategy: { prepareCreate: prepare, prepareUpdate: prepare, validate },
}
