/** The user's choice; `system` follows the operating system. */
export type ThemeChoice = 'system' | 'light' | 'dark'

const KEY = 'flotilla.theme'
const dark = window.matchMedia('(prefers-color-scheme: dark)')
const listeners = new Set<() => void>()

/** The stored choice. */
export function themeChoice(): ThemeChoice {
  const stored = window.localStorage.getItem(KEY)
  return stored === 'light' || stored === 'dark' ? stored : 'system'
}

/** Stores and applies a choice. */
export function chooseTheme(choice: ThemeChoice): void {
  if (choice === 'system') window.localStorage.removeItem(KEY)
  else window.localStorage.setItem(KEY, choice)
  applyTheme()
  for (const listener of listeners) listener()
}

/** Calls a function after each choice; the result ends it. */
export function onThemeChoice(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Applies the choice now, and again when the operating system changes. */
export function startTheme(): void {
  applyTheme()
  dark.addEventListener('change', applyTheme)
}

function applyTheme(): void {
  const choice = themeChoice()
  const theme = choice === 'system' ? (dark.matches ? 'dark' : 'light') : choice
  document.documentElement.dataset['theme'] = theme
}
