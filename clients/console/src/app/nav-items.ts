import type { KindDescription } from '../../../typescript/src/generated/hyperfleet.ts'
import type { IconName } from '../design/icon.tsx'

/** An entry of the navigation. */
export interface NavItem {
  readonly label: string
  /** A path below `/console`. */
  readonly to: string
  readonly icon: IconName
  /** The second key of its shortcut, after `g`. */
  readonly key?: string
}

/** The groups of the navigation. */
export interface NavItems {
  readonly main: readonly NavItem[]
  readonly resources: readonly NavItem[]
  readonly workloads: readonly NavItem[]
}

/** Shown until the kinds are loaded. */
const BUILT_IN: readonly Pick<KindDescription, 'kind' | 'plural'>[] = [
  { kind: 'Cluster', plural: 'clusters' },
  { kind: 'NodePool', plural: 'nodepools' },
]

const KIND_ICONS: Readonly<Record<string, IconName>> = {
  clusters: 'cluster',
  nodepools: 'nodes',
  views: 'bookmark',
  fleets: 'fleet',
  sandboxes: 'sandbox',
  secrets: 'key',
  serviceaccounts: 'user',
  events: 'clock',
}
const KIND_KEYS: Readonly<Record<string, string>> = { clusters: 'c', nodepools: 'n' }

/** The icon of a kind, also of planes. */
export function kindIcon(plural: string): IconName {
  return KIND_ICONS[plural] ?? 'resource'
}

/** The entries of the navigation: the kinds of the server between the fixed pages. */
export function navItems(
  kinds: readonly Pick<KindDescription, 'kind' | 'plural'>[] = BUILT_IN,
): NavItems {
  return {
    main: [
      { label: 'Overview', to: '/', icon: 'overview', key: 'o' },
      { label: 'Adapters', to: '/adapters', icon: 'adapter', key: 'a' },
      { label: 'Timeline', to: '/timeline', icon: 'clock', key: 't' },
    ],
    resources: kinds.map(({ kind, plural }) => {
      const key = KIND_KEYS[plural]
      return {
        label: pluralLabel(kind, plural),
        to: `/resources/${plural}`,
        icon: kindIcon(plural),
        ...(key !== undefined && { key }),
      }
    }),
    workloads: [
      { label: 'Fleets', to: '/fleets', icon: 'fleet', key: 'f' },
      { label: 'Planes', to: '/planes', icon: 'plane', key: 'p' },
      { label: 'Sandboxes', to: '/sandboxes', icon: 'sandbox', key: 's' },
    ],
  }
}

/** A kind in the plural with spaces: `NodePool` and `nodepools` become `Node pools`. */
export function pluralLabel(kind: string, plural: string): string {
  const words = kind.replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2').toLowerCase()
  const joined = words.replaceAll(' ', '')
  const base = plural.startsWith(joined) ? words + plural.slice(joined.length) : plural
  return base.charAt(0).toUpperCase() + base.slice(1)
}
