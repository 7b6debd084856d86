import type { NavItem } from '../app/nav-items.ts'

/** The action of a key. */
export type Shortcut =
  | { readonly type: 'none' }
  /** The first key of two. */
  | { readonly type: 'prefix' }
  | { readonly type: 'palette' }
  | { readonly type: 'help' }
  | { readonly type: 'search' }
  | { readonly type: 'go'; readonly to: string }

/** A key that was pressed, and the situation. */
export interface PressedKey {
  readonly key: string
  readonly hasCommand: boolean
  readonly hasAlt: boolean
  /** Whether the key writes into a field or belongs to a dialog. */
  readonly isTyping: boolean
  /** Whether `g` was pressed just before. */
  readonly isAfterPrefix: boolean
}

/** Decides what a key does. */
export function readShortcut(pressed: PressedKey, items: readonly NavItem[]): Shortcut {
  const { key, hasCommand, hasAlt, isTyping, isAfterPrefix } = pressed
  if (hasCommand) return key.toLowerCase() === 'k' ? { type: 'palette' } : { type: 'none' }
  if (isTyping || hasAlt) return { type: 'none' }
  if (isAfterPrefix) {
    const item = items.find((one) => one.key === key)
    return item === undefined ? { type: 'none' } : { type: 'go', to: item.to }
  }
  switch (key) {
    case 'g':
      return { type: 'prefix' }
    case '?':
      return { type: 'help' }
    case '/':
      return { type: 'search' }
    default:
      return { type: 'none' }
  }
}
