import type { ReactNode } from 'react'
import css from './badge.module.css'
import { Icon, type IconName } from './icon.tsx'
import type { Tone } from './tone.ts'

const ICONS: Readonly<Record<Tone, IconName>> = {
  good: 'check',
  warn: 'clock',
  bad: 'alert',
  info: 'refresh',
  neutral: 'dot',
}

interface BadgeProps {
  readonly tone: Tone
  readonly icon?: IconName
  readonly children: ReactNode
}

/** A status: colour, icon and text. */
export function Badge({ tone, icon = ICONS[tone], children }: BadgeProps) {
  return (
    <span className={`${css['badge']} ${css[tone]}`}>
      <Icon name={icon} size={12} />
      <span>{children}</span>
    </span>
  )
}
