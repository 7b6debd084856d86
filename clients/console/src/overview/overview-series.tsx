import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import type { KindDescription, KindSeries } from '../../../typescript/src/generated/hyperfleet.ts'
import { pluralLabel } from '../app/nav-items.ts'
import { type ChartContent, formatCount, formatRate, timesOf } from '../series/chart-line.ts'
import { SeriesPanel } from '../series/series-panel.tsx'
import { type Range, seriesQuery } from '../series/series-query.ts'

type Field = Exclude<keyof KindSeries, 'kind'>

const CHARTS = [
  { field: 'not_ready', title: 'Not ready', format: formatCount },
  { field: 'total', title: 'All resources', format: formatCount },
  { field: 'changes_per_second', title: 'Changes per second', format: formatRate },
  { field: 'reports_per_second', title: 'Reports per second', format: formatRate },
] as const satisfies readonly (Pick<ChartContent, 'title' | 'format'> & { readonly field: Field })[]

/** The counts and rates of all kinds over time. */
export function OverviewSeries({ kinds }: { readonly kinds: readonly KindDescription[] }) {
  const [range, setRange] = useState<Range>('hour')
  const query = useQuery(seriesQuery(range))
  const { data } = query
  const charts = useMemo(() => {
    if (data === undefined) return []
    const times = timesOf(data)
    const shown = kinds.flatMap(({ kind, plural }) => {
      const series = data.kinds.find((one) => one.kind === kind)
      if (series === undefined || !series.total.some((count) => (count ?? 0) > 0)) return []
      return [{ label: pluralLabel(kind, plural), series }]
    })
    if (shown.length === 0) return []
    return CHARTS.map(({ field, ...chart }) => ({
      ...chart,
      times,
      lines: shown.map(({ label, series }) => ({ label, values: series[field] })),
    }))
  }, [data, kinds])
  return (
    <SeriesPanel title="Over time" range={range} onRange={setRange} query={query} charts={charts} />
  )
}
