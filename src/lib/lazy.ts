/** Defers a computation to its first use and caches the result. */
export function lazy<T>(compute: () => T): () => T {
  let result: { readonly value: T } | null = null
  return () => {
    result ??= { value: compute() }
    return result.value
  }
}
