import { ratioOf } from '../measure/statistics.ts'
import type { Measured, Measurement, Run } from './measurement.ts'
import { nameOf } from './measurement-table.ts'
import type { Results } from './results.ts'
import { showSpread } from './show-figure.ts'
import { markdownTable } from './table.ts'

type Figure = (run: Run) => number | null

/** What the floors cost, as how many times as much we cost; null where no floor was measured. */
export function floorTable(results: Pick<Results, 'measurements'>): string | null {
  const rows = ours(results).flatMap((measurement) => {
    const bare = beside(results, measurement, 'bare')
    const pgbench = beside(results, measurement, 'pgbench')
    if (bare === null && pgbench === null) return []
    return [
      [
        nameOf(measurement),
        String(measurement.connections),
        ratio(measurement, bare, (run) => run.serverCpu),
        ratio(measurement, pgbench, (run) => run.postgresCpu),
        ratio(measurement, bare, (run) => run.requestsPerSecond),
        ratio(measurement, pgbench, (run) => run.requestsPerSecond),
      ],
    ]
  })
  if (rows.length === 0) return null
  const head = [
    'Beside the floors',
    'Connections',
    'API CPU / bare node:http',
    'PostgreSQL CPU / pgbench',
    'requests/s / bare',
    'requests/s / pgbench',
  ]
  return markdownTable(head, rows)
}

/** How many times what it is compared with this Flotilla is; null where nothing was compared. */
export function againstTable(results: Pick<Results, 'measurements'>): string | null {
  const rows = ours(results).flatMap((measurement) => {
    const against = beside(results, measurement, 'against')
    if (against === null) return []
    return [
      [
        nameOf(measurement),
        String(measurement.connections),
        ratio(measurement, against, (run) => run.requestsPerSecond),
        ratio(measurement, against, (run) => run.p99),
        ratio(measurement, against, (run) => run.serverCpu),
        ratio(measurement, against, (run) => run.postgresCpu),
      ],
    ]
  })
  if (rows.length === 0) return null
  const head = [
    'Flotilla / what it is compared with',
    'Connections',
    'requests/s',
    'p99',
    'API CPU',
    'PostgreSQL CPU',
  ]
  return markdownTable(head, rows)
}

function ours({ measurements }: Pick<Results, 'measurements'>): readonly Measurement[] {
  return measurements.filter(({ measured }) => measured === 'flotilla')
}

/** What took turns with a measurement. */
export function beside(
  { measurements }: Pick<Results, 'measurements'>,
  { scenario, variant, connections, rows }: Measurement,
  measured: Measured,
): Measurement | null {
  const found = measurements.find(
    (other) =>
      other.measured === measured &&
      other.scenario === scenario &&
      other.variant === variant &&
      other.connections === connections &&
      other.rows === rows,
  )
  return found ?? null
}

function ratio(measurement: Measurement, other: Measurement | null, figure: Figure): string {
  if (other === null) return 'not measured'
  return showSpread(ratioOf(measurement.runs.map(figure), other.runs.map(figure)))
}
