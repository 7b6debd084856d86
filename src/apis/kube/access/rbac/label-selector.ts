import { isJsonObject, type JsonObject, type JsonValue } from '../../../../lib/json/json.ts'
import { textsOf } from './policy-rule.ts'

/** Whether labels match a label selector of an object. A malformed requirement matches nothing. */
export function labelsMatch(
  selector: JsonObject,
  labels: Readonly<Record<string, JsonValue>>,
): boolean {
  const { matchLabels, matchExpressions } = selector
  const pairs = isJsonObject(matchLabels) ? Object.entries(matchLabels) : []
  const requirements: readonly JsonValue[] = Array.isArray(matchExpressions) ? matchExpressions : []
  return (
    pairs.every(([key, value]) => labelOf(labels, key) === value) &&
    requirements.every((requirement) => requirementMatches(requirement, labels))
  )
}

function requirementMatches(
  requirement: JsonValue,
  labels: Readonly<Record<string, JsonValue>>,
): boolean {
  if (!isJsonObject(requirement)) return false
  const { key, operator, values } = requirement
  if (typeof key !== 'string') return false
  const value = labelOf(labels, key)
  const isListed = value !== undefined && textsOf(values).some((listed) => listed === value)
  switch (operator) {
    case 'In':
      return isListed
    case 'NotIn':
      return !isListed
    case 'Exists':
      return value !== undefined
    case 'DoesNotExist':
      return value === undefined
    default:
      return false
  }
}

function labelOf(labels: Readonly<Record<string, JsonValue>>, key: string): JsonValue | undefined {
  return Object.hasOwn(labels, key) ? labels[key] : undefined
}
