import { once } from 'node:events'
import { request as httpRequest, type IncomingHttpHeaders, type RequestListener } from 'node:http'
import { text } from 'node:stream/consumers'
import express from 'express'
import { describe, expect, onTestFinished, test } from 'vitest'
import { must } from '../../lib/assert.ts'
import { errorHandler } from '../../http/errors/error-handler.ts'
import { requestId } from '../../http/requests/request-id.ts'
import type { JsonObject } from '../../lib/json/json.ts'
import { systemClock } from '../../lib/clock.ts'
import { configurationsWith } from '../admission/fixtures.ts'
import { serveHttp, serveHttps, testEgress } from '../../http/egress/fixtures.ts'
import { renderStatus } from '../errors/status.ts'
import type { ApiObject } from '../model/api-object.ts'
import type { UserInfo } from '../model/user-info.ts'
import { createDelegation, type Delegation } from './delegation.ts'
import { apiService, RESOURCE_LIST } from './fixtures.ts'
import { parseDelegate } from './delegate.ts'
import { probeDelegate } from './probe-delegate.ts'

const GROUP = 'metrics.example.com'
const USER: UserInfo = {
  name: 'jané',
  uid: 'u1',
  groups: ['devs', 'ops'],
  extra: { 'Example.com/scopes': ['a', 'b'] },
}

function delegationTo(
  service: ApiObject,
  options: { allowed?: readonly string[]; now?: () => number } = {},
): Delegation {
  const { allowed, now } = options
  const delegation = createDelegation({
    configurations: configurationsWith({ 'apiservices.apiregistration.k8s.io': [service] }),
    egress: testEgress(allowed),
    ...(now && { now }),
  })
  onTestFinished(() => delegation[Symbol.dispose]())
  return delegation
}

/** A server that proxies every request as the user. Returns its origin. */
async function serveProxy(delegation: Delegation): Promise<string> {
  const app = express()
  app.use(requestId, async (request, response) => {
    const delegate = must(await delegation.find('p', GROUP, 'v1'), 'a delegate')
    await delegation.proxy(response, { delegate, user: USER, target: request.url })
  })
  app.use(errorHandler(renderStatus, systemClock))
  return serveHttp(app)
}

const proxyTo = async (listener: RequestListener, path = ''): Promise<string> =>
  serveProxy(delegationTo(apiService(`${await serveHttp(listener)}${path}`)))

const respond =
  (body: string, status = 200): RequestListener =>
  (_request, response) =>
    void response.writeHead(status, { 'Content-Type': 'application/json' }).end(body)

describe('delegated requests', () => {
  test('R37: method, path, query and body reach the server, and its response the client', async () => {
    const origin = await proxyTo((request, response) => {
      void text(request).then((body) => {
        const { method, url } = request
        response.writeHead(201, { 'Content-Type': 'application/json', Warning: '299 - "w"' })
        response.end(JSON.stringify({ method, url, body }))
      })
    }, '/prefix/')
    const url = `${origin}/apis/${GROUP}/v1/widgets?limit=5&x=%2F`
    const answer = await fetch(url, { method: 'POST', body: '{"a":1}' })
    expect(answer.status).toBe(201)
    expect(answer.headers.get('warning')).toBe('299 - "w"')
    expect(await answer.json()).toEqual({
      method: 'POST',
      url: `/prefix/apis/${GROUP}/v1/widgets?limit=5&x=%2F`,
      body: '{"a":1}',
    })
  })

  test.each(['/a/../b', '/a/%2e%2e/b', '/a\\b', '/a/%2F/b', '/%41', '/a;b=c/', '/a?b=/../c'])(
    'R37: the path %s reaches the server unchanged',
    async (path) => {
      const origin = await proxyTo((request, response) => void response.end(request.url), '/prefix')
      const outgoing = httpRequest(origin, { path }).end()
      const [answer] = await once(outgoing, 'response')
      expect(await text(answer)).toBe(`/prefix${path}`)
    },
  )

  test('R37: the server receives the identity, and no credentials or forged identities', async () => {
    let received: IncomingHttpHeaders = {}
    const origin = await proxyTo((request, response) => {
      received = request.headers
      response.writeHead(200, {
        'Set-Cookie': 'a=b',
        Connection: 'x-hop',
        'X-Hop': '1',
        'Content-Security-Policy': 'sandbox allow-scripts allow-same-origin',
        'Content-Security-Policy-Report-Only': "default-src 'none'",
        'X-Frame-Options': 'ALLOWALL',
        'X-Content-Type-Options': 'none',
        'Cross-Origin-Resource-Policy': 'cross-origin',
        'Document-Policy-Report-Only': 'a=*',
        'Feature-Policy': 'camera *',
        'Permissions-Policy': 'camera=*',
        'Permissions-Policy-Report-Only': 'camera=*',
        'Require-Document-Policy': 'a=*',
        'Speculation-Rules': '"/rules.json"',
        'Timing-Allow-Origin': '*',
        'X-Permitted-Cross-Domain-Policies': 'all',
        'X-XSS-Protection': '0',
        'Referrer-Policy': 'unsafe-url',
        'Clear-Site-Data': '"*"',
        'Service-Worker-Allowed': '/',
        Refresh: '0; url=https://evil.example',
        Link: '<https://evil.example/a.js>; rel=preload',
      })
      response.end('{}')
    })
    const answer = await fetch(origin, {
      headers: {
        Authorization: 'Bearer secret',
        Cookie: 'session=1',
        'X-Remote-User': 'admin',
        'X-Remote-Group': 'system:masters',
        'X-Remote-Extra-Admin': 'yes',
        'Impersonate-User': 'admin',
        'X-Forwarded-For': '1.2.3.4',
        'Proxy-Authorization': 'x',
        'User-Agent': 'kubectl/v1',
      },
    })
    expect(answer.headers.get('set-cookie')).toBeNull()
    expect(answer.headers.get('x-hop')).toBeNull()
    const {
      date: _date,
      'x-powered-by': _poweredBy,
      ...returned
    } = Object.fromEntries(answer.headers)
    expect(returned).toEqual({
      connection: 'keep-alive',
      'content-security-policy': 'sandbox',
      'keep-alive': expect.any(String),
      'transfer-encoding': 'chunked',
      'x-content-type-options': 'nosniff',
      'x-request-id': expect.any(String),
    })
    const { host: _host, ...headers } = received
    expect(headers).toEqual({
      accept: '*/*',
      'accept-encoding': expect.any(String),
      'accept-language': '*',
      connection: 'keep-alive',
      'user-agent': 'kubectl/v1',
      'x-remote-user': Buffer.from('jané').toString('latin1'),
      'x-remote-uid': 'u1',
      'x-remote-group': 'devs, ops',
      'x-remote-extra-example.com%2fscopes': 'a, b',
    })
  })

  test('R37: a watch is streamed, and ends at the server when its client disconnects', async () => {
    const events = new EventTarget()
    const origin = await proxyTo((_request, response) => {
      response.writeHead(200, { 'Content-Type': 'application/json' })
      response.write('{"type":"ADDED"}\n')
      response.once('close', () => events.dispatchEvent(new Event('closed')))
    })
    const closed = once(events, 'closed')
    const aborted = new AbortController()
    const answer = await fetch(`${origin}/?watch=1`, { signal: aborted.signal })
    const reader = must(answer.body, 'a body').getReader()
    const { value } = await reader.read()
    expect(Buffer.from(value ?? []).toString()).toBe('{"type":"ADDED"}\n')
    aborted.abort()
    await closed
  })

  test('R37: a body is streamed before it is complete', async () => {
    let receive: (text: string) => void = () => undefined
    const first = new Promise<string>((resolve) => {
      receive = resolve
    })
    const origin = await proxyTo((request, response) => {
      request.once('data', (chunk: Buffer) => receive(chunk.toString()))
      request.resume().once('end', () => response.end('{}'))
    })
    const outgoing = httpRequest(origin, { method: 'POST' })
    const answered = once(outgoing, 'response')
    outgoing.write('part')
    expect(await first).toBe('part')
    outgoing.end()
    await answered
  })

  test('R37: a response that breaks off ends the response of the client', async () => {
    const origin = await proxyTo((_request, response) => {
      response.write('{"begun":')
      setTimeout(() => response.destroy(), 20)
    })
    const answer = await fetch(origin)
    await expect(answer.text()).rejects.toThrow()
  })

  test.each<[string, ApiObject, string]>([
    ['cannot be reached', apiService('http://127.0.0.1:1'), 'error trying to reach service'],
    ['is not allowed', apiService('https://169.254.169.254'), 'WEBHOOK_ALLOWED_HOSTS'],
    ['has no address', apiService(null), 'set the annotation flotilla.dev/url'],
    [
      'has failed its probe',
      apiService('http://127.0.0.1:1', {
        status: { conditions: [{ type: 'Available', status: 'False' }] },
      }),
      'service unavailable',
    ],
  ])('R37: 503 if the server %s', async (_what, service, message) => {
    const answer = await fetch(await serveProxy(delegationTo(service)))
    expect(answer.status).toBe(503)
    expect(await answer.json()).toMatchObject({
      kind: 'Status',
      reason: 'ServiceUnavailable',
      code: 503,
      message: expect.stringContaining(message),
    })
  })

  test('R37: a redirect is rejected', async () => {
    const origin = await proxyTo((_request, response) => {
      response.writeHead(307, { Location: 'https://evil.example' }).end()
    })
    const answer = await fetch(origin, { redirect: 'manual' })
    expect(answer.status).toBe(502)
    expect(answer.headers.get('location')).toBeNull()
  })

  test('R37: the certificate of the server is verified unless the APIService skips it', async () => {
    const { port, ca } = await serveHttps(respond('{}'))
    const url = `https://127.0.0.1:${port}`
    const statusWith = async (spec: JsonObject): Promise<number> => {
      const service = apiService(url, { spec })
      const allowed = ['127.0.0.1']
      return (await fetch(await serveProxy(delegationTo(service, { allowed })))).status
    }
    expect(await statusWith({})).toBe(503)
    expect(await statusWith({ caBundle: Buffer.from(ca).toString('base64') })).toBe(200)
    expect(await statusWith({ insecureSkipTLSVerify: true })).toBe(200)
  })

  test('R37: closing the delegation ends its streams', async () => {
    const url = await serveHttp((_request, response) => void response.write('x'))
    const delegation = delegationTo(apiService(url))
    const answer = await fetch(await serveProxy(delegation))
    delegation[Symbol.dispose]()
    await expect(answer.text()).rejects.toThrow()
  })
})

describe('documents of delegates', () => {
  test('R37: discovery has the resources of the server', async () => {
    const url = await serveHttp(respond(JSON.stringify(RESOURCE_LIST)))
    const delegation = delegationTo(apiService(url))
    const discovered = await delegation.discovery('p')
    expect(discovered).toEqual([
      {
        group: GROUP,
        version: 'v1',
        groupPriority: 100,
        versionPriority: 50,
        isCurrent: true,
        resources: [
          {
            resource: 'widgets',
            responseKind: { group: GROUP, version: 'v1', kind: 'Widget' },
            scope: 'Namespaced',
            singularResource: 'widget',
            verbs: ['get', 'list'],
            shortNames: ['w'],
            subresources: [
              {
                subresource: 'status',
                responseKind: { group: GROUP, version: 'v1', kind: 'Widget' },
                verbs: ['get'],
              },
              {
                subresource: 'scale',
                responseKind: { group: 'autoscaling', version: 'v1', kind: 'Scale' },
                verbs: ['get'],
              },
            ],
          },
        ],
      },
    ])
    expect(await delegation.discovery('p')).toBe(discovered)
  })

  test('R37: the last good copy is kept while the server fails', async () => {
    let isBroken = false
    const url = await serveHttp((request, response) => {
      respond(isBroken ? 'broken' : JSON.stringify(RESOURCE_LIST))(request, response)
    })
    let time = 0
    const delegation = delegationTo(apiService(url), { now: () => time })
    expect(await delegation.discovery('p')).toMatchObject([{ isCurrent: true }])
    isBroken = true
    time = 31_000
    await expect
      .poll(() => delegation.discovery('p'))
      .toMatchObject([{ isCurrent: false, resources: [{ resource: 'widgets' }] }])
    isBroken = false
    time = 62_000
    await expect.poll(() => delegation.discovery('p')).toMatchObject([{ isCurrent: true }])
  })

  test('R37: a server that never had a document leaves the group without resources', async () => {
    const delegation = delegationTo(apiService('http://127.0.0.1:1'))
    expect(await delegation.discovery('p')).toMatchObject([{ isCurrent: false, resources: [] }])
    expect(await delegation.openApi('p')).toEqual([])
  })

  test('R37: OpenAPI has the document of the server', async () => {
    const path = `apis/${GROUP}/v1`
    const url = await serveHttp((request, response) => {
      const index = { paths: { [path]: { serverRelativeURL: '/elsewhere' } } }
      const body = request.url === '/openapi/v3' ? index : { openapi: '3.0.0', url: request.url }
      respond(JSON.stringify(body))(request, response)
    })
    const delegation = delegationTo(apiService(url))
    const [listed] = await delegation.openApi('p')
    expect(listed).toMatchObject({ group: GROUP, version: 'v1' })
    const document = await delegation.openApiDocument('p', { group: GROUP, version: 'v1' })
    expect(document?.etag).toBe(`"${listed?.hash}"`)
    expect(JSON.parse(String(document?.body))).toEqual({
      openapi: '3.0.0',
      url: `/openapi/v3/${path}`,
    })
    expect(await delegation.openApiDocument('p', { group: 'other', version: 'v1' })).toBeNull()
  })

  test('R37: an endless document is not kept', async () => {
    const url = await serveHttp((_request, response) => {
      const timer = setInterval(() => response.write('x'.repeat(1_000_000)), 1)
      response.once('close', () => clearInterval(timer))
    })
    expect(await delegationTo(apiService(url)).discovery('p')).toMatchObject([{ resources: [] }])
  })
})

describe('probes', () => {
  const probe = (service: ApiObject) => {
    const stored = {
      plane: 'p',
      resource: 'apiservices.apiregistration.k8s.io',
      namespace: '',
      name: 'v1.metrics.example.com',
      uid: 'u',
      revision: 1n,
      body: service,
      managedFields: [],
    }
    return probeDelegate(testEgress(), must(parseDelegate(stored), 'a delegate'))
  }

  test('R37: a server with its discovery document is available', async () => {
    const url = await serveHttp(respond(JSON.stringify(RESOURCE_LIST)))
    expect(await probe(apiService(url))).toEqual({
      status: 'True',
      reason: 'Passed',
      message: 'all checks passed',
    })
  })

  test.each([
    [apiService(null), 'ServiceNotFound'],
    [apiService('http://127.0.0.1:1'), 'FailedDiscoveryCheck'],
    [apiService('https://hooks.example.com'), 'FailedDiscoveryCheck'],
  ])('R37: a server that cannot be reached is unavailable', async (service, reason) => {
    expect(await probe(service)).toMatchObject({ status: 'False', reason })
  })

  test('R37: a server that responds with an error is unavailable', async () => {
    const url = await serveHttp(respond('{}', 500))
    expect(await probe(apiService(url))).toMatchObject({ status: 'False' })
  })
})
