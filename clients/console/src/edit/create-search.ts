/** The address of the page that creates a resource. */
export interface CreateSearch {
  /** The ID of the parent. */
  readonly parent?: string
}

/** Reads the search parameters of the address. */
export function readCreateSearch(search: Readonly<Record<string, unknown>>): CreateSearch {
  const { parent } = search
  return typeof parent === 'string' && parent !== '' ? { parent } : {}
}
