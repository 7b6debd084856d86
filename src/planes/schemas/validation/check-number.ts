import { isJsonNumber } from '../../../lib/json/json.ts'
import { invalidValue } from '../../errors/field-errors.ts'
import type { Schema } from '../../model/schema.ts'
import { type Check, report } from './validation-run.ts'

interface Rule {
  readonly isMet: (value: number | bigint) => boolean
  readonly text: string
}

/** Checks the bounds and factor of numbers. Null if the schema has no such rule. */
export function compileNumberCheck(schema: Schema): Check | null {
  const rules = [multipleRule(schema), maximumRule(schema), minimumRule(schema)].filter(
    (rule) => rule !== null,
  )
  if (rules.length === 0) return null
  return (value, _old, path, run) => {
    if (!isJsonNumber(value)) return
    for (const { isMet, text } of rules) {
      if (!isMet(value)) report(run, invalidValue(path, value, `${path} in body should be ${text}`))
    }
  }
}

function multipleRule({ multipleOf }: Schema): Rule | null {
  if (multipleOf === undefined) return null
  return {
    isMet: (value) => isMultiple(value, multipleOf),
    text: `a multiple of ${multipleOf}`,
  }
}

function isMultiple(value: number | bigint, divisor: number | bigint): boolean {
  if (typeof value === 'number') return Number.isInteger(value / Number(divisor))
  const isWhole = typeof divisor === 'bigint' || (Number.isInteger(divisor) && divisor !== 0)
  return isWhole ? value % BigInt(divisor) === 0n : Number.isInteger(Number(value) / divisor)
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
