import { spreadOfDefined } from '../measure/statistics.ts'
import { barPlot, type Group } from './bar-plot.ts'
import { linePlot, type Series } from './line-plot.ts'
import type { Measurement, Sample } from './measurement.ts'
import { counterpart } from './ratio-table.ts'
import type { Results } from './results.ts'

const CONNECTIONS = 64

/** The plots for which the results have data, by file name. */
export function plotsOf(results: Results): ReadonlyMap<string, string> {
  const growth = growthSeries(results)
  const baselines = baselineGroups(results)
  return new Map([
    ...(growth.length === 0
      ? []
      : [
          [
            'growth.svg',
            linePlot(
              {
                title: 'Cost of a request as the fleet grows, 16 connections, specs of 1 KB',
                x: 'clusters',
                y: 'microseconds of CPU, API and PostgreSQL together',
              },
              growth,
            ),
          ] as const,
        ]),
    ...(baselines.length === 0
      ? []
      : [
          [
            'baselines.svg',
            barPlot(
              'Microseconds of CPU per request, 64 connections; each group has its own scale',
              baselines,
            ),
          ] as const,
        ]),
  ])
}

function growthSeries({ measurements }: Results): readonly Series[] {
  const growth = measurements.filter(
    ({ scenario, subject }) => scenario === 'growth' && subject === 'flotilla',
  )
  return [...new Set(growth.map(({ variant }) => variant))].map((name) => {
    const points = growth
      .filter(({ variant }) => variant === name)
      .flatMap((measurement) => {
        const cost = median(measurement, totalCpu)
        return cost === null ? [] : [[measurement.rows, cost] as const]
      })
    return { name, points }
  })
}

function baselineGroups(results: Results): readonly Group[] {
  return results.measurements
    .filter(({ subject, connections }) => subject === 'flotilla' && connections === CONNECTIONS)
    .flatMap((measurement) => {
      const bare = counterpart(results, measurement, 'bare')
      const pgbench = counterpart(results, measurement, 'pgbench')
      if (bare === null) return []
      const bars = [
        { part: 'API', value: median(measurement, (sample) => sample.serverCpu) },
        { part: 'bare node:http', value: median(bare, (sample) => sample.serverCpu) },
        { part: 'PostgreSQL', value: median(measurement, (sample) => sample.postgresCpu) },
        { part: 'pgbench', value: pgbench && median(pgbench, (sample) => sample.postgresCpu) },
      ]
      const present = bars.flatMap(({ part, value }) => (value === null ? [] : [{ part, value }]))
      return [{ name: measurement.variant, bars: present }]
    })
}

function median(
  { samples }: Measurement,
  figure: (sample: Sample) => number | null,
): number | null {
  return spreadOfDefined(samples.map(figure))?.median ?? null
}

function totalCpu({ serverCpu, postgresCpu }: Sample): number | null {
  return serverCpu === null || postgresCpu === null ? null : serverCpu + postgresCpu
}
