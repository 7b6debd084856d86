import type { Command } from 'commander'
import { readFormat } from '../output/formats.ts'
import { objectText } from '../output/object-text.ts'
import { tableLines } from '../output/table.ts'
import type { OpenSession } from '../program/register.ts'
import type { Session } from '../session/session.ts'
import { kindNamed } from '../targets/kind-named.ts'
import { readResource } from '../targets/read-resource.ts'

/** The options of `flotilla snapshot`. */
interface SnapshotOptions {
  readonly resource?: readonly string[] | undefined
  readonly output?: string | undefined
}

/** `flotilla snapshot CLUSTER` */
export function register(program: Command, open: OpenSession): void {
  program
    .command('snapshot')
    .description(
      'Shows the whole state of a cluster at one moment: resources, reports and objects.',
    )
    .argument('<cluster>', 'the name or ID of a cluster')
    .option('--resource <types...>', 'only these types, such as nodepools, statuses or configmaps')
    .option(
      '-o, --output <format>',
      "json, yaml or jsonpath='{.path}' (default: a table of counts)",
    )
    .action(async (cluster: string, options: SnapshotOptions, command: Command) => {
      const session = await open(command)
      await snapshot(session, cluster, options)
    })
}

const COLUMNS = [
  { header: 'RESOURCE' },
  { header: 'GROUP', rank: 1 },
  { header: 'ITEMS' },
  { header: 'COMPLETE', rank: 2 },
]

/** Prints the state of a cluster, or the number of items of each type. */
async function snapshot(
  session: Session,
  cluster: string,
  { resource, output }: SnapshotOptions,
): Promise<void> {
  const format = readFormat(output, ['json', 'yaml', 'jsonpath'])
  const { client, signal, out, err } = session
  const { id } = await readResource(session, await kindNamed(session, 'Cluster'), { name: cluster })
  const state = await client.plane(id).state({ resource, signal, warm: true })
  if (format.name === 'json' || format.name === 'yaml' || format.name === 'jsonpath') {
    out.write(await objectText(format, state))
    return
  }
  const rows = state.resources.map((one) => [
    one.resource,
    one.group,
    String(one.itemCount),
    one.synced ? { text: 'yes', tone: null } : { text: 'not yet', tone: 'warning' as const },
  ])
  for (const line of await tableLines({ columns: COLUMNS, rows }, out)) out.write(`${line}\n`)
  err.write(`${state.totalItems()} items at ${state.snapshotTime}.\n`)
}
