import { useSyncExternalStore } from 'react'
import { ActionMenu } from '../design/overlays/action-menu.tsx'
import type { IconName } from '../design/icon.tsx'
import { chooseTheme, onThemeChoice, type ThemeChoice, themeChoice } from './theme.ts'

const CHOICES: readonly { choice: ThemeChoice; label: string; icon: IconName }[] = [
  { choice: 'light', label: 'Light', icon: 'sun' },
  { choice: 'dark', label: 'Dark', icon: 'moon' },
  { choice: 'system', label: 'As the system', icon: 'system' },
]

/** Switches between the light and the dark theme. */
export function ThemeMenu() {
  const current = useSyncExternalStore(onThemeChoice, themeChoice)
  const icon = CHOICES.find(({ choice }) => choice === current)?.icon ?? 'system'
  return (
    <ActionMenu
      label="Theme"
      icon={icon}
      actions={CHOICES.map(({ choice, label, icon: mark }) => ({
        label,
        icon: mark,
        onSelect: () => chooseTheme(choice),
      }))}
    />
  )
}
