import type { Machine } from '../measure/machine.ts'
import type { Fact, Measured, Measurement, Omission } from './measurement.ts'

/** What a run of the suite has found out, as it is written to a file. */
export interface Results {
  readonly startedAt: string
  readonly machine: Machine
  readonly postgres: string
  /** The words of the command line. */
  readonly command: readonly string[]
  readonly measurements: Measurement[]
  readonly facts: Fact[]
  readonly omissions: Omission[]
}

interface Wanted {
  readonly scenario: string
  readonly variant?: string
  readonly connections?: number
  readonly measured?: Measured
  readonly rows?: number
}

/** The one measurement that fits; null where it was not made. */
export function findMeasurement(
  { measurements }: Pick<Results, 'measurements'>,
  wanted: Wanted,
): Measurement | null {
  const { measured = 'flotilla' } = wanted
  const found = measurements.find(
    (measurement) =>
      measurement.measured === measured &&
      measurement.scenario === wanted.scenario &&
      (wanted.variant === undefined || measurement.variant === wanted.variant) &&
      (wanted.rows === undefined || measurement.rows === wanted.rows) &&
      (wanted.connections === undefined || measurement.connections === wanted.connections),
  )
  return found ?? null
}

export function findFact({ facts }: Pick<Results, 'facts'>, name: string): Fact | null {
  return facts.find((fact) => fact.name === name) ?? null
}
