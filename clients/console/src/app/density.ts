import { useSyncExternalStore } from 'react'

/** The height of rows in lists and tables. */
export type Density = 'comfortable' | 'compact'

const KEY = 'flotilla.density'
const listeners = new Set<() => void>()

function storedDensity(): Density {
  return window.localStorage.getItem(KEY) === 'compact' ? 'compact' : 'comfortable'
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The stored choice. */
export function useDensity(): Density {
  return useSyncExternalStore(subscribe, storedDensity)
}

/** Stores and applies a choice. */
export function chooseDensity(density: Density): void {
  window.localStorage.setItem(KEY, density)
  applyDensity()
  for (const listener of listeners) listener()
}

/** Applies the stored choice to the styles. */
export function applyDensity(): void {
  document.documentElement.dataset['density'] = storedDensity()
}
