import type {
  BelowParent,
  KindCollection,
  ListOptions,
  Page,
} from '../../../typescript/src/index.ts'
import type { Resource } from '../targets/resource.ts'

/** The pages of a list, sorted by name unless the options have another order. */
export function sortedPages(
  collection: KindCollection<Resource>,
  options: ListOptions & BelowParent,
): AsyncIterable<Page<Resource>> {
  return collection.list({ ...options, orderBy: options.orderBy ?? 'name' }).pages()
}
