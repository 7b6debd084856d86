import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import type {
  AdapterSeries as Series,
  KindDescription,
} from '../../../typescript/src/generated/hyperfleet.ts'
import {
  type ChartContent,
  formatCount,
  formatRate,
  formatSeconds,
  timesOf,
} from '../series/chart-line.ts'
import { SeriesPanel } from '../series/series-panel.tsx'
import { type Range, seriesQuery } from '../series/series-query.ts'

/** More lines cannot be told apart. */
const MAX_LINES = 8

type Field = Exclude<keyof Series, 'adapter'>

const CHARTS = [
  { field: 'reports_per_second', title: 'Reports per second', format: formatRate },
  { field: 'waiting', title: 'Resources that wait for the adapter', format: formatCount },
  { field: 'latency_seconds', title: 'Time from change to report', format: formatSeconds },
] as const satisfies readonly (Pick<ChartContent, 'title' | 'format'> & { readonly field: Field })[]

interface AdapterSeriesProps {
  readonly kind: KindDescription
  /** The adapters in the order of the table. */
  readonly adapters: readonly string[]
}

/** The rate, backlog and latency of the first adapters of a kind over time. */
export function AdapterSeries({ kind, adapters }: AdapterSeriesProps) {
  const [range, setRange] = useState<Range>('hour')
  const query = useQuery(seriesQuery(range, kind.kind))
  const { data } = query
  const names = JSON.stringify(adapters)
  const charts = useMemo(() => {
    if (data === undefined) return []
    const order: readonly string[] = JSON.parse(names)
    const shown = order
      .flatMap((name) => data.adapters.find(({ adapter }) => adapter === name) ?? [])
      .slice(0, MAX_LINES)
    if (shown.length === 0) return []
    const times = timesOf(data)
    return CHARTS.map(({ field, ...chart }) => ({
      ...chart,
      times,
      lines: shown.map((series) => ({ label: series.adapter, values: series[field] })),
    }))
  }, [data, names])
  return (
    <SeriesPanel
      title="Adapters over time"
      range={range}
      onRange={setRange}
      query={query}
      charts={charts}
    />
  )
}
