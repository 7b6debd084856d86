import type { WatchEvent } from '../../../typescript/src/index.ts'
import { CliError } from '../errors/cli-error.ts'
import { drawEvents } from '../output/draw-events.ts'
import { tableLines } from '../output/table.ts'
import type { Session } from '../session/session.ts'
import type { ObjectRequest, ObjectView } from './get-objects.ts'
import { objectCells, objectColumns, TABLE, type WireRow, type WireTable } from './object-table.ts'

const OTHER_LINES = 3

/** Shows a table of objects and follows their changes until Ctrl-C; pipes receive lines. */
export async function followObjects(
  session: Session,
  view: ObjectView,
  request: ObjectRequest,
): Promise<void> {
  const { name: format } = view.format
  if (format !== 'table' && format !== 'wide') {
    throw new CliError(`objects of a plane cannot be followed as ${format}`, {
      exit: 'usage',
      hint: "Omit -o, or use 'flotilla kubeconfig' and 'kubectl get -w'.",
    })
  }
  const events = watchTables(session, view, request)
  if (session.out.isTty) await draw(session, view, { request, events })
  else await append(session, view, { request, events })
}

interface Followed {
  readonly request: ObjectRequest
  readonly events: AsyncGenerator<WatchEvent<WireTable>, void, undefined>
}

function watchTables(
  { client, signal }: Session,
  { target }: ObjectView,
  { list, name, selector }: ObjectRequest,
): Followed['events'] {
  const path = list.replace(/^\/clusters\/[^/]+\/control-plane/, '')
  const fieldSelector = name === null ? undefined : `metadata.name=${name}`
  const query = { labelSelector: selector, fieldSelector }
  return client.plane(target.cluster).watch<WireTable>(path, {
    query,
    headers: { Accept: TABLE },
    signal,
  })
}

async function append(
  session: Session,
  view: ObjectView,
  { request, events }: Followed,
): Promise<void> {
  const shown = shownOf(view, request)
  let definitions: WireTable['columnDefinitions'] = []
  let needsHeaders = view.headers
  const widths: number[] = []
  for await (const event of events) {
    if (event.type !== 'ADDED' && event.type !== 'MODIFIED') continue
    // Only the first event has the definitions.
    if (event.object.columnDefinitions?.length > 0) definitions = event.object.columnDefinitions
    const rows = event.object.rows.map((row) => objectCells(row, definitions, shown))
    const lines = await tableLines(
      { columns: objectColumns(definitions, shown), rows },
      session.out,
      widths,
    )
    session.out.write(`${(needsHeaders ? lines : lines.slice(1)).join('\n')}\n`)
    needsHeaders = false
  }
}

async function draw(
  session: Session,
  view: ObjectView,
  { request, events }: Followed,
): Promise<void> {
  const { out, signal } = session
  const shown = shownOf(view, request)
  const rows = new Map<string, WireRow>()
  let definitions: WireTable['columnDefinitions'] = []
  await drawEvents(out, {
    events,
    onEvent: (event) => {
      if (event.type === 'RESET') rows.clear()
      else if (event.type !== 'BOOKMARK') {
        if (event.object.columnDefinitions?.length > 0) definitions = event.object.columnDefinitions
        for (const row of event.object.rows) update(rows, row, event.type)
      }
    },
    lines: async () => {
      const visible = [...rows.values()].slice(0, out.rows - OTHER_LINES)
      const cells = visible.map((row) => objectCells(row, definitions, shown))
      const columns = objectColumns(definitions, shown)
      const hidden = rows.size - visible.length
      const footer = signal.aborted ? '' : `live, Ctrl-C ends`
      const more = hidden > 0 ? `${hidden} more do not fit` : ''
      return [
        ...(await tableLines({ columns, rows: cells }, out)),
        out.colors.dim([footer, more].filter((text) => text !== '').join(', ')),
      ]
    },
  })
}

function update(rows: Map<string, WireRow>, row: WireRow, type: string): void {
  const { namespace = '', name } = row.object.metadata
  if (type === 'DELETED') rows.delete(`${namespace}/${name}`)
  else rows.set(`${namespace}/${name}`, row)
}

function shownOf({ format }: ObjectView, { showNamespace }: ObjectRequest) {
  return { wide: format.name === 'wide', showNamespace }
}
