import { Link } from '@tanstack/react-router'
import { NOT_READY } from './breakdown/state-search.ts'
import css from './overview.module.css'

interface LinkProps {
  readonly plural: string
  readonly count: number
}

/** A link to all resources of a kind that are not ready. */
export function AllNotReadyLink({ plural, count }: LinkProps) {
  return (
    <Link
      to="/resources/$plural"
      params={{ plural }}
      search={{ q: NOT_READY }}
      className={css['all'] ?? ''}
    >
      Show all {count.toLocaleString('en')}
    </Link>
  )
}
