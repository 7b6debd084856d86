import { expect, test } from 'vitest'
import { creation } from '../support/fixtures.ts'
import { startReceiver, withoutRepetitions } from './receiver.ts'
import { startWebhookServer, subscribe, untilQueued } from './webhook-server.ts'

const WEBHOOKS = 30
/** The events of one change with these characters do not fit into one statement. */
const CHARACTERS = 450_000

test('each webhook receives a large change and the next one once, in order', async () => {
  await using server = await startWebhookServer()
  await using receiver = await startReceiver()
  const paused: string[] = []
  for (let count = 1; count < WEBHOOKS; count += 1) {
    paused.push(await subscribe(server, receiver, { kinds: ['Cluster'], state: 'paused' }))
  }
  await subscribe(server, receiver, { kinds: ['Cluster'] })
  // Quotes are the worst text for arrays of PostgreSQL.
  const spec = { text: '"'.repeat(CHARACTERS) }
  const { status, body } = await server.post('/clusters', creation('Cluster', { spec }))
  expect(status).toBe(201)
  await server.patch(`/clusters/${body.id}`, { spec: { text: 'short' } })
  await untilQueued(server)
  for (const path of paused) {
    const { body: found } = await server.get(`${path}/deliveries`)
    expect(found.items.map(({ type }: { type: string }) => type)).toEqual([
      'cluster.updated',
      'cluster.created',
    ])
  }
  const received = () => withoutRepetitions(receiver.received)
  await expect.poll(() => received().length).toBe(2)
  expect(received().map((event) => event.body.data.spec.text.length)).toEqual([CHARACTERS, 5])
})
