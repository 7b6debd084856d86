/** A resource or a report as lists and watches show it, as far as it is looked into here. */
export interface Shown {
  /** Of a resource. */
  readonly id?: string
  readonly generation?: number
  readonly annotations?: { readonly turn?: string }
  /** Of a report. */
  readonly adapter?: string
  readonly data?: { readonly turn?: number }
}

/** What a list has one of: the id of a resource, the adapter of a report. */
export function keyOf({ id, adapter }: Shown): string {
  return id ?? adapter ?? ''
}

/** Numbers the writes to one object in their order; null where it has not been written to yet. */
export function turnOf({ annotations, data }: Shown): number | null {
  const turn = annotations?.turn ?? data?.turn
  return turn === undefined ? null : Number(turn)
}
