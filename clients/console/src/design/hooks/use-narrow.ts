import { useSyncExternalStore } from 'react'

const query = window.matchMedia('(width < 720px)')

function subscribe(listener: () => void): () => void {
  query.addEventListener('change', listener)
  return () => query.removeEventListener('change', listener)
}

/** Whether the window is as narrow as a phone. */
export function useNarrow(): boolean {
  return useSyncExternalStore(subscribe, () => query.matches)
}
