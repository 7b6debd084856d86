/** Splits items into chunks of at most `maxSize`. An item larger than that gets its own chunk. */
export function chunksOf<T>(
  items: readonly T[],
  sizeOf: (item: T) => number,
  maxSize: number,
): readonly (readonly T[])[] {
  const chunks: T[][] = []
  let size = Infinity
  for (const item of items) {
    size += sizeOf(item)
    const last = chunks.at(-1)
    if (last && size <= maxSize) last.push(item)
    else {
      chunks.push([item])
      size = sizeOf(item)
    }
  }
  return chunks
}
