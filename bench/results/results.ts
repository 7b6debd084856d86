import type { Machine } from '../measure/machine.ts'
import type { Fact, Measurement, Omission } from './measurement.ts'

/** The results of a run, as written to a JSON file. */
export interface Results {
  readonly startedAt: string
  readonly machine: Machine
  readonly postgres: string
  /** The arguments of the command line. */
  readonly command: readonly string[]
  readonly measurements: Measurement[]
  readonly facts: Fact[]
  readonly omissions: Omission[]
}

interface Criteria {
  readonly scenario: string
  readonly variant?: string
  readonly connections?: number
  readonly rows?: number
}

/** The first measurement of `flotilla` that meets the criteria, or null. */
export function findMeasurement(
  { measurements }: Pick<Results, 'measurements'>,
  criteria: Criteria,
): Measurement | null {
  const found = measurements.find(
    (measurement) =>
      measurement.subject === 'flotilla' &&
      measurement.scenario === criteria.scenario &&
      (criteria.variant === undefined || measurement.variant === criteria.variant) &&
      (criteria.rows === undefined || measurement.rows === criteria.rows) &&
      (criteria.connections === undefined || measurement.connections === criteria.connections),
  )
  return found ?? null
}

export function findFact({ facts }: Pick<Results, 'facts'>, name: string): Fact | null {
  return facts.find((fact) => fact.name === name) ?? null
}
