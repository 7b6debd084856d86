/** Splits items into runs of at most this size together; what is larger alone is a run of its own. */
export function chunksOf<T>(
  items: readonly T[],
  sizeOf: (item: T) => number,
  maxSize: number,
): readonly (readonly T[])[] {
  const parcels: T[][] = []
  let size = Infinity
  for (const item of items) {
    size += sizeOf(item)
    const last = parcels.at(-1)
    if (last && size <= maxSize) last.push(item)
    else {
      parcels.push([item])
      size = sizeOf(item)
    }
  }
  return parcels
}
