import { spreadOfKnown } from '../measure/statistics.ts'
import type { Measurement, Run } from './measurement.ts'
import { showFigure, showSpread } from './show-figure.ts'
import { markdownTable } from './table.ts'

const HEAD = [
  'Scenario',
  'Connections',
  'Measured',
  'requests/s',
  'p50 ms',
  'p99 ms',
  'API us/request',
  'PostgreSQL us/request',
  'Peak MB',
  'Refused',
]

/** Every measurement with its medians and spreads. */
export function measurementTable(measurements: readonly Measurement[]): string {
  const rows = measurements.map((measurement) => {
    const { runs, peakMemory } = measurement
    const spread = (figure: (run: Run) => number | null): string =>
      showSpread(spreadOfKnown(runs.map(figure)))
    return [
      nameOf(measurement),
      String(measurement.connections),
      measurement.measured,
      spread((run) => run.requestsPerSecond),
      spread((run) => run.p50),
      spread((run) => run.p99),
      spread((run) => run.serverCpu),
      spread((run) => run.postgresCpu),
      peakMemory === null ? '-' : showFigure(peakMemory),
      String(runs.reduce((sum, run) => sum + run.refused, 0)),
    ]
  })
  return markdownTable(HEAD, rows)
}

/** Scenario and variant, said once where they are the same. */
export function nameOf({ scenario, variant, rows }: Measurement): string {
  if (scenario === 'growth') return `growth: ${variant}, ${rows} clusters`
  return scenario === variant ? scenario : `${scenario}: ${variant}`
}
