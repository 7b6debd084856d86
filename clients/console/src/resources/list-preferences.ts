const COLUMNS = 'flotilla.columns.'
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
