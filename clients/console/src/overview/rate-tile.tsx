import css from './overview.module.css'
import { chartPoints, linePath, niceMaximum } from './chart-scale.ts'

interface RateTileProps {
  readonly label: string
  readonly value: number
  /** The rates of the last hour, the oldest first. */
  readonly history: readonly number[]
  readonly note?: string
}

const WIDTH = 160
const HEIGHT = 28

/** A rate with its course over the last hour. */
export function RateTile({ label, value, history, note = 'Last hour' }: RateTileProps) {
  const maximum = niceMaximum(Math.max(0, ...history))
  const points = chartPoints(history, { width: WIDTH, height: HEIGHT - 2, maximum })
  return (
    <section className={css['tile']} aria-label={label}>
      <div className={css['tileHead']}>{label}</div>
      <div className={css['figure']}>{value < 10 ? value.toFixed(1) : Math.round(value)}</div>
      <svg
        className={css['spark']}
        viewBox={`0 -1 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        aria-hidden="true"
      >
        <path d={linePath(points)} vectorEffect="non-scaling-stroke" />
      </svg>
      <div className={css['legend']}>{note}</div>
    </section>
  )
}
