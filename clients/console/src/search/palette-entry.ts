import type { IconName } from '../design/icon.tsx'

/** An entry of the palette. */
export interface PaletteEntry {
  /** Unique in the palette. */
  readonly id: string
  readonly group: string
  readonly label: string
  /** Explains the entry, such as the parent of a node pool. */
  readonly detail?: string
  readonly icon: IconName
  /** A path below `/console`, or an action. */
  readonly target: string | (() => void)
}
