import { isJsonObject, type JsonObject, type JsonValue } from '../../lib/json/json.ts'
import { numberOf, objectOf, textOf } from '../../lib/json/json-fields.ts'
import {
  forbiddenValue,
  invalidValue,
  requiredValue,
  unsupportedValue,
} from '../errors/field-errors.ts'
import type { ApiObject } from '../model/api-object.ts'
import type { FieldError } from '../model/field-error.ts'
import { EXEMPT, MANDATORY_LEVELS } from './default-objects.ts'
import { fixedSpecErrors, rangeErrors } from './object-errors.ts'

const MAX_QUEUES = 10_000_000
/** The bits of a hash that assigns a flow to its queues. */
const MAX_HASH_BITS = 60

/** The violations of a priority level. */
export function priorityLevelErrors(level: ApiObject): readonly FieldError[] {
  const { name = '' } = level.metadata
  const spec = objectOf(level['spec'])
  const type = textOf(spec['type'])
  const isExempt = type === 'Exempt'
  const mismatch = "type must be 'Exempt' if and only if `name` is 'exempt'"
  return [
    ...(isExempt === (name === EXEMPT) ? [] : [invalidValue('spec.type', type, mismatch)]),
    ...(isExempt ? exemptErrors(spec) : type === 'Limited' ? limitedErrors(spec) : []),
    ...(isExempt || type === 'Limited'
      ? []
      : [unsupportedValue('spec.type', type, ['Exempt', 'Limited'])]),
    ...fixedErrors(level),
  ]
}

/** The fields of `exempt` may change, although they have no effect. */
function fixedErrors(level: ApiObject): readonly FieldError[] {
  const { name = '' } = level.metadata
  const fixed = MANDATORY_LEVELS.get(name)
  if (fixed === undefined || name !== EXEMPT) return fixedSpecErrors(level, fixed)
  const { exempt: _exempt, ...others } = objectOf(level['spec'])
  return fixedSpecErrors({ ...level, spec: others }, { type: 'Exempt' })
}

function exemptErrors({ limited, exempt }: JsonObject): readonly FieldError[] {
  return [
    ...(isJsonObject(limited)
      ? [forbiddenValue('spec.limited', 'must be nil if the type is not Limited')]
      : []),
    ...shareErrors('spec.exempt', objectOf(exempt)),
  ]
}

function limitedErrors({ limited, exempt }: JsonObject): readonly FieldError[] {
  const field = 'spec.limited'
  const forbidden = isJsonObject(exempt)
    ? [forbiddenValue('spec.exempt', 'must be nil if the type is Limited')]
    : []
  if (!isJsonObject(limited)) {
    return [...forbidden, requiredValue(field, 'must not be empty when type is Limited')]
  }
  const borrowing = { min: 0, detail: 'if specified, must be a non-negative integer' }
  return [
    ...forbidden,
    ...shareErrors(field, limited),
    ...rangeErrors(`${field}.borrowingLimitPercent`, limited['borrowingLimitPercent'], borrowing),
    ...responseErrors(`${field}.limitResponse`, objectOf(limited['limitResponse'])),
  ]
}

function shareErrors(field: string, limits: JsonObject): readonly FieldError[] {
  const { nominalConcurrencyShares, lendablePercent } = limits
  const lendable = { min: 0, max: 100, detail: 'must be between 0 and 100, inclusive' }
  return [
    ...rangeErrors(`${field}.nominalConcurrencyShares`, nominalConcurrencyShares, {
      min: 0,
      detail: 'must be a non-negative integer',
    }),
    ...rangeErrors(`${field}.lendablePercent`, lendablePercent, lendable),
  ]
}

function responseErrors(field: string, { type, queuing }: JsonObject): readonly FieldError[] {
  switch (type) {
    case 'Reject':
      return isJsonObject(queuing)
        ? [
            forbiddenValue(
              `${field}.queuing`,
              'must be nil if limited.limitResponse.type is not Limited',
            ),
          ]
        : []
    case 'Queue':
      return queuingErrors(`${field}.queuing`, queuing)
    default:
      return [unsupportedValue(`${field}.type`, textOf(type), ['Queue', 'Reject'])]
  }
}

function queuingErrors(field: string, queuing: JsonValue | undefined): readonly FieldError[] {
  if (!isJsonObject(queuing)) {
    const detail = 'must not be empty if limited.limitResponse.type is Limited'
    return [requiredValue(field, detail)]
  }
  const positive = { min: 1, detail: 'must be positive' }
  const { queues, queueLengthLimit } = queuing
  const most = `must not be greater than ${MAX_QUEUES}`
  return [
    ...rangeErrors(`${field}.queueLengthLimit`, queueLengthLimit, positive),
    ...rangeErrors(`${field}.queues`, queues, positive),
    ...rangeErrors(`${field}.queues`, queues, { min: -Infinity, max: MAX_QUEUES, detail: most }),
    ...handErrors(`${field}.handSize`, numberOf(queuing['handSize']), numberOf(queues)),
  ]
}

function handErrors(field: string, handSize: number, queues: number): readonly FieldError[] {
  if (handSize <= 0) return [invalidValue(field, handSize, 'must be positive')]
  if (handSize > queues) {
    return [invalidValue(field, handSize, `should not be greater than queues (${queues})`)]
  }
  if (Math.ceil(Math.log2(queues) * handSize) <= MAX_HASH_BITS) return []
  const detail = `required entropy bits of deckSize ${queues} and handSize ${handSize} should not be greater than ${MAX_HASH_BITS}`
  return [invalidValue(field, handSize, detail)]
}
