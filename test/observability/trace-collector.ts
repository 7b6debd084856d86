import { createServer } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { listen } from '../../src/lib/listen.ts'
import type { Tracer } from '../../src/lib/tracing/span.ts'
import { createTracer } from '../../src/telemetry/create-tracer.ts'

/** A span as a collector receives it. */
export interface ReceivedSpan {
  readonly traceId: string
  readonly spanId: string
  /** Empty for the first span of a trace. */
  readonly parentSpanId: string
  readonly name: string
  readonly kind: number
  readonly attributes: ReadonlyMap<string, unknown>
  /** The ids of linked spans. */
  readonly links: readonly string[]
  readonly hasFailed: boolean
  readonly start: bigint
  readonly end: bigint
}

/** A collector of traces, as OpenTelemetry's is: OTLP over HTTP. */
export interface TraceCollector extends AsyncDisposable {
  /** For `OTEL_EXPORTER_OTLP_ENDPOINT`. */
  readonly endpoint: string
  readonly requests: readonly ReceivedRequest[]
  /** The spans of all requests in JSON. */
  spans(): readonly ReceivedSpan[]
  /** The status of further responses. */
  respondWith(status: number): void
}

interface ReceivedRequest {
  readonly url: string
  readonly headers: Readonly<Record<string, unknown>>
  readonly body: Buffer
}

export async function startTraceCollector(): Promise<TraceCollector> {
  const requests: ReceivedRequest[] = []
  let status = 200
  const server = createServer((request, response) => {
    void buffer(request).then((body) => {
      requests.push({ url: request.url ?? '', headers: request.headers, body })
      response.writeHead(status, { 'Content-Type': 'application/json' }).end('{}')
    })
  })
  const port = await listen(server, 0, '127.0.0.1')
  return {
    endpoint: `http://127.0.0.1:${port}`,
    requests,
    spans: () => requests.flatMap(({ body }) => spansIn(JSON.parse(body.toString('utf8')))),
    respondWith: (next) => {
      status = next
    },
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

// oxlint-disable-next-line typescript/no-explicit-any -- the JSON of OTLP
function spansIn(body: any): readonly ReceivedSpan[] {
  // oxlint-disable-next-line typescript/no-explicit-any -- the JSON of OTLP
  const scopes: any[] = body.resourceSpans.flatMap((each: any) => each.scopeSpans)
  return scopes
    .flatMap(({ spans }) => spans)
    .map((span) => ({
      traceId: span.traceId,
      spanId: span.spanId,
      parentSpanId: span.parentSpanId ?? '',
      name: span.name,
      kind: span.kind,
      attributes: attributesOf(span.attributes),
      links: span.links.map(({ spanId }: { spanId: string }) => spanId),
      hasFailed: span.status.code === 2,
      start: BigInt(span.startTimeUnixNano),
      end: BigInt(span.endTimeUnixNano),
    }))
}

interface JsonAttribute {
  readonly key: string
  readonly value: Readonly<Record<string, unknown>>
}

function attributesOf(list: readonly JsonAttribute[]): ReadonlyMap<string, unknown> {
  return new Map(list.map(({ key, value }) => [key, Object.values(value)[0]]))
}

/** The names of spans as an indented tree, in the order of their starts. */
export function treeOf(spans: readonly ReceivedSpan[], parent = '', indent = ''): string[] {
  return spans
    .filter(({ parentSpanId }) => parentSpanId === parent)
    .toSorted((a, b) => Number(a.start - b.start))
    .flatMap((span) => [indent + span.name, ...treeOf(spans, span.spanId, `${indent}  `)])
}

/** A tracer that records everything. Disposing it sends the spans to the collector. */
export function tracerOf(collector: TraceCollector): Tracer {
  return createTracer({
    url: `${collector.endpoint}/v1/traces`,
    protocol: 'http/json',
    headers: {},
    timeoutMs: 60_000,
    sampler: 'always_on',
    samplerRatio: 1,
    resource: {},
    onExport: () => undefined,
  })
}
