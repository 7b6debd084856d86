const KEY = 'flotilla.start'

/** The name of the view that this browser opens first; null for the overview. */
export function startView(): string | null {
  return window.localStorage.getItem(KEY)
}

/** Stores the view that this browser opens first. */
export function chooseStartView(name: string | null): void {
  if (name === null) window.localStorage.removeItem(KEY)
  else window.localStorage.setItem(KEY, name)
}
