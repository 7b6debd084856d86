import type { AuditEvent } from '../../../typescript/src/index.ts'
import type { ListColumn } from '../output/print-list.ts'
import type { Tone } from '../output/table.ts'

const TONES: Readonly<Record<AuditEvent['outcome'], Tone>> = {
  succeeded: 'good',
  denied: 'bad',
  failed: 'warning',
  unknown: 'warning',
  lost: 'bad',
}

/** The columns of a list of audit events. */
export const AUDIT_COLUMNS: readonly ListColumn<AuditEvent>[] = [
  { header: 'TIME', cell: ({ time }) => time.replace(/\.\d+/, '') },
  { header: 'USER', shrinksTo: 12, cell: ({ user }) => user },
  { header: 'VERB', cell: ({ verb }) => orDash(verb) },
  { header: 'RESOURCE', shrinksTo: 10, cell: resourceText },
  { header: 'NAME', shrinksTo: 12, cell: nameText },
  {
    header: 'OUTCOME',
    rank: 1,
    cell: ({ outcome, dry_run: dryRun }) => ({
      text: dryRun === undefined ? outcome : `${outcome} (dry run)`,
      tone: TONES[outcome],
    }),
  },
  { header: 'STATUS', rank: 3, cell: ({ status }) => String(status) },
  { header: 'DETAIL', rank: 2, shrinksTo: 16, cell: detailText },
  { header: 'FROM', rank: 4, wide: true, cell: ({ source_address: from }) => orDash(from) },
  { header: 'DURATION', rank: 6, wide: true, cell: ({ duration_ms: ms }) => `${ms}ms` },
  { header: 'ID', rank: 5, wide: true, cell: ({ resource_id: id }) => orDash(id) },
  { header: 'REQUEST', rank: 7, wide: true, cell: ({ request_id: id }) => orDash(id) },
]

/** `clusters/statuses`, or `deployments.apps` of a plane. */
function resourceText({ resource, subresource, api_group: group, plane }: AuditEvent): string {
  const qualified = plane === '' || group === '' ? resource : `${resource}.${group}`
  return orDash(subresource === '' ? qualified : `${qualified}/${subresource}`)
}

/** The name in its plane and namespace. */
function nameText({ plane, namespace, name, resource_id: id }: AuditEvent): string {
  const own = name === '' ? id : name
  return orDash([plane, namespace, own].filter((text) => text !== '').join('/'))
}

function detailText({ outcome, code, detail, dropped = 0 }: AuditEvent): string {
  if (outcome === 'lost') return `${dropped} events are missing`
  return orDash([code, detail].filter((text) => text !== '').join(': '))
}

function orDash(text: string): string {
  return text === '' ? '-' : text
}
