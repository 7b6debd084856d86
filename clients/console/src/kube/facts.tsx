import type { ReactNode } from 'react'
import css from './facts.module.css'

interface FactsProps {
  readonly facts: readonly { readonly label: string; readonly value: ReactNode }[]
}

/** Labelled values. Those without a value are left out. */
export function Facts({ facts }: FactsProps) {
  return (
    <dl className={css['facts']}>
      {facts
        .filter(({ value }) => hasContent(value))
        .map(({ label, value }) => (
          <div key={label} className={css['fact']}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  )
}

function hasContent(value: ReactNode): boolean {
  return value !== undefined && value !== null && value !== false && value !== ''
}
