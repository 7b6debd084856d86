import css from './adapters.module.css'

interface GenerationMeterProps {
  readonly observed: number | null
  readonly current: number
}

/** How far an adapter has followed the spec. */
export function GenerationMeter({ observed, current }: GenerationMeterProps) {
  const share = observed === null ? 0 : Math.min(1, observed / Math.max(1, current))
  return (
    <div className={css['generation']}>
      <span>{textOf(observed, current)}</span>
      <span className={css['meter']} aria-hidden="true">
        <span style={{ inlineSize: `${share * 100}%` }} />
      </span>
    </div>
  )
}

function textOf(observed: number | null, current: number): string {
  if (observed === null) return `No generation observed of ${current}`
  if (observed === current) return `Observed generation ${observed}, the current one`
  return `Observed generation ${observed} of ${current}`
}
