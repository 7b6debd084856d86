import type { Format } from './formats.ts'
import { objectText } from './object-text.ts'

interface ListPages {
  /** The kind of the list, such as `ClusterList`. */
  readonly kind: string
  readonly pages: AsyncIterable<{ readonly items: readonly unknown[] }>
}

/** Writes a list as JSON or YAML page by page, so that its length needs no memory. */
export async function writeList(
  format: Extract<Format, { readonly name: 'json' | 'yaml' }>,
  write: (text: string) => void,
  { kind, pages }: ListPages,
): Promise<void> {
  const empty = await objectText(format, { kind, items: [] })
  const head = empty.slice(0, empty.indexOf('[]'))
  const isJson = format.name === 'json'
  let written = 0
  for await (const { items } of pages) {
    if (items.length === 0) continue
    const text = itemsOf(await objectText(format, { kind, items }), head)
    if (written === 0) write(isJson ? `${head}[` : head.trimEnd())
    write(isJson && written > 0 ? `,${text}` : text)
    written += items.length
  }
  if (written === 0) write(empty)
  else write(isJson ? '\n  ]\n}\n' : '\n')
}

/** The items in the text of a list, from the line break before the first one. */
function itemsOf(text: string, head: string): string {
  const isJson = text.startsWith('{')
  const start = text.indexOf('\n', head.trimEnd().length)
  return isJson ? text.slice(start, text.lastIndexOf('\n  ]')) : text.slice(start, -1)
}
