import { type Command, Option } from 'commander'
import type { HistoryEntry, HistoryList, KindCollection } from '../../../typescript/src/index.ts'
import { CliError } from '../errors/cli-error.ts'
import { EXIT } from '../errors/exit-codes.ts'
import { entryLines } from '../history/entry-lines.ts'
import { readFormat } from '../output/formats.ts'
import { objectText } from '../output/object-text.ts'
import { readEntries } from '../output/read-entries.ts'
import { count } from '../program/count.ts'
import type { OpenSession } from '../program/register.ts'
import type { Session } from '../session/session.ts'
import { collectionOf } from '../targets/collection-of.ts'
import type { KindTarget } from '../targets/kind-target.ts'
import { namedArgument, type ObjectArgument } from '../targets/named-argument.ts'
import { isId, readResource, type ResourceName } from '../targets/read-resource.ts'
import { resolveTarget } from '../targets/resolve-target.ts'
import type { Resource } from '../targets/resource.ts'

/** The options of `flotilla history`. */
interface HistoryOptions {
  readonly output?: string | undefined
  readonly cluster?: string | undefined
  readonly limit: number
}

const DEFAULT_LIMIT = 50

/** `flotilla history KIND NAME` */
export function register(program: Command, open: OpenSession): void {
  program
    .command('history')
    .description('Shows what happened to a resource: when, who, and each changed value.')
    .argument('<kind>', 'a kind of the HyperFleet API, such as cluster; or KIND/NAME')
    .argument('[name]', 'a name or an ID; a node pool is CLUSTER/NAME; removed resources have IDs')
    .option('-o, --output <format>', "json, yaml or jsonpath='{.path}'")
    .option('--cluster <name>', 'the cluster of a node pool')
    .addOption(
      new Option('--limit <number>', 'how many entries, newest first')
        .argParser(count)
        .default(DEFAULT_LIMIT),
    )
    .action(
      async (kind: string, name: string | undefined, options: HistoryOptions, command: Command) => {
        const session = await open(command)
        await history(session, { kind, name }, options)
      },
    )
}

/** The maximum of the API. */
const PAGE_SIZE = 200

/** Prints what happened to a resource, newest first. */
async function history(
  session: Session,
  argument: ObjectArgument,
  { output, cluster, limit }: HistoryOptions,
): Promise<void> {
  const { out, err } = session
  const format = readFormat(output, ['json', 'yaml', 'jsonpath'])
  const { kind, name } = namedArgument('history', argument)
  const target = await resolveTarget(session, kind, {
    kubectl: `describe ${kind} ${name}`,
    cluster,
  })
  const id = await idOf(session, target, { name, cluster })
  const collection = collectionOf(session, target)
  const list = await readHistory(collection, id, { limit, signal: session.signal })
  if (format.name === 'json' || format.name === 'yaml' || format.name === 'jsonpath') {
    out.write(await objectText(format, list))
    return
  }
  const now = session.now()
  const blocks = list.items.map((entry) => entryLines(entry, { now, colors: out.colors }))
  if (blocks.length > 0) out.write(`${blocks.map((lines) => lines.join('\n')).join('\n\n')}\n`)
  else err.write('The history has no entries yet: a write appears after about a second.\n')
  if (list.next !== null) err.write('There are older entries: --limit shows more.\n')
  else if (!list.complete) err.write('Older entries have been dropped (HISTORY_RETENTION).\n')
}

async function readHistory(
  collection: KindCollection<Resource>,
  id: string,
  { limit, signal }: { readonly limit: number; readonly signal: AbortSignal },
): Promise<HistoryList> {
  let complete = false
  const { items, next } = await readEntries<HistoryEntry>(limit, PAGE_SIZE, async (page) => {
    const list = await collection.history(id, { ...page, signal })
    complete = list.complete
    return list
  })
  return { kind: 'HistoryList', items, next, complete }
}

/** The ID of a resource. IDs need no lookup, because the resource may have been removed. */
async function idOf(
  session: Session,
  target: KindTarget,
  { name, cluster }: ResourceName,
): Promise<string> {
  if (isId(name)) return name
  try {
    return (await readResource(session, target, { name, cluster })).id
  } catch (error) {
    if (!(error instanceof CliError) || error.exitCode !== EXIT.notFound) throw error
    const search = `resource = '${target.plural}' and name = '${name}'`
    throw new CliError(error.message, {
      exit: 'notFound',
      hint: `'flotilla audit --search "${search}" -o wide' shows the ID of a removed resource, which 'flotilla history' accepts.`,
      cause: error,
    })
  }
}
