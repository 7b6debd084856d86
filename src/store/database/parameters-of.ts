import { PreciseDate } from '../../lib/precise-date.ts'

/** The parameters of a statement. pg would send dates without their microseconds. */
export function parametersOf(values: readonly unknown[]): unknown[] {
  return values.map((value) => (value instanceof PreciseDate ? value.toISOString() : value))
}
