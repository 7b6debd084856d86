import type { HistoryEntry, HistoryList } from '../../../typescript/src/index.ts'
import type { HistoryOptions } from '../commands/history.ts'
import { CliError } from '../errors/cli-error.ts'
import { EXIT } from '../errors/exit-codes.ts'
import { readFormat } from '../output/formats.ts'
import { objectText } from '../output/object-text.ts'
import { readEntries } from '../output/read-entries.ts'
import type { Session } from '../session/session.ts'
import { collectionOf } from '../targets/collection-of.ts'
import type { KindTarget } from '../targets/kind-target.ts'
import { namedArgument, type ObjectArgument } from '../targets/named-argument.ts'
import { isId, readResource } from '../targets/read-resource.ts'
import { resolveTarget } from '../targets/resolve-target.ts'
import { entryLines } from './entry-lines.ts'

/** The maximum of the API. */
const PAGE_SIZE = 200

/** Prints what happened to a resource, newest first. */
export async function history(
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
  const id = await idOf(session, target, name, cluster)
  const list = await readHistory(session, target, id, limit)
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
  session: Session,
  target: KindTarget,
  id: string,
  limit: number,
): Promise<HistoryList> {
  const { signal } = session
  const collection = collectionOf(session, target)
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
  name: string,
  cluster: string | undefined,
): Promise<string> {
  if (isId(name)) return name
  try {
    return (await readResource(session, target, name, { cluster })).id
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
