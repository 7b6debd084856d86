import { unreachable } from '../../../lib/assert.ts'
import type { JsonObject } from '../../../lib/json/json.ts'
import type { FieldRequirement, LabelRequirement, ObjectSelector } from '../model/object-query.ts'
import { fieldText } from './field-text.ts'

/** The parts of an object that a selector can name. */
export interface Searchable {
  readonly namespace: string
  readonly name: string
  readonly body: JsonObject
  readonly labels: Readonly<Record<string, string>>
}

/** Whether the object meets every requirement. `selector-sql.ts` expresses the same in SQL. */
export function matchesSelector(object: Searchable, selector: ObjectSelector): boolean {
  return (
    selector.labels.every((requirement) => matchesLabels(object.labels, requirement)) &&
    selector.fields.every((requirement) => matchesField(object, requirement))
  )
}

function matchesLabels(
  labels: Readonly<Record<string, string>>,
  requirement: LabelRequirement,
): boolean {
  const { key } = requirement
  const value = Object.hasOwn(labels, key) ? labels[key] : undefined
  switch (requirement.operator) {
    case 'in':
      return value !== undefined && requirement.values.includes(value)
    case 'not-in':
      return value === undefined || !requirement.values.includes(value)
    case 'exists':
      return value !== undefined
    case 'absent':
      return value === undefined
    case 'greater':
    case 'less': {
      const number = integerOf(value)
      if (number === null) return false
      return requirement.operator === 'greater'
        ? number > requirement.value
        : number < requirement.value
    }
    default:
      return unreachable(requirement)
  }
}

const INTEGER = /^[+-]?[0-9]{1,63}$/
const MAX_INTEGER = 2n ** 63n - 1n

/** The label value as an int64, or null. */
function integerOf(value: string | undefined): bigint | null {
  if (value === undefined || !INTEGER.test(value)) return null
  const number = BigInt(value.replace(/^\+/, ''))
  return number <= MAX_INTEGER && number >= -MAX_INTEGER - 1n ? number : null
}

function matchesField(object: Searchable, { field, operator, value }: FieldRequirement): boolean {
  return (textOf(object, field) === value) === (operator === 'equals')
}

function textOf({ namespace, name, body }: Searchable, field: string): string {
  if (field === 'metadata.name') return name
  if (field === 'metadata.namespace') return namespace
  return fieldText(body, field)
}
