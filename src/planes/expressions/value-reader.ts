import { Environment } from '@marcbachmann/cel-js'
import type { CelValue } from './cel-value.ts'

const ENVIRONMENT = new Environment({ enableOptionalTypes: true })
  .registerVariable('text', 'string')
  .registerVariable('value', 'dyn')

/** Reads a text as a CEL value of a type; null if it is not one. */
export function createValueReader(type: 'timestamp' | 'duration'): (text: string) => CelValue {
  const program = ENVIRONMENT.parse(`${type}(text)`)
  return (text) => {
    try {
      return program({ text })
    } catch {
      return null
    }
  }
}

const SOME = ENVIRONMENT.parse('optional.of(value)')
const NONE = ENVIRONMENT.parse('optional.none()')

/** An optional value in CEL; without a value if it is undefined. */
export function optionalValue(value: CelValue | undefined): CelValue {
  return value === undefined ? NONE({ value: null }) : SOME({ value })
}
