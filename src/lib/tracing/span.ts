/** The code of an error without one, by OpenTelemetry's semantic conventions. */
export const OTHER_ERROR = '_OTHER'

/** Values that a span carries, by the names of OpenTelemetry's semantic conventions. */
export type SpanAttributes = Readonly<Record<string, string | number | boolean>>

/** The side of a call that a span describes, in OpenTelemetry's terms. */
export type SpanKind = 'internal' | 'server' | 'client' | 'consumer'

/** The trace of a caller, or of a span of this server, in the form of its headers. */
export interface TraceContext {
  /** 32 hexadecimal digits. */
  readonly traceId: string
  /** 16 hexadecimal digits. */
  readonly spanId: string
  readonly isSampled: boolean
  /** The header `tracestate`; null without one. */
  readonly state: string | null
}

export interface SpanOptions {
  readonly kind: SpanKind
  readonly attributes?: SpanAttributes
  /** Other spans that caused this one. */
  readonly links?: readonly Span[]
  /** Milliseconds ago that the span began; 0 by default. */
  readonly ageMs?: number
}

/** A part of the work of a request. Methods never throw. */
export interface Span {
  readonly context: TraceContext
  /** Starts a part of this span. */
  child(name: string, options: SpanOptions): Span
  rename(name: string): void
  set(attributes: SpanAttributes): void
  /** Links another span that did work for this one. */
  link(other: Span): void
  /** Ends the span. A span with an error, or with the code of one, has failed. */
  end(error?: unknown): void
}

/** Starts the spans of requests and of work in the background. */
export interface Tracer extends AsyncDisposable {
  /** Starts a span below the caller's. Without a parent, it begins a trace. */
  start(name: string, parent: TraceContext | null, options: SpanOptions): Span
}
