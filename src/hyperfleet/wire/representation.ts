import { must } from '../../lib/assert.ts'
import type { ReadResource } from '../../store/model/resource.ts'
import type {
  Representation,
  SerializedResource,
} from '../../store/operations/read/representation.ts'
import { oldestOf, timesOf, timeSources } from '../statuses/conditions/reflect-times.ts'
import { requirementsOfResource } from '../statuses/conditions/required-adapters.ts'
import type { ReportTime } from '../../store/model/status-record.ts'
import { reportTimesOf, type ReportTimesText } from '../../store/status-records/report-times.ts'
import { type WireOptions, serializeResource } from './resource.ts'

/** A placeholder for a time, as JSON escapes it. Stored text has no NUL. */
const TIME_SLOT = /\\u0000(\d+)\\u0000/

/** A placeholder for stored JSON text. */
const TEXT_SLOT = /\{"\\u0000":"(spec|labels|annotations)"\}/g

/** The byte offset of a time, and the adapters of whose reports it is the oldest. */
interface TimeSlot {
  readonly offset: number
  readonly adapters: readonly string[]
}

/** A resource as JSON text, split at the times that reads fill in. */
type Pieces = readonly (string | readonly string[])[]

/** Resources in JSON. A version is serialized once; later reads only fill in its report times. */
export function hyperfleetRepresentation(wire: WireOptions): Representation {
  return {
    name: 'hyperfleet',
    serialize: (resource, text) => {
      const reportTimes = reportTimesOf(text)
      return serializedResource(piecesOf(wire, resource, reportTimes), timesOf(reportTimes), text)
    },
  }
}

/** Serializes a resource with the report times of its last change. Caches nothing. */
export function serializeStored(wire: WireOptions, resource: ReadResource): string {
  return piecesOf(wire, resource, []).join('')
}

/** Serializes a resource with the report times of its last change. */
export type StoredSerializer = (resource: ReadResource) => string

/** Caches the text of each resource for as long as the resource is in memory. */
export function createStoredSerializer(wire: WireOptions): StoredSerializer {
  const known = new WeakMap<ReadResource, string>()
  return (resource) => {
    const text = known.get(resource) ?? serializeStored(wire, resource)
    known.set(resource, text)
    return text
  }
}

function piecesOf(
  wire: WireOptions,
  resource: ReadResource,
  reportTimes: readonly ReportTime[],
): Pieces {
  const kind = wire.registry.byName(resource.kind)
  const { conditions } = resource
  const { adapters } = requirementsOfResource(kind, resource, reportTimes)
  const sources = timeSources(resource, adapters, reportTimes)
  const slotted = conditions.map((condition, index) => {
    if (sources[index]?.length === 0) return condition
    return { ...condition, last_updated_time: `\0${index}\0` }
  })
  const shown = {
    ...resource,
    conditions: slotted,
    spec: textSlot('spec'),
    labels: textSlot('labels'),
    annotations: resource.annotations === '{}' ? {} : textSlot('annotations'),
  }
  const text = JSON.stringify(serializeResource(wire, kind, shown))
  return text.split(TIME_SLOT).map((piece, index) => {
    if (index % 2 === 1) return sources[Number(piece)] ?? []
    return piece.replace(TEXT_SLOT, (_slot, field: TextField) => resource[field])
  })
}

type TextField = 'spec' | 'labels' | 'annotations'

function textSlot(field: TextField): Record<string, string> {
  return { '\0': field }
}

/** Starts with the report times that were read with the resource. */
function serializedResource(
  pieces: Pieces,
  times: ReadonlyMap<string, Date>,
  text: ReportTimesText,
): SerializedResource {
  const slots: TimeSlot[] = []
  const chunks: Buffer[] = []
  let bytes = 0
  for (const piece of pieces) {
    if (typeof piece !== 'string') slots.push({ offset: bytes, adapters: piece })
    const chunk = Buffer.from(typeof piece === 'string' ? piece : timeOf(piece, times))
    chunks.push(chunk)
    bytes += chunk.length
  }
  let body = joined(chunks, bytes)
  let shown = text
  return {
    bytes,
    at: (reportTimes) => {
      if (slots.length === 0 || reportTimes === shown) return body
      body = withTimes(body, slots, reportTimes)
      shown = reportTimes
      return body
    },
  }
}

function withTimes(body: Buffer, slots: readonly TimeSlot[], reportTimes: ReportTimesText): Buffer {
  const times = timesOf(reportTimesOf(reportTimes))
  const next = joined([body], body.length)
  for (const { offset, adapters } of slots) {
    next.write(timeOf(adapters, times), offset, 'latin1')
  }
  return next
}

/** Times have a constant length, because years have four digits. */
function timeOf(adapters: readonly string[], times: ReadonlyMap<string, Date>): string {
  const time = must(oldestOf(adapters, times), 'a time of the reports that were rendered')
  return time.toISOString()
}

/** Not from Buffer's pool: a small body would keep the whole pool in memory. */
function joined(chunks: readonly Buffer[], bytes: number): Buffer {
  const whole = Buffer.allocUnsafeSlow(bytes)
  let offset = 0
  for (const chunk of chunks) offset += chunk.copy(whole, offset)
  return whole
}
