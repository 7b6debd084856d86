import type { Page } from '../../../typescript/src/index.ts'
import { json } from '../output/json.ts'
import type { Format } from '../output/formats.ts'
import { tableLines } from '../output/table.ts'
import type { Session } from '../session/session.ts'
import type { KindTarget } from '../targets/kind-target.ts'
import type { Resource } from '../targets/resource.ts'
import { addParentNames } from './parent-names.ts'
import { resourceColumns } from './resource-columns.ts'

/** How resources are printed. */
export interface View {
  readonly target: KindTarget
  readonly format: Format
  readonly headers: boolean
}

export type Source =
  | { readonly single: Resource }
  | { readonly pages: AsyncIterable<Page<Resource>> }

/** Prints one resource or the pages of a list. */
export async function printResources(session: Session, view: View, source: Source): Promise<void> {
  const { format } = view
  if (format.name === 'table' || format.name === 'wide') await printTable(session, view, source)
  else session.out.write(await document(format, view.target, source))
}

async function printTable(session: Session, view: View, source: Source): Promise<void> {
  const { target, format, headers } = view
  const parent = target.parentKind?.toUpperCase() ?? null
  const columns = resourceColumns({ wide: format.name === 'wide', parent })
  const parents = new Map<string, string>()
  let printed = 0
  for await (const { items } of pagesOf(source)) {
    await addParentNames(session, target, { resources: items, names: parents })
    const context = { now: session.now(), required: [], parents }
    const rows = items.map((item) => columns.map(({ cell }) => cell(item, context)))
    const lines = await tableLines({ columns, rows }, session.out)
    const shown = headers && printed === 0 ? lines : lines.slice(1)
    if (items.length > 0) session.out.write(`${shown.join('\n')}\n`)
    printed += items.length
  }
  if (printed === 0) session.err.write(`No ${target.plural} found.\n`)
}

async function document(format: Format, target: KindTarget, source: Source): Promise<string> {
  const items: Resource[] = []
  for await (const page of pagesOf(source)) items.push(...page.items)
  if (format.name === 'name') {
    return items.map(({ name }) => `${target.singular}/${name}\n`).join('')
  }
  const value = 'single' in source ? source.single : { kind: `${target.kind}List`, items }
  if (format.name === 'jsonpath') {
    const { jsonpath } = await import('../output/jsonpath.ts')
    return jsonpath(format.template, value)
  }
  if (format.name === 'json') return json(value)
  const { stringify } = await import('yaml')
  return stringify(value)
}

async function* pagesOf(source: Source): AsyncGenerator<{ readonly items: readonly Resource[] }> {
  if ('single' in source) yield { items: [source.single] }
  else yield* source.pages
}
