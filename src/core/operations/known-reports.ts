import type { ReportedResource } from '../model/resource.ts'
import { saysSame } from '../status/says-same.ts'
import type { PartialBasis, StoredReport } from '../storage/report-basis.ts'

/** What an entry takes in memory beside its reports, as measured. */
const BYTES_OF_ENTRY = 400
/** What a report takes beside its conditions, and a condition beside its texts. */
const BYTES_OF_REPORT = 600
const BYTES_OF_CONDITION = 180

/** How long a resource is kept for, once memory is full: several intervals of heartbeats. */
const KEPT_MS = 120_000

/** A live resource whose conditions follow from its reports at this version. */
export type SettledResource = Pick<
  ReportedResource,
  'id' | 'kind' | 'ownerId' | 'generation' | 'version'
>

/**
 * The reports that this process stored last, of resources at their settled versions. Somebody else
 * may have written them since: whoever uses one writes only where version and revision are the same.
 */
export interface KnownReports {
  /** Null where no report of the resource is known. */
  of(id: string): PartialBasis | null
  note(resource: SettledResource, report: StoredReport): void
  forget(id: string): void
}

interface Entry {
  basis: PartialBasis
  bytes: number
  notedAt: number
}

/** How many of the oldest entries are looked at for one that can go. */
const LOOKED_AT = 8

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

  function makeRoom(bytes: number, time: number): boolean {
    let left = LOOKED_AT
    for (const [id, entry] of entries) {
      if (total + bytes <= maxBytes || left === 0) break
      left -= 1
      forget(id)
      if (time - entry.notedAt < KEPT_MS) keep(id, entry)
    }
    return total + bytes <= maxBytes
  }

  function keep(id: string, entry: Entry): void {
    entries.set(id, entry)
    total += entry.bytes
  }

  return {
    of: (id) => entries.get(id)?.basis ?? null,
    note: (resource, report) => {
      const { id } = resource
      const entry = entries.get(id)
      const basis = basisWith(resource, report, entry?.basis)
      const bytes = bytesOf(basis)
      const notedAt = now()
      if (entry?.bytes === bytes) {
        entry.basis = basis
        entry.notedAt = notedAt
        return
      }
      forget(id)
      if (makeRoom(bytes, notedAt)) keep(id, { basis, bytes, notedAt })
    },
    forget,
  }
}

/** What is known of another version tells nothing about this one. */
function basisWith(
  { id, kind, ownerId, generation, version }: SettledResource,
  report: StoredReport,
  before: PartialBasis | undefined,
): PartialBasis {
  if (before?.resource.version === version) {
    const others = before.states.filter(({ adapter }) => adapter !== report.adapter)
    const earlier = before.states.find(({ adapter }) => adapter === report.adapter)
    return { resource: before.resource, states: [...others, stateOf(report, earlier)] }
  }
  const resource = { id, kind, ownerId, generation, version, conditions: null, deletedTime: null }
  return { resource, states: [stateOf(report, undefined)] }
}

/** Without data and metadata, and with the old conditions where the new ones say the same. */
function stateOf(report: StoredReport, earlier: StoredReport | undefined): StoredReport {
  const { adapter, observedGeneration, finalized, revision } = report
  const { observedTime, createdTime, lastReportTime } = report
  const { available, conditions } = earlier && saysSame(earlier, report) ? earlier : report
  const times = { observedTime, createdTime, lastReportTime }
  return { adapter, observedGeneration, available, finalized, ...times, revision, conditions }
}

function bytesOf({ states }: PartialBasis): number {
  return states.reduce((sum, { conditions }) => {
    const texts = conditions.map(({ reason = '', message = '' }) => reason.length + message.length)
    return texts.reduce(
      (bytes, length) => bytes + BYTES_OF_CONDITION + length,
      sum + BYTES_OF_REPORT,
    )
  }, BYTES_OF_ENTRY)
}
