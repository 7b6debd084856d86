/** The search parameters of the address of the adapters. */
export interface AdaptersSearch {
  /** The plural of the kind whose adapters are shown. */
  readonly kind?: string
}

/** Reads the search parameters of the address of the adapters. */
export function readAdaptersSearch({ kind }: Readonly<Record<string, unknown>>): AdaptersSearch {
  return typeof kind === 'string' && kind !== '' ? { kind } : {}
}
