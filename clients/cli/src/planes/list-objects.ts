import { readFormat } from '../output/formats.ts'
import { objectText } from '../output/object-text.ts'
import { type Cell, tableLines } from '../output/table.ts'
import type { Session } from '../session/session.ts'

/** The media type of tables that the server computes. */
const TABLE = 'application/json;as=Table;v=v1;g=meta.k8s.io,application/json'
const PAGE_SIZE = 500

/** Objects of one type in a plane. */
interface ListedObjects {
  readonly path: string
  readonly plural: string
  readonly singular: string
  /** Whether the path includes several namespaces, so that each row needs its own. */
  readonly showNamespace: boolean
}

interface NamedObject {
  readonly metadata: { readonly name: string; readonly namespace?: string | undefined }
}

interface WireTable {
  readonly columnDefinitions: readonly {
    readonly name: string
    /** Columns above 0 are for wide tables. */
    readonly priority: number
  }[]
  readonly rows: readonly { readonly cells: readonly unknown[]; readonly object: NamedObject }[]
}

/** Prints objects of a plane: as a table with the columns of the server, or for programs. */
export async function listObjects(
  session: Session,
  listed: ListedObjects,
  output: string | undefined,
): Promise<void> {
  const format = readFormat(output, ['wide', 'json', 'yaml', 'name', 'jsonpath'])
  if (format.name === 'table' || format.name === 'wide') {
    await printTable(session, listed, format.name === 'wide')
    return
  }
  const items: NamedObject[] = []
  for await (const page of pagesOf<{ readonly items: readonly NamedObject[] }>(session, listed)) {
    items.push(...page.items)
  }
  if (format.name !== 'name') {
    session.out.write(await objectText(format, { apiVersion: 'v1', kind: 'List', items }))
    return
  }
  for (const { metadata } of items) {
    const within = listed.showNamespace ? `${metadata.namespace}/` : ''
    session.out.write(`${listed.singular}/${within}${metadata.name}\n`)
  }
}

async function printTable(session: Session, listed: ListedObjects, wide: boolean): Promise<void> {
  const { showNamespace, plural } = listed
  const widths: number[] = []
  let printed = 0
  for await (const { columnDefinitions, rows } of pagesOf<WireTable>(session, listed, TABLE)) {
    if (rows.length === 0) continue
    const shown = columnDefinitions.flatMap(({ name, priority }, index) =>
      wide || priority === 0 ? [{ index, header: name.toUpperCase() }] : [],
    )
    // Narrow terminals lose the last columns first.
    const own = shown.map(({ header }, rank) => ({ header, rank, shrinksTo: 12 }))
    const columns = showNamespace ? [{ header: 'NAMESPACE', shrinksTo: 12 }, ...own] : own
    const cells = rows.map(({ cells: all, object }) => [
      ...(showNamespace ? [object.metadata.namespace ?? ''] : []),
      ...shown.map(({ index }) => cellOf(all[index])),
    ])
    const lines = await tableLines({ columns, rows: cells }, session.out, widths)
    session.out.write(`${(printed === 0 ? lines : lines.slice(1)).join('\n')}\n`)
    printed += rows.length
  }
  if (printed === 0) session.err.write(`No ${plural} found.\n`)
}

interface WirePage {
  readonly metadata: { readonly continue?: string | undefined }
}

async function* pagesOf<T>(
  { client, signal }: Session,
  { path }: ListedObjects,
  accept = 'application/json',
): AsyncGenerator<T & WirePage, void, undefined> {
  for (let next: string | undefined; ;) {
    const query = { limit: PAGE_SIZE, continue: next }
    const headers = { Accept: accept }
    const request = { method: 'GET', path, query, headers, retry: 'always', signal } as const
    const { body } = await client.request<T & WirePage>(request)
    yield body
    next = body.metadata.continue
    if (next === undefined || next === '') return
  }
}

function cellOf(value: unknown): Cell {
  if (value === null || value === undefined) return { text: '<none>', tone: 'quiet' }
  return typeof value === 'string' ? value : JSON.stringify(value)
}
