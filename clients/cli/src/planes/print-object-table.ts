import { tableLines } from '../output/table.ts'
import type { Session } from '../session/session.ts'
import type { ObjectRequest, ObjectView } from './get-objects.ts'
import { objectCells, objectColumns, TABLE, type WireTable } from './object-table.ts'
import { readObjectPages } from './read-object-pages.ts'

/** Prints the table of a list or of one object, with the columns that the server defines. */
export async function printObjectTable(
  session: Session,
  { target, format, headers }: ObjectView,
  request: ObjectRequest,
): Promise<void> {
  const { showNamespace } = request
  const shown = { wide: format.name === 'wide', showNamespace }
  const widths: number[] = []
  let printed = 0
  for await (const page of pagesOf(session, request)) {
    const { columnDefinitions: definitions } = page
    if (page.rows.length === 0) continue
    const rows = page.rows.map((row) => objectCells(row, definitions, shown))
    const columns = objectColumns(definitions, shown)
    const lines = await tableLines({ columns, rows }, session.out, widths)
    const visible = headers && printed === 0 ? lines : lines.slice(1)
    session.out.write(`${visible.join('\n')}\n`)
    printed += page.rows.length
  }
  if (printed === 0) session.err.write(`No ${target.plural} found.\n`)
}

async function* pagesOf(session: Session, request: ObjectRequest): AsyncGenerator<WireTable> {
  if (request.name === null) {
    yield* readObjectPages<WireTable>(session, request, TABLE)
    return
  }
  const { client, signal } = session
  const headers = { Accept: TABLE }
  const read = { method: 'GET', path: request.path, headers, retry: 'always', signal } as const
  yield (await client.request<WireTable>(read)).body
}
