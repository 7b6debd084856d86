import type { Client } from '../servers/http-client.ts'
import { keyOf, type WireObject } from './wire-object.ts'
import type { WatchedList } from './watched-list.ts'

/** The items of all pages of a list. */
export interface ListContents {
  /** The resource version of the first page. */
  readonly resourceVersion: string
  readonly items: Map<string, WireObject>
}

const PAGE_SIZE = 100

/**
 * Reads all pages of a list. Returns null if its parent no longer exists. Each page starts after the
 * last id of the previous page, because page numbers skip items when earlier ones are deleted.
 */
export async function readList(client: Client, list: WatchedList): Promise<ListContents | null> {
  const items = new Map<string, WireObject>()
  let resourceVersion: string | null = null
  let last = ''
  for (;;) {
    const query =
      list.itemType === 'resource' ? pageAfter(last, list.search) : `pageSize=${PAGE_SIZE}`
    const { status, text } = await client.request('GET', `${list.path}?${query}`)
    if (status === 404) return null
    if (status !== 200) throw new Error(`GET ${list.path}?${query} returned ${status}: ${text}`)
    const page: { items: readonly WireObject[]; resource_version: string } = JSON.parse(text)
    resourceVersion ??= page.resource_version
    for (const item of page.items) items.set(keyOf(item), item)
    if (page.items.length < PAGE_SIZE) return { resourceVersion, items }
    last = keyOf(page.items.at(-1) ?? {})
  }
}

function pageAfter(last: string, search: string): string {
  const afterLast = `id > '${last}'`
  const query = new URLSearchParams({
    search: search === '' ? afterLast : `(${search}) and ${afterLast}`,
    orderBy: 'id',
    pageSize: String(PAGE_SIZE),
  })
  return query.toString()
}
