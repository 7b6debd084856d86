import { spreadOfDefined } from '../measure/statistics.ts'
import type { Measurement, Sample } from './measurement.ts'
import { formatFigure, formatSpread } from './format-figure.ts'
import { markdownTable } from './markdown-table.ts'

const HEAD = [
  'Scenario',
  'Connections',
  'Subject',
  'requests/s',
  'p50 ms',
  'p99 ms',
  'API us/request',
  'PostgreSQL us/request',
  'Peak MB',
  'Rejected',
]

/** A table of all measurements, with medians and ranges. */
export function measurementTable(measurements: readonly Measurement[]): string {
  const rows = measurements.map((measurement) => {
    const { samples, peakMemory } = measurement
    const spread = (figure: (sample: Sample) => number | null): string =>
      formatSpread(spreadOfDefined(samples.map(figure)))
    return [
      nameOf(measurement),
      String(measurement.connections),
      measurement.subject,
      spread((sample) => sample.requestsPerSecond),
      spread((sample) => sample.p50),
      spread((sample) => sample.p99),
      spread((sample) => sample.serverCpu),
      spread((sample) => sample.postgresCpu),
      peakMemory === null ? '-' : formatFigure(peakMemory),
      String(samples.reduce((sum, sample) => sum + sample.rejected, 0)),
    ]
  })
  return markdownTable(HEAD, rows)
}

/** The scenario and the variant, or one of them if they are equal. */
export function nameOf({ scenario, variant, rows }: Measurement): string {
  if (scenario === 'growth') return `growth: ${variant}, ${rows} clusters`
  return scenario === variant ? scenario : `${scenario}: ${variant}`
}
