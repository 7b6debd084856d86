import type { Page } from '../../../typescript/src/index.ts'
import { objectText } from '../output/object-text.ts'
import { tableLines } from '../output/table.ts'
import { writeList } from '../output/write-list.ts'
import type { Session } from '../session/session.ts'
import type { Resource } from '../targets/resource.ts'
import { openResourceRows } from './resource-rows.ts'
import { resourceNames } from './resource-names.ts'
import type { View } from './view.ts'
import { withProgress } from './with-progress.ts'

export type Source =
  | { readonly single: Resource }
  | { readonly pages: AsyncIterable<Page<Resource>> }

/** Prints one resource, or a list page by page. */
export async function printResources(session: Session, view: View, source: Source): Promise<void> {
  const { format, target } = view
  const { out } = session
  if (format.name === 'table' || format.name === 'wide') {
    await printTable(session, view, source)
  } else if (format.name === 'name') {
    for await (const { items } of pagesOf(session, source)) {
      const names = await resourceNames(session, target, items)
      out.write(names.map((name) => `${name}\n`).join(''))
    }
  } else if ('single' in source) {
    out.write(await objectText(format, source.single))
  } else if (format.name === 'jsonpath') {
    const items: Resource[] = []
    const pages = pagesOf({ out: null, err: session.err }, source)
    for await (const page of pages) items.push(...page.items)
    out.write(await objectText(format, { kind: `${target.kind}List`, items }))
  } else {
    const pages = pagesOf(session, source)
    await writeList(format, out.write, { kind: `${target.kind}List`, pages })
  }
}

async function printTable(session: Session, view: View, source: Source): Promise<void> {
  const { columns, rowsOf } = await openResourceRows(session, view)
  const widths: number[] = []
  let printed = 0
  for await (const { items } of pagesOf(session, source)) {
    if (items.length === 0) continue
    const lines = await tableLines({ columns, rows: await rowsOf(items) }, session.out, widths)
    const shown = view.headers && printed === 0 ? lines : lines.slice(1)
    session.out.write(`${shown.join('\n')}\n`)
    printed += items.length
  }
  if (printed === 0) session.err.write(`No ${view.target.plural} found.\n`)
}

async function* pagesOf(
  outputs: Parameters<typeof withProgress>[0],
  source: Source,
): AsyncGenerator<{ readonly items: readonly Resource[] }> {
  if ('single' in source) yield { items: [source.single] }
  else yield* withProgress(outputs, source.pages)
}
