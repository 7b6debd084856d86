import { OTLPTraceExporter as JsonExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { OTLPTraceExporter as ProtobufExporter } from '@opentelemetry/exporter-trace-otlp-proto'
import type { SpanExporter } from '@opentelemetry/sdk-trace'

/** The encodings of OTLP over HTTP. */
export type OtlpProtocol = 'http/protobuf' | 'http/json'

export interface ExporterOptions {
  /** The address that receives spans, such as `http://collector:4318/v1/traces`. */
  readonly url: string
  readonly protocol: OtlpProtocol
  readonly headers: Readonly<Record<string, string>>
  readonly timeoutMs: number
  /** Receives the number of spans of each export, and the error if it failed. */
  readonly onExport: (spans: number, error: Error | null) => void
}

/** OpenTelemetry's result of a successful export. */
const SUCCESS = 0

/** Sends spans to a collector, and reports the outcome of each export. */
export function createExporter(options: ExporterOptions): SpanExporter {
  const { url, protocol, headers, timeoutMs, onExport } = options
  const Exporter = protocol === 'http/json' ? JsonExporter : ProtobufExporter
  const exporter: SpanExporter = new Exporter({
    url,
    headers: { ...headers },
    timeoutMillis: timeoutMs,
  })
  return {
    export: (spans, done) =>
      exporter.export(spans, (result) => {
        const failed = result.code !== SUCCESS
        onExport(spans.length, failed ? (result.error ?? new Error('the export failed')) : null)
        done(result)
      }),
    forceFlush: () => exporter.forceFlush?.() ?? Promise.resolve(),
    shutdown: () => exporter.shutdown(),
  }
}
