/** The fields of a resource or a report that the rebuild check reads. */
export interface WireObject {
  /** Resources only. */
  readonly id?: string
  readonly generation?: number
  readonly annotations?: { readonly sequence?: string }
  /** Reports only. */
  readonly adapter?: string
  readonly data?: { readonly sequence?: number }
}

/** The key of an object in its list: the id of a resource, the adapter of a report. */
export function keyOf({ id, adapter }: WireObject): string {
  return id ?? adapter ?? ''
}

/** The sequence number of the last write to an object, or null if the writers have not written it. */
export function sequenceOf({ annotations, data }: WireObject): number | null {
  const sequence = annotations?.sequence ?? data?.sequence
  return sequence === undefined ? null : Number(sequence)
}
