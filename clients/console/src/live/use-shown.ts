import { useSyncExternalStore } from 'react'

/** Whether the window of the page is visible. */
export function useShown(): boolean {
  return useSyncExternalStore(subscribe, isShown)
}

function isShown(): boolean {
  return document.visibilityState === 'visible'
}

function subscribe(listener: () => void): () => void {
  document.addEventListener('visibilitychange', listener)
  return () => document.removeEventListener('visibilitychange', listener)
}
