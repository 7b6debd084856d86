import type { ReactNode } from 'react'
import { CommandLine } from '../command-line.tsx'
import { Icon, type IconName } from '../icon.tsx'
import css from './state.module.css'

interface EmptyStateProps {
  readonly icon: IconName
  readonly title: string
  /** What appears here, and when. */
  readonly children: ReactNode
  /** The command that creates the first one. */
  readonly command?: string
  readonly actions?: ReactNode
}

/** A page without content: what belongs here, and how to get it. */
export function EmptyState({ icon, title, children, command, actions }: EmptyStateProps) {
  return (
    <div className={css['state']}>
      <div className={css['icon']}>
        <Icon name={icon} size={20} />
      </div>
      <h2 className={css['title']}>{title}</h2>
      <p className={css['text']}>{children}</p>
      {command !== undefined && <CommandLine command={command} />}
      {actions !== undefined && <div className={css['actions']}>{actions}</div>}
    </div>
  )
}
