import type { LabelRequirement } from '../../store/objects/model/object-query.ts'
import { integerLabel } from '../../store/objects/selection/integer-label.ts'
import { badRequest } from '../errors/failures.ts'
import { labelKeyProblems, labelValueProblems } from './label-syntax.ts'

/** The operators of label selectors, in strings and in LabelSelector objects. */
export type LabelOperator = 'in' | 'notin' | 'exists' | '!' | 'gt' | 'lt'

interface ParsedRequirement {
  readonly key: string
  readonly operator: LabelOperator
  readonly values: readonly string[]
}

/**
 * A valid requirement, with its values sorted and without duplicates. Throws a 400 that starts
 * with the context otherwise.
 */
export function labelRequirement(
  { key, operator, values }: ParsedRequirement,
  context: string,
): LabelRequirement {
  const problems = [
    ...joined('key', key, labelKeyProblems(key)),
    ...countProblems(operator, values),
    ...values.flatMap((value, index) =>
      joined(`values[${index}][${key}]`, value, labelValueProblems(value)),
    ),
  ]
  if (problems.length > 0) throw badRequest(`${context}${inOneLine(problems)}`)
  switch (operator) {
    case 'in':
      return { operator: 'in', key, values: distinct(values) }
    case 'notin':
      return { operator: 'not-in', key, values: distinct(values) }
    case 'exists':
      return { operator: 'exists', key }
    case '!':
      return { operator: 'absent', key }
    case 'gt':
      return { operator: 'greater', key, value: BigInt(values[0] ?? 0) }
    case 'lt':
      return { operator: 'less', key, value: BigInt(values[0] ?? 0) }
  }
}

/** A violation as Kubernetes formats it. */
export function invalidValue(field: string, value: string, detail: string): string {
  return `${field}: Invalid value: ${JSON.stringify(value)}: ${detail}`
}

function countProblems(operator: LabelOperator, values: readonly string[]): readonly string[] {
  const shown = `values: Invalid value: ${JSON.stringify(values)}`
  switch (operator) {
    case 'in':
    case 'notin':
      if (values.length > 0) return []
      return [`${shown}: for 'in', 'notin' operators, values set can't be empty`]
    case 'exists':
    case '!':
      if (values.length === 0) return []
      return [`${shown}: values set must be empty for exists and does not exist`]
    case 'gt':
    case 'lt':
      return values.flatMap((value, index) =>
        integerLabel(value) === null
          ? [
              invalidValue(
                `values[${index}]`,
                value,
                "for 'Gt', 'Lt' operators, the value must be an integer",
              ),
            ]
          : [],
      )
  }
}

function joined(field: string, value: string, problems: readonly string[]): readonly string[] {
  return problems.length === 0 ? [] : [invalidValue(field, value, problems.join('; '))]
}

function inOneLine(problems: readonly string[]): string {
  return problems.length === 1 ? (problems[0] ?? '') : `[${problems.join(', ')}]`
}

const distinct = (values: readonly string[]) => [...new Set(values)].toSorted()
