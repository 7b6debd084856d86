import type {
  BelowParent,
  KindCollection,
  ListOptions,
  Page,
} from '../../../typescript/src/index.ts'
import type { Resource } from '../targets/resource.ts'

const PAGE_SIZE = 1000

/**
 * The pages of a list: sorted by name if one page holds all of it. Longer lists come in the order of
 * their creation, because pages of another order can miss resources while others are removed.
 */
export async function* sortedPages(
  collection: KindCollection<Resource>,
  options: ListOptions & BelowParent,
): AsyncGenerator<Page<Resource>, void, undefined> {
  if (options.orderBy !== undefined) {
    yield* collection.list(options).pages()
    return
  }
  const sorted = { ...options, orderBy: 'name', pageSize: PAGE_SIZE }
  const first = await collection.list(sorted).firstPage()
  if (first.total <= first.items.length) yield first
  else yield* collection.list(options).pages()
}
