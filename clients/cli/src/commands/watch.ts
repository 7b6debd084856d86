import { type Command, Option } from 'commander'
import { readFormat } from '../output/formats.ts'
import { type Cell, tableLines } from '../output/table.ts'
import type { OpenSession } from '../program/register.ts'
import { adaptersBehind } from '../resources/adapters-behind.ts'
import { readinessOf } from '../resources/readiness-of.ts'
import { selectionOf } from '../resources/selection.ts'
import type { Session } from '../session/session.ts'
import { collectionOf } from '../targets/collection-of.ts'
import { resolveTarget } from '../targets/resolve-target.ts'
import type { Resource } from '../targets/resource.ts'

/** The options of `flotilla watch`. */
interface WatchCommandOptions {
  readonly output?: string | undefined
  readonly selector?: string | undefined
  readonly search?: string | undefined
  readonly cluster?: string | undefined
}

/** `flotilla watch KIND` */
export function register(program: Command, open: OpenSession): void {
  program
    .command('watch')
    .description('Prints each change of a kind as it happens, until Ctrl-C.')
    .argument('<kind>', 'a kind of the HyperFleet API, such as clusters')
    .addOption(new Option('-o, --output <format>', 'json: one event per line'))
    .addOption(
      new Option('-l, --selector <labels>', 'only resources with labels, such as env=prod'),
    )
    .addOption(new Option('--search <tsl>', 'only resources that match a search'))
    .addOption(new Option('--cluster <name>', 'only resources of this cluster'))
    .action(async (kind: string, options: WatchCommandOptions, command: Command) => {
      const session = await open(command)
      await watch(session, kind, options)
    })
}

const COLUMNS = [
  { header: 'TIME' },
  { header: 'EVENT' },
  { header: 'NAME', shrinksTo: 12 },
  { header: 'READY' },
  { header: 'GENERATION', rank: 3 },
  { header: 'REASON', rank: 2, shrinksTo: 10 },
  { header: 'BEHIND', rank: 1, shrinksTo: 10 },
]
/** The usual widths, because later rows are unknown when the headings are printed. */
const WIDTHS = [8, 8, 24, 5, 10, 16, 0]

/** Prints each change of a kind from now on. */
async function watch(session: Session, word: string, options: WatchCommandOptions): Promise<void> {
  const { out, err, signal } = session
  const format = readFormat(options.output, ['json'])
  const purpose = { kubectl: `get ${word} --watch-only`, cluster: options.cluster }
  const target = await resolveTarget(session, word, purpose)
  const kind = (await session.kinds()).find(({ plural }) => plural === target.plural)
  const required = kind?.required_adapters ?? []
  const collection = collectionOf(session, target)
  const { list, search } = await selectionOf(session, { target, format }, options)
  const { resourceVersion } = await collection.list({ ...list, pageSize: 1 }).firstPage()
  const onRetry = () => err.write('The connection was lost; reconnecting.\n')
  const widths = [...WIDTHS]
  let isFirst = true
  for await (const event of collection.watch({ search, resourceVersion, signal, onRetry })) {
    if (format.name === 'json') {
      const { type, resourceVersion: version } = event
      const object = 'object' in event ? event.object : {}
      out.write(`${JSON.stringify({ type, object, resource_version: version })}\n`)
    } else if ('object' in event) {
      const rows = [rowOf(event.type, event.object, { required, now: session.now() })]
      const lines = await tableLines({ columns: COLUMNS, rows }, out, widths)
      out.write(`${(isFirst ? lines : lines.slice(1)).join('\n')}\n`)
      isFirst = false
    }
  }
}

interface RowContext {
  readonly required: readonly string[]
  readonly now: Date
}

function rowOf(type: string, resource: Resource, { required, now }: RowContext): readonly Cell[] {
  const readiness = readinessOf(resource)
  const behind = adaptersBehind(resource, required)
  return [
    now.toISOString().slice(11, 19),
    { text: type, tone: type === 'DELETED' ? 'warning' : null },
    resource.name,
    { text: readiness?.status ?? '-', tone: readiness?.status === 'True' ? 'good' : 'bad' },
    String(resource.generation),
    readiness?.reason ?? '-',
    behind.length === 0 ? '-' : behind.join(','),
  ]
}
