/** The layer above the page. */
export type Overlay = 'palette' | 'help' | null

const listeners = new Set<() => void>()
let current: Overlay = null

/** Shows an overlay, or none. */
export function showOverlay(overlay: Overlay): void {
  current = overlay
  for (const listener of listeners) listener()
}

/** The overlay that is shown. */
export function shownOverlay(): Overlay {
  return current
}

/** Calls a function after each change; the result ends it. */
export function onOverlayChange(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
