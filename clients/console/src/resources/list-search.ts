/** The search parameters of a list's address: shared links show the same list. */
export interface ListSearch {
  /** A TSL expression. */
  readonly q?: string
  /** A field and a direction, such as `name asc`. */
  readonly sort?: string
  /** The IDs of the visible columns, separated by commas. */
  readonly columns?: string
  /** The name of the view that was opened. */
  readonly view?: string
}

/** Reads the search parameters of a list's address. */
export function readListSearch(search: Readonly<Record<string, unknown>>): ListSearch {
  const text = (name: string) => {
    const value = search[name]
    return typeof value === 'string' && value !== '' ? value : undefined
  }
  const [q, sort, columns, view] = [text('q'), text('sort'), text('columns'), text('view')]
  return {
    ...(q !== undefined && { q }),
    ...(sort !== undefined && { sort }),
    ...(columns !== undefined && { columns }),
    ...(view !== undefined && { view }),
  }
}
