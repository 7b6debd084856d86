/** The place of a reader in a list. */
export interface ListPlace {
  /** Pixels from the first row. */
  readonly offset: number
  /** The row of the keyboard. */
  readonly active: number
}

/** The places of the lists that this tab has shown, by the entries of its history. */
const places = new Map<string, ListPlace>()

/** The place at which the user left a list; the start for a new entry of the history. */
export function listPlace(entry: string): ListPlace {
  return places.get(entry) ?? { offset: 0, active: 0 }
}

/** Records the place, for the way back. */
export function keepPlace(entry: string, place: ListPlace): void {
  places.set(entry, place)
}
