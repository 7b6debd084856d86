import { createServer } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import {
  Client,
  InvalidWebhook,
  NotFound,
  verifyWebhook,
} from '../../clients/typescript/src/index.ts'
import { listen } from '../../src/lib/listen.ts'
import { newName } from '../support/fixtures.ts'
import { startWebhookServer } from './webhook-server.ts'

test('the SDK creates webhooks, verifies their events, and sends dead letters again', async () => {
  await using server = await startWebhookServer()
  const client = new Client(server.origin)
  const events: string[] = []
  let secret = ''
  let isBroken = false
  const receiver = createServer((request, response) => {
    let body = ''
    request.setEncoding('utf8').on('data', (text: string) => (body += text))
    request.on('end', () => {
      verifyWebhook(body, request.headers, secret).then(
        ({ type }) => {
          events.push(type)
          response.writeHead(isBroken ? 500 : 204).end()
        },
        () => response.writeHead(401).end(),
      )
    })
  })
  const port = await listen(receiver, 0, '127.0.0.1')
  onTestFinished(() => void receiver.close())

  const created = await client.webhooks.create({ url: `http://127.0.0.1:${port}/` })
  const { id } = created
  secret = created.secret
  await client.clusters.create({ name: newName(), spec: {} })
  await expect.poll(() => events).toContain('cluster.created')
  isBroken = true
  const queued = await client.webhooks.test(id)
  const dead = async () => {
    const found = []
    for await (const delivery of client.webhooks.deliveries(id, { state: 'dead' })) {
      found.push(delivery.id)
    }
    return found
  }
  await expect.poll(dead).toEqual([queued.id])
  expect((await client.webhooks.delivery(id, queued.id)).payload.type).toBe('webhook.test')
  isBroken = false
  expect(await client.webhooks.redeliverAll(id)).toBe(1)
  await expect.poll(dead).toEqual([])

  const rotated = await client.webhooks.rotateSecret(id, { overlapSeconds: 60 })
  expect(rotated.secret).not.toBe(secret)
  expect((await client.webhooks.patch(id, { state: 'paused' })).state).toBe('paused')
  const append = { op: 'add', path: '/kinds/-', value: 'Cluster' } as const
  expect((await client.webhooks.jsonPatch(id, [append])).kinds).toEqual(['Cluster'])
  const ids = []
  for await (const webhook of client.webhooks.list()) ids.push(webhook.id)
  expect(ids).toEqual([id])
  await client.webhooks.delete(id)
  await expect(client.webhooks.get(id)).rejects.toThrow(NotFound)
})

test('verifyWebhook rejects other secrets, changed bodies, old times and missing headers', async () => {
  // The example of the specification of Standard Webhooks.
  const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
  const headers = {
    'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    'webhook-timestamp': '1614265330',
    'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  }
  const body = '{"test": 2432232314}'
  await expect(verifyWebhook(body, headers, secret)).rejects.toThrow('too old')
  const { signedHeaders } = await import('../../src/webhooks/delivery/sign-message.ts')
  const timestamp = Math.floor(Date.now() / 1000)
  const example = {
    messageId: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    timestamp: 1614265330,
    payload: body,
  }
  expect(signedHeaders(example, [secret])).toEqual(headers)
  const fresh = signedHeaders({ messageId: 'msg_1', timestamp, payload: body }, [secret])
  expect(await verifyWebhook(body, fresh, secret)).toEqual({ test: 2432232314 })
  expect(await verifyWebhook(body, new Headers(fresh), secret)).toEqual({ test: 2432232314 })
  const other = `whsec_${Buffer.alloc(32, 1).toString('base64')}`
  for (const [text, sent, key] of [
    [`${body} `, fresh, secret],
    [body, fresh, other],
    [body, { ...fresh, 'webhook-id': 'msg_2' }, secret],
    [body, { ...fresh, 'webhook-signature': 'v1,???' }, secret],
    [body, {}, secret],
  ] as const) {
    await expect(verifyWebhook(text, sent, key)).rejects.toThrow(InvalidWebhook)
  }
})
