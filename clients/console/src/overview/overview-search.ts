/** The search parameters of the overview's address: shared links show the same groups. */
export interface OverviewSearch {
  /** The field that groups each kind, by its plural: a label or a declared field of the spec. */
  readonly by?: Readonly<Record<string, string>>
}

/** Reads the search parameters of the overview's address. */
export function readOverviewSearch(search: Readonly<Record<string, unknown>>): OverviewSearch {
  const { by } = search
  if (typeof by !== 'object' || by === null) return {}
  const fields = Object.entries(by).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string' && entry[1] !== '',
  )
  return fields.length === 0 ? {} : { by: Object.fromEntries(fields) }
}
