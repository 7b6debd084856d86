import type { KindDescription, Overview } from '../../../typescript/src/generated/hyperfleet.ts'
import { pluralLabel } from '../app/nav-items.ts'
import { Panel } from '../design/panel.tsx'
import { HistoryChart } from './history-chart.tsx'
import css from './overview.module.css'

interface HistoryPanelProps {
  readonly overview: Overview
  readonly kinds: readonly KindDescription[]
}

/** How many resources were not ready in the last hour. */
export function HistoryPanel({ overview, kinds }: HistoryPanelProps) {
  const { history } = overview
  const series = kinds
    .filter(({ kind }) => history.some((minute) => (minute.total[kind] ?? 0) > 0))
    .map(({ kind, plural }) => ({
      label: pluralLabel(kind, plural),
      values: [
        ...history.map((minute) => minute.not_ready[kind] ?? 0),
        overview.kinds.find((one) => one.kind === kind)?.not_ready ?? 0,
      ],
    }))
  const times = [...history.map(({ time }) => time), overview.time]
  return (
    <Panel title="Not ready in the last hour">
      {series.length === 0 || times.length < 2 ? (
        <p className={css['quiet']}>The chart begins a minute after the server has started.</p>
      ) : (
        <HistoryChart series={series} times={times} />
      )}
    </Panel>
  )
}
