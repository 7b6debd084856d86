import { type ReactNode, useState } from 'react'
import css from './topology.module.css'

interface BranchProps {
  readonly label: ReactNode
  /** The number of entries below, if it is known. */
  readonly count?: number | undefined
  /** Rendered when the branch is open, so that it loads only what is looked at. */
  readonly children: () => ReactNode
}

/** A branch of a tree that the keyboard opens and closes, as the browser's own control. */
export function Branch({ label, count, children }: BranchProps) {
  const [isOpen, setOpen] = useState(false)
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>
        {label}
        {count !== undefined && <span className={css['count']}> {count}</span>}
      </summary>
      {isOpen && children()}
    </details>
  )
}
