import type { RequestListener } from 'node:http'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import type { JsonValue } from '../../lib/json/json.ts'
import { LOOPBACK, serveHttp, serveHttps, testEgress } from '../../http/egress/fixtures.ts'
import type { ResolveName } from '../../http/egress/egress.ts'
import { createWebhookClient, type WebhookClient } from './webhook-client.ts'

const NAME = 'hook.example.com'

function call(client: WebhookClient, clientConfig: JsonValue, timeoutMs = 5000): Promise<unknown> {
  return client.call({ name: NAME, clientConfig, timeoutMs, body: { kind: 'Review' } })
}

async function callPlain(
  listener: RequestListener,
  options: { timeoutMs?: number; maxResponseBytes?: number } = {},
): Promise<unknown> {
  const url = await serveHttp(listener)
  const { timeoutMs, ...rest } = options
  return call(createWebhookClient({ egress: testEgress(), ...rest }), { url }, timeoutMs)
}

const respond =
  (body: string, status = 200): RequestListener =>
  (_request, response) =>
    void response.writeHead(status).end(body)

const base64 = (pem: string): string => Buffer.from(pem).toString('base64')

test('R31: posts the review and returns the object of the response', async () => {
  const answer = await callPlain((request, response) => {
    void text(request).then((body) => {
      response.end(JSON.stringify({ method: request.method, url: request.url, body }))
    })
  })
  expect(answer).toEqual({ method: 'POST', url: '/?timeout=5s', body: '{"kind":"Review"}' })
})

test('R31: calls https with the authority of caBundle only', async () => {
  const { port, ca } = await serveHttps(respond('{"a":1}'))
  const client = createWebhookClient({ egress: testEgress(['127.0.0.1']) })
  const url = `https://127.0.0.1:${port}/`
  expect(await call(client, { url, caBundle: base64(ca) })).toEqual({ a: 1 })
  await expect(call(client, { url })).rejects.toThrow('self-signed certificate')
  const other = await serveHttps(respond('{}'))
  await expect(call(client, { url, caBundle: base64(other.ca) })).rejects.toThrow('certificate')
  await expect(call(client, { url, caBundle: base64('junk') })).rejects.toThrow('caBundle')
})

test('R31: resolves a name once and connects to the accepted address', async () => {
  const { port, ca } = await serveHttps(respond('{}'))
  const answers = ['127.0.0.1', '10.0.0.1']
  const resolve: ResolveName = async () => [{ address: answers.shift() ?? '', family: 4 }]
  const egress = testEgress(['localhost', '127.0.0.1'], resolve)
  const clientConfig = { url: `https://localhost:${port}/`, caBundle: base64(ca) }
  expect(await call(createWebhookClient({ egress }), clientConfig)).toEqual({})
  expect(answers).toEqual(['10.0.0.1'])
})

test('R31: never connects if a name resolves to an address that is not listed', async () => {
  let calls = 0
  const origin = await serveHttp((_request, response) => {
    calls += 1
    response.end('{}')
  })
  const resolve: ResolveName = async () => [
    { address: '8.8.8.8', family: 4 },
    { address: '127.0.0.1', family: 4 },
  ]
  const client = createWebhookClient({ egress: testEgress(['http://rebinding.example'], resolve) })
  const url = origin.replace('127.0.0.1', 'rebinding.example')
  await expect(call(client, { url })).rejects.toThrow('resolves to an address that is not public')
  expect(calls).toBe(0)
})

test('R31: rejects hosts that are not listed, and plain http to hosts without it', async () => {
  const client = createWebhookClient({ egress: testEgress(['127.0.0.1']) })
  await expect(call(client, { url: 'https://169.254.169.254/' })).rejects.toThrow(
    `failed calling webhook "${NAME}": failed to call webhook: Post "https://169.254.169.254/?timeout=5s": host 169.254.169.254 is not listed in WEBHOOK_ALLOWED_HOSTS`,
  )
  await expect(call(client, { url: 'http://127.0.0.1:1/' })).rejects.toThrow('http://')
})

test('R31: does not follow redirects', async () => {
  const answer = callPlain((_request, response) => {
    response.writeHead(302, { Location: 'http://169.254.169.254/' }).end()
  })
  await expect(answer).rejects.toThrow('the server responded with status 302')
})

test('R31: ends a call that takes longer than its timeout', async () => {
  const slow: RequestListener = (_request, response) => {
    response.write('{')
  }
  await expect(callPlain(slow, { timeoutMs: 60 })).rejects.toThrow('no response within 60 ms')
  await expect(callPlain(() => undefined, { timeoutMs: 60 })).rejects.toThrow('within 60 ms')
})

test('R31: rejects a response over the limit, with or without its length', async () => {
  const long = `"${'a'.repeat(5000)}"`
  const limit = { maxResponseBytes: 1000 }
  await expect(callPlain(respond(long), limit)).rejects.toThrow('longer than 1000 bytes')
  const endless: RequestListener = (_request, response) => {
    const timer = setInterval(() => response.write(long), 1)
    response.once('close', () => clearInterval(timer))
  }
  await expect(callPlain(endless, limit)).rejects.toThrow('longer than 1000 bytes')
})

test.each([
  ['text', 'not valid JSON'],
  ['[]', 'not an object'],
  ['{"a":"\\u0000"}', 'NUL'],
  [`{"a":${'['.repeat(200)}${']'.repeat(200)}}`, 'nested'],
])('R31: rejects the response %s', async (body, problem) => {
  await expect(callPlain(respond(body))).rejects.toThrow(problem)
})

test('R31: explains that planes have no services', async () => {
  const client = createWebhookClient({ egress: testEgress(LOOPBACK) })
  const service = { namespace: 'a', name: 'b' }
  await expect(call(client, { service })).rejects.toThrow(
    'planes have no services: set clientConfig.url, found service "b"',
  )
})

test('R31: reuses connections', async () => {
  const ports = new Set<number | undefined>()
  const url = await serveHttp((request, response) => {
    ports.add(request.socket.remotePort)
    response.end('{}')
  })
  const client = createWebhookClient({ egress: testEgress() })
  for (let round = 0; round < 3; round += 1) await call(client, { url })
  expect(ports.size).toBe(1)
})
