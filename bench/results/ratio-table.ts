import { ratioOf } from '../measure/statistics.ts'
import type { SubjectName, Measurement, Sample } from './measurement.ts'
import { nameOf } from './measurement-table.ts'
import type { Results } from './results.ts'
import { formatSpread } from './format-figure.ts'
import { markdownTable } from './markdown-table.ts'

type Figure = (sample: Sample) => number | null

/** Figures relative to the baselines; null if no baseline was measured. */
export function baselineTable(results: Pick<Results, 'measurements'>): string | null {
  const rows = flotillaMeasurements(results).flatMap((measurement) => {
    const bare = counterpart(results, measurement, 'bare')
    const pgbench = counterpart(results, measurement, 'pgbench')
    if (bare === null && pgbench === null) return []
    return [
      [
        nameOf(measurement),
        String(measurement.connections),
        ratio(measurement, bare, (sample) => sample.serverCpu),
        ratio(measurement, pgbench, (sample) => sample.postgresCpu),
        ratio(measurement, bare, (sample) => sample.requestsPerSecond),
        ratio(measurement, pgbench, (sample) => sample.requestsPerSecond),
      ],
    ]
  })
  if (rows.length === 0) return null
  const head = [
    'Relative to the baselines',
    'Connections',
    'API CPU / bare node:http',
    'PostgreSQL CPU / pgbench',
    'requests/s / bare',
    'requests/s / pgbench',
  ]
  return markdownTable(head, rows)
}

/** Figures relative to the `--against` server; null without one. */
export function comparisonTable(results: Pick<Results, 'measurements'>): string | null {
  const rows = flotillaMeasurements(results).flatMap((measurement) => {
    const against = counterpart(results, measurement, 'against')
    if (against === null) return []
    return [
      [
        nameOf(measurement),
        String(measurement.connections),
        ratio(measurement, against, (sample) => sample.requestsPerSecond),
        ratio(measurement, against, (sample) => sample.p99),
        ratio(measurement, against, (sample) => sample.serverCpu),
        ratio(measurement, against, (sample) => sample.postgresCpu),
      ],
    ]
  })
  if (rows.length === 0) return null
  const head = [
    'Relative to --against',
    'Connections',
    'requests/s',
    'p99',
    'API CPU',
    'PostgreSQL CPU',
  ]
  return markdownTable(head, rows)
}

function flotillaMeasurements({
  measurements,
}: Pick<Results, 'measurements'>): readonly Measurement[] {
  return measurements.filter(({ subject }) => subject === 'flotilla')
}

/** The measurement of another subject in the same rounds. */
export function counterpart(
  { measurements }: Pick<Results, 'measurements'>,
  { scenario, variant, connections, rows }: Measurement,
  subject: SubjectName,
): Measurement | null {
  const found = measurements.find(
    (other) =>
      other.subject === subject &&
      other.scenario === scenario &&
      other.variant === variant &&
      other.connections === connections &&
      other.rows === rows,
  )
  return found ?? null
}

function ratio(measurement: Measurement, other: Measurement | null, figure: Figure): string {
  if (other === null) return 'not measured'
  return formatSpread(ratioOf(measurement.samples.map(figure), other.samples.map(figure)))
}
