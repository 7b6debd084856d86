import { spreadOfKnown } from '../measure/statistics.ts'
import { barPlot, type Group } from './bar-plot.ts'
import { linePlot, type Series } from './line-plot.ts'
import type { Measurement, Run } from './measurement.ts'
import { beside } from './ratio-table.ts'
import type { Results } from './results.ts'

const MANY = 64

/** The pictures that the results allow, by file name. */
export function plotsOf(results: Results): ReadonlyMap<string, string> {
  const growth = growthSeries(results)
  const floors = floorGroups(results)
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
    ...(floors.length === 0
      ? []
      : [
          [
            'floors.svg',
            barPlot(
              'Microseconds of CPU per request, 64 connections, each group to its own scale',
              floors,
            ),
          ] as const,
        ]),
  ])
}

function growthSeries({ measurements }: Results): readonly Series[] {
  const growth = measurements.filter(
    ({ scenario, measured }) => scenario === 'growth' && measured === 'flotilla',
  )
  return [...new Set(growth.map(({ variant }) => variant))].map((name) => {
    const points = growth
      .filter(({ variant }) => variant === name)
      .flatMap((measurement) => {
        const cost = median(measurement, wholeCpu)
        return cost === null ? [] : [[measurement.rows, cost] as const]
      })
    return { name, points }
  })
}

function floorGroups(results: Results): readonly Group[] {
  return results.measurements
    .filter(({ measured, connections }) => measured === 'flotilla' && connections === MANY)
    .flatMap((measurement) => {
      const bare = beside(results, measurement, 'bare')
      const pgbench = beside(results, measurement, 'pgbench')
      if (bare === null) return []
      const bars = [
        { part: 'API', value: median(measurement, (run) => run.serverCpu) },
        { part: 'bare node:http', value: median(bare, (run) => run.serverCpu) },
        { part: 'PostgreSQL', value: median(measurement, (run) => run.postgresCpu) },
        { part: 'pgbench', value: pgbench && median(pgbench, (run) => run.postgresCpu) },
      ]
      const known = bars.flatMap(({ part, value }) => (value === null ? [] : [{ part, value }]))
      return [{ name: measurement.variant, bars: known }]
    })
}

function median({ runs }: Measurement, figure: (run: Run) => number | null): number | null {
  return spreadOfKnown(runs.map(figure))?.median ?? null
}

function wholeCpu({ serverCpu, postgresCpu }: Run): number | null {
  return serverCpu === null || postgresCpu === null ? null : serverCpu + postgresCpu
}
