import { text } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import { serveHttp } from '../../src/http/egress/fixtures.ts'
import { BASE_PATH } from '../../src/hyperfleet/paths/base-path.ts'
import { logInto } from '../../src/http/server/fixtures.ts'
import { startEndpointFixture } from '../sandboxes/endpoints/endpoint-fixture.ts'
import { creation, queryDatabase } from '../support/fixtures.ts'
import { startTestServer, type TestServer } from '../support/test-server.ts'
import { metricOf } from '../watch/watch-client.ts'
import { startTraceCollector, type TraceCollector, treeOf } from './trace-collector.ts'

const TRACE = '0af7651916cd43dd8448eb211c80319c'
const CALLER = 'b7ad6b7169203331'
const TRACEPARENT = `00-${TRACE}-${CALLER}-01`

function tracing(collector: TraceCollector): NodeJS.ProcessEnv {
  return {
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint,
    OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
  }
}

function get(server: TestServer, path: string, headers: Readonly<Record<string, string>> = {}) {
  return server.request('GET', path, undefined, headers)
}

/** Stops the server, which exports its spans, and returns those of a trace. */
async function spansAfter(server: TestServer, collector: TraceCollector, traceId = TRACE) {
  await server[Symbol.asyncDispose]()
  return collector.spans().filter((span) => span.traceId === traceId)
}

describe('a traced request', () => {
  it('is a tree of spans below the span of its caller', async () => {
    await using collector = await startTraceCollector()
    const server = await startTestServer({ env: tracing(collector) })
    const { body } = await server.post('/clusters', creation('Cluster'))
    await get(server, `/clusters/${body.id}`, { traceparent: TRACEPARENT, 'X-Request-ID': 'r-1' })
    const spans = await spansAfter(server, collector)
    expect(treeOf(spans, CALLER)).toEqual([
      `GET ${BASE_PATH}/clusters/{cluster_id}`,
      '  batch read_resources',
      '    read_resource',
    ])
    const root = spans.find(({ parentSpanId }) => parentSpanId === CALLER)
    expect(Object.fromEntries(root?.attributes ?? [])).toEqual({
      'http.request.method': 'GET',
      'http.response.status_code': 200,
      'http.route': `${BASE_PATH}/clusters/{cluster_id}`,
      'url.path': `${BASE_PATH}/clusters/${body.id}`,
      'user.name': 'system@hyperfleet.local',
      'flotilla.request_id': 'r-1',
    })
  })

  it('contains the statements of transactions, writes and searches', async () => {
    await using collector = await startTraceCollector()
    const server = await startTestServer({ env: tracing(collector) })
    const headers = { traceparent: TRACEPARENT, 'Content-Type': 'application/json' }
    const bulk = { items: [creation('Cluster')] }
    expect((await server.request('POST', '/clusters/bulk', bulk, headers)).status).toBeLessThan(300)
    await server.request('POST', '/clusters', creation('Cluster'), headers)
    await get(server, `/clusters?search=${encodeURIComponent("name = 'secret-name'")}`, headers)
    const spans = await spansAfter(server, collector)
    const tree = treeOf(spans, CALLER)
    expect(tree).toContain('  batch insert_resources')
    expect(tree).toContain('  list_resources')
    const bulkRoot = spans.find(({ name }) => name === `POST ${BASE_PATH}/clusters/bulk`)
    const statements = spans.filter(({ parentSpanId }) => parentSpanId === bulkRoot?.spanId)
    expect(statements.length).toBeGreaterThan(0)
    // Names only: neither the text of a statement nor its values.
    expect(JSON.stringify(collector.spans().map((span) => [...span.attributes]))).not.toMatch(
      /secret-name|select |insert into/,
    )
  })

  it('ends the span of a watch when its stream begins', async () => {
    await using collector = await startTraceCollector()
    await using server = await startTestServer({ env: tracing(collector) })
    const watching = new AbortController()
    const url = `${server.origin}${BASE_PATH}/clusters?watch=true`
    const headers = { traceparent: TRACEPARENT }
    const watch = await fetch(url, { headers, signal: watching.signal })
    await watch.body?.getReader().read()
    await expect
      .poll(() => collector.spans().map(({ name }) => name))
      .toContain(`GET ${BASE_PATH}/clusters`)
    watching.abort()
  })

  it('marks a server error as failed, with its code alone', async () => {
    await using collector = await startTraceCollector()
    const server = await startTestServer({ env: tracing(collector) })
    await queryDatabase(server, 'drop table idempotency_keys')
    const headers = {
      traceparent: TRACEPARENT,
      'Content-Type': 'application/json',
      'Idempotency-Key': 'fails',
    }
    const failed = await server.request('POST', '/clusters', creation('Cluster'), headers)
    expect(failed.status).toBe(500)
    const spans = await spansAfter(server, collector)
    const root = spans.find(({ parentSpanId }) => parentSpanId === CALLER)
    expect(root).toMatchObject({ hasFailed: true })
    expect(root?.attributes.get('error.type')).toBe('HYPERFLEET-INT-001')
  })
})

describe('a call of another server', () => {
  it('is a span, and the server receives its context', async () => {
    await using collector = await startTraceCollector()
    const webhook = await serveWebhookWithHeaders()
    const env = { ...tracing(collector), WEBHOOK_ALLOWED_HOSTS: 'http://127.0.0.1' }
    const server = await startTestServer({ env })
    const registrations = `${server.origin}/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations`
    await send(registrations, webhookConfiguration(webhook.url))
    const maps = `${server.origin}/api/v1/namespaces/default/configmaps`
    const create = () => send(`${maps}?dryRun=All`, { metadata: { name: 'a' } }, TRACEPARENT)
    await expect
      .poll(async () => (await create()).status === 201 && webhook.received.length > 0)
      .toBe(true)
    const spans = await spansAfter(server, collector)
    const call = spans.find(({ name }) => name === 'POST 127.0.0.1')
    expect(call?.attributes.get('http.response.status_code')).toBe(200)
    const parents = new Set(spans.map(({ spanId }) => spanId))
    expect(parents).toContain(call?.parentSpanId)
    expect(webhook.received).toContain(`00-${TRACE}-${call?.spanId}-01`)
  })

  it('of a runtime is a span with the name of its method', async () => {
    await using collector = await startTraceCollector()
    {
      await using fixture = await startEndpointFixture(tracing(collector))
      await fixture.run('traced')
      const url = `${fixture.server.origin}${fixture.path('traced', 'exec')}`
      await (await send(url, { command: ['true'] }, TRACEPARENT)).text()
    }
    const spans = collector.spans().filter(({ traceId }) => traceId === TRACE)
    const call = spans.find(({ attributes }) => attributes.get('rpc.method') === 'Exec')
    expect(call?.name).toMatch(/SandboxRuntime\/Exec$/)
    expect(spans.map(({ spanId }) => spanId)).toContain(call?.parentSpanId)
  })
})

describe('sampling', () => {
  it.each([
    ['parentbased_always_on', '1', '00', 0],
    ['parentbased_always_on', '1', '01', 1],
    ['parentbased_traceidratio', '0', '01', 1],
    ['traceidratio', '0', '01', 0],
    ['always_on', '0', '00', 1],
    ['always_off', '1', '01', 0],
  ])('with %s %s and the flags %s records %i requests', async (sampler, ratio, flags, count) => {
    await using collector = await startTraceCollector()
    const server = await startTestServer({
      env: {
        ...tracing(collector),
        OTEL_TRACES_SAMPLER: sampler,
        OTEL_TRACES_SAMPLER_ARG: ratio,
      },
    })
    await get(server, '/clusters/none', { traceparent: `00-${TRACE}-${CALLER}-${flags}` })
    const spans = await spansAfter(server, collector)
    expect(spans.filter(({ parentSpanId }) => parentSpanId === CALLER)).toHaveLength(count)
  })
})

describe('the request log', () => {
  it('has the trace of the caller, even if the server does not trace', async () => {
    const lines: Record<string, unknown>[] = []
    await using server = await startTestServer({ log: logInto(lines) })
    const invalid = TRACEPARENT.replace(CALLER, '0'.repeat(16))
    await get(server, '/clusters/a', { traceparent: TRACEPARENT })
    await get(server, '/clusters/b', { traceparent: invalid })
    const requests = () => lines.filter(({ msg }) => msg === 'request')
    await expect.poll(() => requests().length).toBe(2)
    expect(requests().map(({ trace_id }) => trace_id)).toEqual([TRACE, undefined])
  })

  it('has the new trace of a request without a caller that traces', async () => {
    const lines: Record<string, unknown>[] = []
    await using collector = await startTraceCollector()
    const server = await startTestServer({ env: tracing(collector), log: logInto(lines) })
    await get(server, '/clusters/a')
    await server[Symbol.asyncDispose]()
    const span = collector.spans().find(({ parentSpanId }) => parentSpanId === '')
    const request = lines.find(({ msg }) => msg === 'request')
    expect(request?.['trace_id']).toBe(span?.traceId)
  })
})

describe('the export', () => {
  it('is protobuf by default, with headers and the attributes of the service', async () => {
    await using collector = await startTraceCollector()
    const server = await startTestServer({
      env: {
        OTEL_EXPORTER_OTLP_ENDPOINT: `${collector.endpoint}/below/`,
        OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20t,x-tenant=a',
        OTEL_SERVICE_NAME: 'fleet',
        OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test',
      },
    })
    await get(server, '/clusters', { traceparent: TRACEPARENT })
    await server[Symbol.asyncDispose]()
    const [received] = collector.requests
    expect(received).toMatchObject({
      url: '/below/v1/traces',
      headers: {
        'content-type': 'application/x-protobuf',
        authorization: 'Bearer t',
        'x-tenant': 'a',
      },
    })
    const text = received?.body.toString('latin1') ?? ''
    for (const part of ['fleet', 'deployment.environment.name', 'service.instance.id']) {
      expect(text).toContain(part)
    }
    expect(received?.body.includes(Buffer.from(TRACE, 'hex'))).toBe(true)
  })

  it('never disturbs requests: failures are counted and logged once', async () => {
    const lines: Record<string, unknown>[] = []
    await using collector = await startTraceCollector()
    collector.respondWith(400)
    await using server = await startTestServer({ env: tracing(collector), log: logInto(lines) })
    const failed = () => metricOf(server, 'flotilla_trace_spans_total{result="failed"}')
    let before = 0
    for (let round = 0; round < 2; round += 1) {
      expect((await get(server, '/clusters')).status).toBe(200)
      await expect.poll(failed, { interval: 200 }).toBeGreaterThan(before)
      before = await failed()
    }
    expect(lines.filter(({ msg }) => msg === 'traces cannot be exported')).toHaveLength(1)
  })
})

interface HeaderWebhook {
  readonly url: string
  /** The `traceparent` of each request. */
  readonly received: string[]
}

async function serveWebhookWithHeaders(): Promise<HeaderWebhook> {
  const received: string[] = []
  const origin = await serveHttp((request, response) => {
    received.push(String(request.headers['traceparent']))
    void text(request).then((body) => {
      const { uid } = JSON.parse(body).request
      const review = { apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview' }
      response.setHeader('Content-Type', 'application/json')
      response.end(JSON.stringify({ ...review, response: { uid, allowed: true } }))
    })
  })
  return { url: origin, received }
}

function webhookConfiguration(url: string): object {
  return {
    metadata: { name: 'traced' },
    webhooks: [
      {
        name: 'traced.example.com',
        clientConfig: { url },
        rules: [
          { operations: ['*'], apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'] },
        ],
        sideEffects: 'None',
        admissionReviewVersions: ['v1'],
      },
    ],
  }
}

function send(url: string, body: object, traceparent?: string): Promise<Response> {
  return fetch(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...(traceparent && { traceparent }) },
    body: JSON.stringify(body),
  })
}
