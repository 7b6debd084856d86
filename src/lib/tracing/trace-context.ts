import type { TraceContext } from './span.ts'

const TRACEPARENT = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/
const ZERO = /^0+$/
const SAMPLED = 1
/** W3C Trace Context asks for at least this length. */
const MAX_STATE_LENGTH = 512

/**
 * Reads the headers of W3C Trace Context. Null if `traceparent` is missing or invalid: the request
 * then begins a trace.
 */
export function readTraceContext(
  traceparent: string | undefined,
  tracestate?: string,
): TraceContext | null {
  const [, version, traceId = '', spanId = '', flags = '', rest] =
    TRACEPARENT.exec(traceparent ?? '') ?? []
  if (version === undefined || version === 'ff') return null
  if (ZERO.test(traceId) || ZERO.test(spanId)) return null
  // Only later versions may add fields.
  if (version === '00' && rest !== undefined) return null
  const isStateUsable = tracestate !== undefined && tracestate.length <= MAX_STATE_LENGTH
  return {
    traceId,
    spanId,
    isSampled: (Number.parseInt(flags, 16) & SAMPLED) === SAMPLED,
    state: isStateUsable ? tracestate : null,
  }
}

/** The headers that continue a trace at another server. */
export function traceHeaders(context: TraceContext): Readonly<Record<string, string>> {
  const { traceId, spanId, isSampled, state } = context
  return {
    traceparent: `00-${traceId}-${spanId}-${isSampled ? '01' : '00'}`,
    ...(state !== null && { tracestate: state }),
  }
}
