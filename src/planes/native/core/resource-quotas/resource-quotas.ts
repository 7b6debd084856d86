import {
  isJsonNumber,
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from '../../../../lib/json/json.ts'
import { isSameJson } from '../../../../lib/json/same-json.ts'
import { invalidValue } from '../../../errors/field-errors.ts'
import type { ApiObject } from '../../../model/api-object.ts'
import type { FieldError } from '../../../model/field-error.ts'
import type { NativeResource, WriteContext } from '../../../model/native-resource.ts'
import { parseQuantity } from '../../../expressions/quantity.ts'
import { labelKeyProblems } from '../../../selectors/label-syntax.ts'
import { RESOURCE_QUOTA_TYPE } from './resource-quota-type.ts'

/** Resources whose quantity is a number of objects, besides those with a prefix such as `count/`. */
const COUNTED: ReadonlySet<string> = new Set([
  'configmaps',
  'persistentvolumeclaims',
  'pods',
  'replicationcontrollers',
  'resourcequotas',
  'secrets',
  'services',
  'services.loadbalancers',
  'services.nodeports',
])

const MAX_LENGTH = 64
const NANOS_PER_UNIT = 1_000_000_000n

function isCounted(resource: string): boolean {
  return COUNTED.has(resource) || (resource.includes('/') && !resource.startsWith('requests.'))
}

function limitErrors(field: string, limits: JsonValue | undefined): readonly FieldError[] {
  return Object.entries(isJsonObject(limits) ? limits : {}).flatMap(([resource, quantity]) => {
    const path = `${field}[${resource}]`
    const named = labelKeyProblems(resource).map((message) => invalidValue(path, resource, message))
    if (typeof quantity !== 'string') return named
    const parsed = quantity.length > MAX_LENGTH ? null : parseQuantity(quantity)
    if (parsed === null)
      return [...named, invalidValue(path, quantity, 'must be a valid resource quantity')]
    if (parsed.nanos < 0n)
      return [...named, invalidValue(path, quantity, 'must be greater than or equal to 0')]
    return isCounted(resource) && parsed.nanos % NANOS_PER_UNIT !== 0n
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

/** Watches send the stored status, so a new limit replaces the one in it. */
function prepareUpdate(object: ApiObject, _old: ApiObject, { subresource }: WriteContext) {
  const prepared = prepare(object)
  const { status } = prepared
  if (subresource === 'status' || !isJsonObject(status)) return prepared
  return { ...prepared, status: { ...status, hard: memberOf(prepared, 'spec', 'hard') ?? {} } }
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
  return isJsonNumber(value) ? String(value) : value
}

/** Quotas. Admission enforces their counts. */
export const RESOURCE_QUOTAS: NativeResource = {
  type: RESOURCE_QUOTA_TYPE,
  strategy: { prepareCreate: prepare, prepareUpdate, validate },
}
