import { drawEvents } from '../output/draw-events.ts'
import { tableLines } from '../output/table.ts'
import { visibleText } from '../output/visible-text.ts'
import type { Session } from '../session/session.ts'
import type { Resource } from '../targets/resource.ts'
import type { Followed } from './followed.ts'
import { readinessOf } from './readiness-of.ts'
import { openResourceRows } from './resource-rows.ts'
import type { View } from './view.ts'

/** The headings, the line of the status and the line of the cursor. */
const OTHER_LINES = 3

/** Shows a table that follows the changes in place, until Ctrl-C. */
export async function drawChanges(
  session: Session,
  view: View,
  follow: (onRetry: () => void) => Promise<Followed>,
): Promise<void> {
  const { out, signal } = session
  let status = 'live'
  const { resources, events } = await follow(() => {
    status = 'reconnecting'
  })
  const shown = new Map(resources.map((one) => [one.id, one]))
  const { columns, rowsOf } = await openResourceRows(session, view)
  await drawEvents(out, {
    events,
    onEvent: (event) => {
      status = 'live'
      if (event.type === 'RESET') shown.clear()
      else if (event.type === 'DELETED') shown.delete(event.object.id)
      else if (event.type !== 'BOOKMARK') shown.set(event.object.id, event.object)
    },
    lines: async () => {
      const fitting = choose([...shown.values()], out.rows - OTHER_LINES)
      const lines = await tableLines({ columns, rows: await rowsOf(fitting) }, out)
      const footer = footerOf([...shown.values()], fitting.length, signal.aborted ? null : status)
      return [...lines, out.colors.dim(visibleText(footer).slice(0, out.columns - 1))]
    },
  })
}

/** The rows that fit the screen. If some do not, those that are not ready come first. */
function choose(resources: readonly Resource[], most: number): readonly Resource[] {
  if (resources.length <= most) return resources
  const notReady = resources.filter((one) => !isReady(one)).slice(0, most)
  if (notReady.length >= most) return notReady
  const ready = resources.filter(isReady).slice(0, Math.max(0, most - notReady.length))
  return [...notReady, ...ready]
}

function footerOf(resources: readonly Resource[], visible: number, status: string | null): string {
  const notReady = resources.filter((one) => !isReady(one)).length
  const hidden = resources.length - visible
  return [
    ...(status === null ? [] : [status]),
    `${notReady} of ${resources.length} not ready`,
    ...(hidden > 0 ? [`${hidden} more do not fit`] : []),
    ...(status === null ? [] : ['Ctrl-C ends']),
  ].join(', ')
}

const isReady = (resource: Resource) => readinessOf(resource)?.status === 'True'
