import type {
  FieldRequirement,
  LabelRequirement,
  ObjectSelector,
} from '../../../core/objects/model/object-query.ts'
import { integerLabel } from './label-requirement.ts'

type Labels = Readonly<Record<string, string>>

/** The parts of an object that selectors match. */
export interface SelectedObject {
  readonly labels: Labels
  readonly namespace: string
  readonly name: string
  /** The value of a field other than name and namespace; empty if it is missing. */
  readonly fieldOf: (path: string) => string
}

/** Whether the object meets all requirements. SQL evaluates the same predicate for lists. */
export function matchesSelector(selector: ObjectSelector, object: SelectedObject): boolean {
  return (
    matchesLabels(selector.labels, object.labels) &&
    selector.fields.every((requirement) => matchesField(requirement, object))
  )
}

/** Whether the labels meet all requirements. */
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
  }
}

function matchesField({ operator, field, value }: FieldRequirement, object: SelectedObject) {
  return (fieldValue(field, object) === value) === (operator === 'equals')
}

function fieldValue(field: string, { name, namespace, fieldOf }: SelectedObject): string {
  if (field === 'metadata.name') return name
  if (field === 'metadata.namespace') return namespace
  return fieldOf(field)
}
