import type { NavItems } from '../app/nav-items.ts'
import { chooseTheme } from '../app/theme.ts'
import type { KindDescription } from '../../../typescript/src/generated/hyperfleet.ts'
import { showOverlay } from './overlay-store.ts'
import type { PaletteEntry } from './palette-entry.ts'

/** The pages and the actions of the console. */
export function fixedEntries(
  { main, resources, workloads }: NavItems,
  creatable: readonly Pick<KindDescription, 'kind' | 'plural'>[],
): readonly PaletteEntry[] {
  const pages = [
    ...main,
    ...resources,
    ...workloads,
    { label: 'Settings', to: '/settings', icon: 'settings' as const },
  ]
  return [
    ...pages.map(({ label, to, icon }) => ({
      id: `page ${to}`,
      group: 'Pages',
      label,
      icon,
      target: to,
    })),
    ...creatable.map(({ kind, plural }) => ({
      id: `create ${plural}`,
      group: 'Actions',
      label: `Create a ${kind}`,
      icon: 'plus' as const,
      target: `/resources/${plural}/new`,
    })),
    action('Browse the root plane', 'plane', '/planes/root'),
    action('Use the light theme', 'sun', () => chooseTheme('light')),
    action('Use the dark theme', 'moon', () => chooseTheme('dark')),
    action('Show the keyboard shortcuts', 'question', () => showOverlay('help')),
  ]
}

function action(
  label: string,
  icon: PaletteEntry['icon'],
  target: PaletteEntry['target'],
): PaletteEntry {
  return { id: label, group: 'Actions', label, icon, target }
}
