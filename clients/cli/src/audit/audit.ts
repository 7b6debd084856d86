import type { AuditEvent } from '../../../typescript/src/index.ts'
import type { AuditOptions } from '../commands/audit.ts'
import { readFormat } from '../output/formats.ts'
import { printList } from '../output/print-list.ts'
import { readEntries } from '../output/read-entries.ts'
import { conjunction } from '../resources/combined-search.ts'
import type { Session } from '../session/session.ts'
import { AUDIT_COLUMNS } from './audit-columns.ts'

/** The maximum of the API. */
const PAGE_SIZE = 1000

/** Prints the newest events of the audit log. */
export async function audit(
  session: Session,
  { output, search, since, limit }: AuditOptions,
): Promise<void> {
  const { client, signal, err, now } = session
  const format = readFormat(output, ['wide', 'json', 'yaml', 'jsonpath'])
  const matching = conjunction([
    ...(since === undefined ? [] : [`time >= '${since(now()).toISOString()}'`]),
    ...(search === undefined ? [] : [search]),
  ])
  const { items, next } = await readEntries<AuditEvent>(limit, PAGE_SIZE, (page) =>
    client.audit({ ...page, search: matching, signal }),
  )
  const document = { kind: 'AuditEventList', items, next }
  await printList(session, format, { plural: 'events', columns: AUDIT_COLUMNS, document })
  if (next !== null) err.write('There are older events: --limit shows more.\n')
}
