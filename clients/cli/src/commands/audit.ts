import { type Command, Option } from 'commander'
import type { AuditEvent } from '../../../typescript/src/index.ts'
import { AUDIT_COLUMNS } from '../audit/audit-columns.ts'
import { readFormat } from '../output/formats.ts'
import { printList } from '../output/print-list.ts'
import { readEntries } from '../output/read-entries.ts'
import { count } from '../program/count.ts'
import type { OpenSession } from '../program/register.ts'
import { since, type Since } from '../program/since.ts'
import { conjunction } from '../resources/combined-search.ts'
import type { Session } from '../session/session.ts'

/** The options of `flotilla audit`. */
interface AuditOptions {
  readonly output?: string | undefined
  readonly search?: string | undefined
  readonly since?: Since | undefined
  readonly limit: number
}

const DEFAULT_LIMIT = 100

/** `flotilla audit` */
export function register(program: Command, open: OpenSession): void {
  program
    .command('audit')
    .description('Shows who did what, when, from where and with which outcome, newest first.')
    .option('-o, --output <format>', "wide, json, yaml or jsonpath='{.path}'")
    .option('--search <tsl>', 'only events that match a search')
    .option(
      '--since <time>',
      'only events since a time, or for a duration such as 30m or 7d',
      since,
    )
    .addOption(
      new Option('--limit <number>', 'how many events, newest first')
        .argParser(count)
        .default(DEFAULT_LIMIT),
    )
    .addHelpText('after', EXAMPLES)
    .action(async (options: AuditOptions, command: Command) => {
      const session = await open(command)
      await audit(session, options)
    })
}

const EXAMPLES = `
Examples:
  flotilla audit --since 1h
  flotilla audit --search "verb in ('delete', 'forcedelete') and resource = 'clusters'"
  flotilla audit --search "outcome = 'denied'" --since 2026-11-22
`

/** The maximum of the API. */
const PAGE_SIZE = 1000

/** Prints the newest events of the audit log. */
async function audit(
  session: Session,
  { output, search, since: from, limit }: AuditOptions,
): Promise<void> {
  const { client, signal, err, now } = session
  const format = readFormat(output, ['wide', 'json', 'yaml', 'jsonpath'])
  const matching = conjunction([
    ...(from === undefined ? [] : [`time >= '${from(now()).toISOString()}'`]),
    ...(search === undefined ? [] : [search]),
  ])
  const { items, next } = await readEntries<AuditEvent>(limit, PAGE_SIZE, (page) =>
    client.audit({ ...page, search: matching, signal }),
  )
  const document = { kind: 'AuditEventList', items, next }
  await printList(session, format, { plural: 'events', columns: AUDIT_COLUMNS, document })
  if (next !== null) err.write('There are older events: --limit shows more.\n')
}
