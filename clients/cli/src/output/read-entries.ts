interface Page<T> {
  readonly items: readonly T[]
  /** The `before` of the next page; null on the last page. */
  readonly next: string | null
}

type ReadPage<T> = (page: {
  readonly limit: number
  readonly before: string | undefined
}) => Promise<Page<T>>

/** Reads the newest entries of a log, in pages. */
export async function readEntries<T>(
  limit: number,
  pageSize: number,
  readPage: ReadPage<T>,
): Promise<Page<T>> {
  const items: T[] = []
  let next: string | null = null
  do {
    const before = next ?? undefined
    const page: Page<T> = await readPage({
      limit: Math.min(pageSize, limit - items.length),
      before,
    })
    items.push(...page.items)
    next = page.next
  } while (next !== null && items.length < limit)
  return { items, next }
}
