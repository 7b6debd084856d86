import { unreachable } from '../../../lib/assert.ts'
import type { FieldRequirement, LabelRequirement, ObjectSelector } from '../model/object-query.ts'
import { integerLabel } from './integer-label.ts'

type Labels = Readonly<Record<string, string>>

/** The parts of an object that a selector can name. */
export interface Searchable {
  readonly namespace: string
  readonly name: string
  readonly labels: Labels
  /** The text of a field other than name and namespace; empty if it is missing. */
  readonly fieldOf: (path: string) => string
}

/** Whether the object meets every requirement. `selector-sql.ts` expresses the same in SQL. */
export function matchesSelector(selector: ObjectSelector, object: Searchable): boolean {
  return (
    matchesLabels(selector.labels, object.labels) &&
    selector.fields.every((requirement) => matchesField(requirement, object))
  )
}

/** Whether the labels meet every requirement. */
export function matchesLabels(requirements: readonly LabelRequirement[], labels: Labels): boolean {
  return requirements.every((requirement) => matchesLabel(requirement, labels))
}

function matchesLabel(requirement: LabelRequirement, labels: Labels): boolean {
  const value = Object.hasOwn(labels, requirement.key) ? labels[requirement.key] : undefined
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
      const integer = value === undefined ? null : integerLabel(value)
      if (integer === null) return false
      const { operator, value: bound } = requirement
      return operator === 'greater' ? integer > bound : integer < bound
    }
    default:
      return unreachable(requirement)
  }
}

function matchesField({ operator, field, value }: FieldRequirement, object: Searchable): boolean {
  return (fieldValue(field, object) === value) === (operator === 'equals')
}

function fieldValue(field: string, { name, namespace, fieldOf }: Searchable): string {
  if (field === 'metadata.name') return name
  if (field === 'metadata.namespace') return namespace
  return fieldOf(field)
}
