import { createTraceState, ROOT_CONTEXT, trace, TraceFlags } from '@opentelemetry/api'
import { resourceFromAttributes } from '@opentelemetry/resources'
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace'
import type { TraceContext, Tracer } from '../lib/tracing/span.ts'
import { createSampler, type SamplerName } from './create-sampler.ts'
import { createExporter, type ExporterOptions } from './create-exporter.ts'
import { OtelSpan, startOptions } from './otel-span.ts'

export interface TracerOptions extends ExporterOptions {
  /** Attributes of this server, such as `service.name`. */
  readonly resource: Readonly<Record<string, string>>
  readonly sampler: SamplerName
  readonly samplerRatio: number
}

/** The longest time that a span waits for others. */
const EXPORT_INTERVAL_MS = 1000
/** Spans that wait for the exporter. Further spans are dropped. */
const MAX_QUEUED_SPANS = 8192

/** Creates the tracer of a server. Disposing it exports the spans that wait. */
export function createTracer(options: TracerOptions): Tracer {
  const provider = new TracerProvider({
    resource: resourceFromAttributes(options.resource),
    sampler: createSampler(options.sampler, options.samplerRatio),
    spanProcessors: [
      new BatchSpanProcessor({
        exporter: createExporter(options),
        scheduledDelayMillis: EXPORT_INTERVAL_MS,
        maxQueueSize: MAX_QUEUED_SPANS,
        exportTimeoutMillis: options.timeoutMs,
      }),
    ],
  })
  const tracer = provider.getTracer('flotilla')
  return {
    start: (name, parent, spanOptions) =>
      new OtelSpan(tracer, tracer.startSpan(name, startOptions(spanOptions), below(parent))),
    [Symbol.asyncDispose]: () => provider.shutdown(),
  }
}

function below(parent: TraceContext | null) {
  if (parent === null) return ROOT_CONTEXT
  const { traceId, spanId, isSampled, state } = parent
  return trace.setSpanContext(ROOT_CONTEXT, {
    traceId,
    spanId,
    traceFlags: isSampled ? TraceFlags.SAMPLED : TraceFlags.NONE,
    isRemote: true,
    ...(state !== null && { traceState: createTraceState(state) }),
  })
}
