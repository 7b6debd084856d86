import { invalidValue } from '../../errors/field-errors.ts'
import type { Schema } from '../../model/schema.ts'
import { type Check, report } from './validation-run.ts'

interface Rule {
  readonly isMet: (value: number) => boolean
  readonly text: string
}

/** Checks the bounds and factor of numbers. Null if the schema has no such rule. */
export function compileNumberCheck(schema: Schema): Check | null {
  const rules = [multipleRule(schema), maximumRule(schema), minimumRule(schema)].filter(
    (rule) => rule !== null,
  )
  if (rules.length === 0) return null
  return (value, _old, path, run) => {
    if (typeof value !== 'number') return
    for (const { isMet, text } of rules) {
      if (!isMet(value)) report(run, invalidValue(path, value, `${path} in body should be ${text}`))
    }
  }
}

function multipleRule({ multipleOf }: Schema): Rule | null {
  if (multipleOf === undefined) return null
  return {
    isMet: (value) => Number.isInteger(value / multipleOf),
    text: `a multiple of ${multipleOf}`,
  }
}

function maximumRule({ maximum, exclusiveMaximum }: Schema): Rule | null {
  if (maximum === undefined) return null
  return exclusiveMaximum === true
    ? { isMet: (value) => value < maximum, text: `less than ${maximum}` }
    : { isMet: (value) => value <= maximum, text: `less than or equal to ${maximum}` }
}

function minimumRule({ minimum, exclusiveMinimum }: Schema): Rule | null {
  if (minimum === undefined) return null
  return exclusiveMinimum === true
    ? { isMet: (value) => value > minimum, text: `greater than ${minimum}` }
    : { isMet: (value) => value >= minimum, text: `greater than or equal to ${minimum}` }
}
