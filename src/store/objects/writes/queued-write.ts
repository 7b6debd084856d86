import type { JsonObject } from '../../../lib/json/json.ts'
import { currentContext, type RequestContext } from '../../../lib/tracing/request-context.ts'
import type { ObjectWrite, WriteOutcome } from '../model/object-write.ts'
import type { ObjectKey } from '../model/stored-object.ts'

/** The body of an object as stored, as JSON text. */
export type EncodeBody = (key: ObjectKey, body: JsonObject) => string

/** A write that waits for its statement. */
export interface QueuedWrite {
  readonly write: ObjectWrite
  /** The keys of the object and of its companions. */
  readonly keys: readonly ObjectKey[]
  /** Their bodies as stored. */
  readonly bodies: readonly string[]
  /** The approximate number of characters. */
  readonly size: number
  /** Whether PostgreSQL probably rejects the write, which would fail its whole statement. */
  readonly isSuspicious: boolean
  readonly arrival: number
  readonly context: RequestContext | null
  readonly resolve: (outcome: WriteOutcome) => void
  readonly reject: (error: unknown) => void
}

/** Escapes of U+0000 and of lone surrogates, perhaps after a backslash that is itself escaped. */
const SUSPICIOUS = /\\u0000|\\ud[89a-f]/

/** Prepares a write for its queue. */
export function queuedWrite(
  write: ObjectWrite,
  encode: EncodeBody,
  settle: Pick<QueuedWrite, 'resolve' | 'reject'>,
): QueuedWrite {
  const companions = write.type === 'create' ? write.companions : []
  const contents = [write, ...companions]
  const bodies = contents.map(({ key, body }) => encode(key, body))
  return {
    write,
    keys: contents.map(({ key }) => key),
    bodies,
    size: bodies.reduce((size, { length }) => size + length, 0),
    isSuspicious: bodies.some((body) => SUSPICIOUS.test(body)),
    arrival: performance.now(),
    context: currentContext(),
    ...settle,
  }
}
