import type { Client } from '../load/client.ts'
import { keyOf, type Shown } from './shown.ts'
import type { Subject } from './subject.ts'

/** A list that was read in full. */
export interface WholeList {
  /** Of its first page. */
  readonly token: string
  readonly items: Map<string, Shown>
}

const PAGE_SIZE = 100

/**
 * Reads a list page by page; null where what it is below is gone. Each page begins behind the last
 * id of the one before it: page numbers would skip what moves up where something is removed.
 */
export async function readList(client: Client, subject: Subject): Promise<WholeList | null> {
  const items = new Map<string, Shown>()
  let token: string | null = null
  let last = ''
  for (;;) {
    const query = subject.isOfResources ? pageBehind(last, subject.search) : `pageSize=${PAGE_SIZE}`
    const { status, text } = await client.request('GET', `${subject.path}?${query}`)
    if (status === 404) return null
    if (status !== 200) throw new Error(`GET ${subject.path}?${query} is ${status}: ${text}`)
    const page: { items: readonly Shown[]; resource_version: string } = JSON.parse(text)
    token ??= page.resource_version
    for (const item of page.items) items.set(keyOf(item), item)
    if (page.items.length < PAGE_SIZE) return { token, items }
    last = keyOf(page.items.at(-1) ?? {})
  }
}

function pageBehind(last: string, search: string): string {
  const behind = `id > '${last}'`
  const query = new URLSearchParams({
    search: search === '' ? behind : `(${search}) and ${behind}`,
    orderBy: 'id',
    pageSize: String(PAGE_SIZE),
  })
  return query.toString()
}
