import type { Page } from '../../../typescript/src/index.ts'
import { objectText } from '../output/object-text.ts'
import { tableLines } from '../output/table.ts'
import type { Session } from '../session/session.ts'
import type { Resource } from '../targets/resource.ts'
import { openResourceRows } from './resource-rows.ts'
import { resourceNames } from './resource-names.ts'
import type { View } from './view.ts'

export type Source =
  | { readonly single: Resource }
  | { readonly pages: AsyncIterable<Page<Resource>> }

/** Prints one resource, or a list page by page. */
export async function printResources(session: Session, view: View, source: Source): Promise<void> {
  const { format, target } = view
  if (format.name === 'table' || format.name === 'wide') {
    await printTable(session, view, source)
    return
  }
  if (format.name === 'name') {
    for await (const { items } of pagesOf(source)) {
      const names = await resourceNames(session, target, items)
      session.out.write(names.map((name) => `${name}\n`).join(''))
    }
    return
  }
  session.out.write(await objectText(format, await documentOf(target.kind, source)))
}

async function printTable(session: Session, view: View, source: Source): Promise<void> {
  const { columns, rowsOf } = await openResourceRows(session, view)
  const widths: number[] = []
  let printed = 0
  for await (const { items } of pagesOf(source)) {
    if (items.length === 0) continue
    const lines = await tableLines({ columns, rows: await rowsOf(items) }, session.out, widths)
    const shown = view.headers && printed === 0 ? lines : lines.slice(1)
    session.out.write(`${shown.join('\n')}\n`)
    printed += items.length
  }
  if (printed === 0) session.err.write(`No ${view.target.plural} found.\n`)
}

async function documentOf(kind: string, source: Source): Promise<unknown> {
  if ('single' in source) return source.single
  const items: Resource[] = []
  for await (const page of source.pages) items.push(...page.items)
  return { kind: `${kind}List`, items }
}

async function* pagesOf(source: Source): AsyncGenerator<{ readonly items: readonly Resource[] }> {
  if ('single' in source) yield { items: [source.single] }
  else yield* source.pages
}
