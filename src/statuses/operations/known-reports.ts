import type { ReportedResource } from '../../core/model/resource.ts'
import type { StatusSummary, StoredCondition } from '../../core/model/status-record.ts'
import type { PartialBasis, StoredReport } from '../storage/report-basis.ts'

/** What an entry takes in memory beside its reports, and a report beside its text, as measured. */
const BYTES_OF_ENTRY = 500
const BYTES_OF_REPORT = 200

/** How long a resource is kept for, once memory is full: several intervals of heartbeats. */
const KEPT_MS = 120_000
/** How many of the oldest entries are looked at for one that can go. */
const LOOKED_AT = 8

/** A live resource whose conditions follow from its reports at this version. */
export type SettledResource = Pick<
  ReportedResource,
  'id' | 'tenant' | 'kind' | 'ownerId' | 'generation' | 'version'
>

/**
 * The reports that this process stored last, of resources at their settled versions. Somebody else
 * may have written them since: whoever uses one writes only where version and revision are the same.
 */
export interface KnownReports {
  /** The resource and those of its rows that are of these adapters; null where it is not known. */
  of(id: string, adapters: readonly string[]): PartialBasis | null
  note(resource: SettledResource, report: StoredReport): void
  /** The row of a report that is known has been written again, with the same conditions. */
  repeated(id: string, report: Repeated): void
  forget(id: string): void
  clear(): void
}

/** What is new in a report that repeats its row. */
export type Repeated = Pick<
  StoredReport,
  'adapter' | 'revision' | 'observedTime' | 'lastReportTime'
>

/**
 * A row. What it says is one text: many small objects that live long are dear for the garbage
 * collector, which looks at each. Times in ms since 1970.
 */
interface Row {
  readonly adapter: string
  readonly says: string
  readonly createdTime: number
  revision: number
  observedTime: number
  lastReportTime: number
}

/** What the text of a row has. */
interface Says extends Pick<StatusSummary, 'observedGeneration' | 'available' | 'finalized'> {
  readonly conditions: readonly StoredCondition[]
}

interface Entry {
  readonly resource: PartialBasis['resource']
  readonly rows: readonly Row[]
  readonly bytes: number
  usedAt: number
}

/**
 * Keeps about so many bytes. When they are used up, a resource comes in only for one without a
 * report for two minutes: heartbeats go round, and if each new one pushed out the oldest, none
 * would be there when its turn comes.
 */
export function createKnownReports(
  maxBytes: number,
  now: () => number = () => performance.now(),
): KnownReports {
  const entries = new Map<string, Entry>()
  let total = 0

  function forget(id: string): void {
    total -= entries.get(id)?.bytes ?? 0
    entries.delete(id)
  }

  function keep(id: string, entry: Entry): void {
    entries.set(id, entry)
    total += entry.bytes
  }

  function makeRoom(bytes: number, time: number): boolean {
    let left = LOOKED_AT
    for (const [id, entry] of entries) {
      if (total + bytes <= maxBytes || left === 0) break
      left -= 1
      forget(id)
      if (time - entry.usedAt < KEPT_MS) keep(id, entry)
    }
    return total + bytes <= maxBytes
  }

  return {
    of: (id, adapters) => {
      const entry = entries.get(id)
      if (!entry) return null
      const rows = entry.rows.filter(({ adapter }) => adapters.includes(adapter))
      return { resource: entry.resource, states: rows.map(reportOf) }
    },
    note: (resource, report) => {
      const { id } = resource
      const entry = entryWith(resource, report, { before: entries.get(id), usedAt: now() })
      forget(id)
      if (makeRoom(entry.bytes, entry.usedAt)) keep(id, entry)
    },
    repeated: (id, { adapter, revision, observedTime, lastReportTime }) => {
      const entry = entries.get(id)
      const row = entry?.rows.find((known) => known.adapter === adapter)
      if (!entry || !row) return
      entry.usedAt = now()
      row.revision = revision
      row.observedTime = observedTime.getTime()
      row.lastReportTime = lastReportTime.getTime()
    },
    forget,
    clear: () => {
      entries.clear()
      total = 0
    },
  }
}

/** What is known of another version tells nothing about this one. */
function entryWith(
  resource: SettledResource,
  report: StoredReport,
  { before, usedAt }: { readonly before: Entry | undefined; readonly usedAt: number },
): Entry {
  const earlier = before?.resource.version === resource.version ? before : null
  const others = earlier?.rows.filter(({ adapter }) => adapter !== report.adapter) ?? []
  const rows = [...others, rowOf(report)]
  return { resource: earlier?.resource ?? basisOf(resource), rows, bytes: bytesOf(rows), usedAt }
}

function basisOf(resource: SettledResource): PartialBasis['resource'] {
  const { id, tenant, kind, ownerId, generation, version } = resource
  return { id, tenant, kind, ownerId, generation, version, conditions: null, deletedTime: null }
}

function rowOf(report: StoredReport): Row {
  const { adapter, observedGeneration, available, finalized, conditions, revision } = report
  const says: Says = { observedGeneration, available, finalized, conditions }
  return {
    adapter,
    says: JSON.stringify(says),
    createdTime: report.createdTime.getTime(),
    revision,
    observedTime: report.observedTime.getTime(),
    lastReportTime: report.lastReportTime.getTime(),
  }
}

function reportOf({ adapter, says, revision, ...times }: Row): StoredReport {
  const said: Says = JSON.parse(says)
  return {
    adapter,
    ...said,
    revision,
    createdTime: new Date(times.createdTime),
    observedTime: new Date(times.observedTime),
    lastReportTime: new Date(times.lastReportTime),
  }
}

function bytesOf(rows: readonly Row[]): number {
  return rows.reduce((sum, { says }) => sum + BYTES_OF_REPORT + says.length, BYTES_OF_ENTRY)
}
