import { must } from '../../../lib/assert.ts'
import type { ReadResource } from '../../../core/model/resource.ts'
import type {
  Representation,
  SerializedResource,
} from '../../../core/operations/read/representation.ts'
import { oldestOf, timesOf, timeSources } from '../../../statuses/conditions/reflect-times.ts'
import type { ReportTime } from '../../../core/model/status-record.ts'
import {
  reportTimesOf,
  type ReportTimesText,
} from '../../../core/storage/status-records/report-times.ts'
import { type WireOptions, serializeResource } from './resource.ts'

/** A time that is filled in later, as JSON writes it: no stored text has a NUL. */
const TIME_SLOT = /\\u0000(\d+)\\u0000/

/** A member that is filled in with its stored text. */
const TEXT_SLOT = /\{"\\u0000":"(spec|labels|annotations)"\}/g

/** Where a time stands, in bytes, and whose reports it is the oldest of. */
interface TimeSlot {
  readonly offset: number
  readonly adapters: readonly string[]
}

/** A resource as JSON: texts, and between them the adapters whose times stand there. */
type Pieces = readonly (string | readonly string[])[]

/** Resources as JSON. A version is serialized once; later reads only fill in their report times. */
export function createRepresentation(wire: WireOptions): Representation {
  return {
    name: 'hyperfleet',
    serialize: (resource, text) => {
      const reportTimes = reportTimesOf(text)
      return serializedResource(piecesOf(wire, resource, reportTimes), timesOf(reportTimes), text)
    },
  }
}

/** Writes a resource as JSON with the times of its reports as of its last change; keeps nothing. */
export function renderStored(wire: WireOptions, resource: ReadResource): string {
  return piecesOf(wire, resource, []).join('')
}

/** Writes a resource with the times of its reports as of its last change. */
export type StoredRenderer = (resource: ReadResource) => string

/** Makes a renderer that keeps what it has written as long as the resource itself is kept. */
export function createStoredRenderer(wire: WireOptions): StoredRenderer {
  const known = new WeakMap<ReadResource, string>()
  return (resource) => {
    const text = known.get(resource) ?? renderStored(wire, resource)
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
  const { conditions, generation } = resource
  const sources = timeSources(conditions, kind.requiredAdapters, generation, reportTimes)
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
    return piece.replace(TEXT_SLOT, (_slot, member: Member) => resource[member])
  })
}

type Member = 'spec' | 'labels' | 'annotations'

function textSlot(member: Member): Record<string, string> {
  return { '\0': member }
}

/** The first body has the times that were read together with the resource. */
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

/** Always of the same length: years have four digits. */
function timeOf(adapters: readonly string[], times: ReadonlyMap<string, Date>): string {
  const time = must(oldestOf(adapters, times), 'a time of the reports that were rendered')
  return time.toISOString()
}

/** Not in Buffer's pool, as `concat` has it: a small body would keep all of the pool alive. */
function joined(chunks: readonly Buffer[], bytes: number): Buffer {
  const whole = Buffer.allocUnsafeSlow(bytes)
  let offset = 0
  for (const chunk of chunks) offset += chunk.copy(whole, offset)
  return whole
}
