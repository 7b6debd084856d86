const COLUMNS = 'flotilla.columns.'
const WIDTHS = 'flotilla.widths.'
const SEARCHES = 'flotilla.searches.'
const MAX_SEARCHES = 20

/** The columns that the user chose for a kind on this device. */
export function storedColumns(plural: string): string | undefined {
  return window.localStorage.getItem(COLUMNS + plural) ?? undefined
}

/** Stores the visible columns of a kind. */
export function storeColumns(plural: string, columns: string): void {
  window.localStorage.setItem(COLUMNS + plural, columns)
}

/** The widths that the user chose for columns of a kind on this device, in pixels. */
export function storedWidths(plural: string): Readonly<Record<string, number>> {
  const entries = (window.localStorage.getItem(WIDTHS + plural) ?? '').split(',')
  const pairs = entries.map((entry) => entry.split(':'))
  return Object.fromEntries(
    pairs.flatMap(([id = '', width]) => (Number(width) > 0 ? [[id, Number(width)]] : [])),
  )
}

/** Stores the chosen widths of a kind. */
export function storeWidths(plural: string, widths: Readonly<Record<string, number>>): void {
  const text = Object.entries(widths).map(([id, width]) => `${id}:${Math.round(width)}`)
  window.localStorage.setItem(WIDTHS + plural, text.join(','))
}

/** The searches that the user saved for a kind, the newest first. */
export function savedSearches(plural: string): readonly string[] {
  const text = window.localStorage.getItem(SEARCHES + plural) ?? ''
  return text.split('\n').filter((search) => search !== '')
}

/** Saves a search, or removes it if it is saved. */
export function toggleSavedSearch(plural: string, search: string): void {
  const others = savedSearches(plural).filter((one) => one !== search)
  const isSaved = others.length < savedSearches(plural).length
  const next = isSaved ? others : [search.replaceAll('\n', ' '), ...others].slice(0, MAX_SEARCHES)
  window.localStorage.setItem(SEARCHES + plural, next.join('\n'))
}
