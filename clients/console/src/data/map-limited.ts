/** Maps items by promises, of which at most `limit` are pending together. Keeps the order. */
export async function mapLimited<T, R>(
  items: readonly T[],
  limit: number,
  map: (item: T) => Promise<R>,
): Promise<readonly R[]> {
  const results: R[] = []
  const rest = items.entries()
  const work = async () => {
    for (const [index, item] of rest) results[index] = await map(item)
  }
  await Promise.all(Array.from({ length: limit }, work))
  return results
}
