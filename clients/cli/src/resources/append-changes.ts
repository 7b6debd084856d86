import { objectText } from '../output/object-text.ts'
import { tableLines } from '../output/table.ts'
import type { Session } from '../session/session.ts'
import type { Resource } from '../targets/resource.ts'
import type { Followed } from './followed.ts'
import { resourceNames } from './resource-names.ts'
import { openResourceRows } from './resource-rows.ts'
import type { View } from './view.ts'

/** Prints the resources and then each change, without removing lines: for pipes and files. */
export async function appendChanges(
  session: Session,
  view: View,
  { resources, events }: Followed,
): Promise<void> {
  const print = await printerOf(session, view)
  await print(resources)
  for await (const event of events) {
    if (event.type === 'ADDED' || event.type === 'MODIFIED') await print([event.object])
    if (event.type === 'DELETED') {
      session.err.write(`${view.target.singular} ${event.object.name} has left the list\n`)
    }
  }
}

type Print = (resources: readonly Resource[]) => Promise<void>

async function printerOf(session: Session, { target, format, headers }: View): Promise<Print> {
  const { out } = session
  switch (format.name) {
    case 'table':
    case 'wide': {
      const { columns, rowsOf } = await openResourceRows(session, { target, format })
      const widths: number[] = []
      let isFirst = true
      return async (resources) => {
        const lines = await tableLines({ columns, rows: await rowsOf(resources) }, out, widths)
        const shown = isFirst && headers ? lines : lines.slice(1)
        isFirst = false
        out.write(shown.map((line) => `${line}\n`).join(''))
      }
    }
    case 'name':
      return async (resources) => {
        const names = await resourceNames(session, target, resources)
        out.write(names.map((name) => `${name}\n`).join(''))
      }
    case 'json':
      // One line per object, so that programs can read the stream.
      return async (resources) => {
        out.write(resources.map((one) => `${JSON.stringify(one)}\n`).join(''))
      }
    case 'yaml':
    case 'jsonpath':
      return async (resources) => {
        const separator = format.name === 'yaml' ? '---\n' : ''
        for (const one of resources) out.write(separator + (await objectText(format, one)))
      }
  }
}
