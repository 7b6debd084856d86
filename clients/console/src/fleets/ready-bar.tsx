import css from './ready-bar.module.css'

interface ReadyBarProps {
  readonly ready: number
  readonly desired: number
}

/** How many of the desired members are ready, as a number and a bar. */
export function ReadyBar({ ready, desired }: ReadyBarProps) {
  const share = desired === 0 ? 1 : Math.min(1, ready / desired)
  return (
    <span className={css['bar']}>
      <span className={css['text']}>
        {ready.toLocaleString()} of {desired.toLocaleString()}
      </span>
      <svg
        className={css['track']}
        viewBox="0 0 100 4"
        preserveAspectRatio="none"
        aria-hidden="true"
      >
        <rect className={css['empty']} width="100" height="4" />
        <rect className={css['full']} data-complete={share === 1} width={share * 100} height="4" />
      </svg>
    </span>
  )
}
