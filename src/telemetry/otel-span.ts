import {
  type Link,
  ROOT_CONTEXT,
  type Span as ApiSpan,
  SpanKind as ApiKind,
  SpanStatusCode,
  trace,
  TraceFlags,
  type Tracer as ApiTracer,
} from '@opentelemetry/api'
import { errorCode } from '../lib/error-code.ts'
import {
  OTHER_ERROR,
  type Span,
  type SpanAttributes,
  type SpanKind,
  type SpanOptions,
  type TraceContext,
} from '../lib/tracing/span.ts'

const KINDS: Readonly<Record<SpanKind, ApiKind>> = {
  internal: ApiKind.INTERNAL,
  server: ApiKind.SERVER,
  client: ApiKind.CLIENT,
  consumer: ApiKind.CONSUMER,
}

/** A span of OpenTelemetry's SDK. Its context is passed on explicitly, never globally. */
export class OtelSpan implements Span {
  readonly #tracer: ApiTracer
  readonly #span: ApiSpan
  readonly context: TraceContext

  constructor(tracer: ApiTracer, span: ApiSpan) {
    this.#tracer = tracer
    this.#span = span
    const { traceId, spanId, traceFlags, traceState } = span.spanContext()
    this.context = {
      traceId,
      spanId,
      isSampled: (traceFlags & TraceFlags.SAMPLED) !== 0,
      state: traceState?.serialize() ?? null,
    }
  }

  child(name: string, options: SpanOptions): Span {
    const parent = trace.setSpan(ROOT_CONTEXT, this.#span)
    return new OtelSpan(this.#tracer, this.#tracer.startSpan(name, startOptions(options), parent))
  }

  rename(name: string): void {
    this.#span.updateName(name)
  }

  set(attributes: SpanAttributes): void {
    this.#span.setAttributes(attributes)
  }

  link(other: Span): void {
    this.#span.addLink(linkTo(other))
  }

  /** Only the code of an error is recorded: messages of PostgreSQL may contain values. */
  end(error?: unknown): void {
    if (error !== undefined) {
      this.#span.setStatus({ code: SpanStatusCode.ERROR })
      this.#span.setAttribute('error.type', errorType(error))
    }
    this.#span.end()
  }
}

function errorType(error: unknown): string {
  if (typeof error === 'string') return error
  return errorCode(error) ?? (error instanceof Error ? error.name : OTHER_ERROR)
}

/** The options of OpenTelemetry's tracer. */
export function startOptions({ kind, attributes = {}, links = [], ageMs = 0 }: SpanOptions): {
  readonly kind: ApiKind
  readonly attributes: SpanAttributes
  readonly links: Link[]
  readonly startTime?: number
} {
  return {
    kind: KINDS[kind],
    attributes,
    links: links.map(linkTo),
    ...(ageMs > 0 && { startTime: Date.now() - ageMs }),
  }
}

function linkTo({ context }: Span): Link {
  const { traceId, spanId, isSampled } = context
  const traceFlags = isSampled ? TraceFlags.SAMPLED : TraceFlags.NONE
  return { context: { traceId, spanId, traceFlags } }
}
