import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  bearerOf,
  eventually,
  type PlaneResponse,
  type PlaneServer,
  ROOT,
  startPlaneServer,
} from '../planes/identities.ts'
import { creation, queryDatabase } from '../support/fixtures.ts'
import { WEBHOOK_ENV } from './webhook-server.ts'

const API = '/api/hyperfleet/v1'
const URL_OF_HOOK = 'http://127.0.0.1:1/hooks'
const URL_OF_EVE = 'http://127.0.0.1:1/eve'
/** She may manage webhooks and their deliveries, and watch node pools only. */
const EVE = bearerOf('eve@example.com')

let planes: PlaneServer
beforeAll(async () => {
  planes = await startPlaneServer(WEBHOOK_ENV)
  const api = '/clusters/root/control-plane/apis/rbac.authorization.k8s.io/v1'
  const metadata = { name: 'hooks' }
  const rules = [
    { resources: ['webhooks'], verbs: ['create', 'patch', 'get', 'update'] },
    { resources: ['webhooks/deliveries'], verbs: ['get', 'update'] },
    { resources: ['nodepools'], verbs: ['watch'] },
  ]
  await planes.call(ROOT, 'POST', `${api}/clusterroles`, {
    metadata,
    rules: rules.map((rule) => ({ apiGroups: ['hyperfleet.io'], ...rule })),
  })
  await planes.call(ROOT, 'POST', `${api}/clusterrolebindings`, {
    metadata,
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'hooks' },
    subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'eve@example.com' }],
  })
  const fields = { url: URL_OF_EVE, kinds: ['NodePool'], state: 'paused' }
  await eventually(() => planes.call(EVE, 'POST', `${API}/webhooks`, fields), 201)
})
afterAll(() => planes[Symbol.asyncDispose]())

const call = (as: string, method: string, path: string, body?: unknown): Promise<PlaneResponse> =>
  planes.call(as, method, path.startsWith(API) ? path : API + path, body)

/** A paused webhook of the administrator with an event of a cluster. Returns both paths. */
async function webhookWithEvent(): Promise<{ webhook: string; delivery: string }> {
  const created = await call(ROOT, 'POST', '/webhooks', { url: URL_OF_HOOK, state: 'paused' })
  const webhook = created.body.href
  expect((await call(ROOT, 'POST', '/clusters', creation('Cluster'))).status).toBe(201)
  const newest = async () => (await call(ROOT, 'GET', `${webhook}/deliveries`)).body.items[0]
  await expect.poll(async () => (await newest())?.type).toBe('cluster.created')
  return { webhook, delivery: (await newest()).id }
}

const urlOf = async (webhook: string) => (await call(ROOT, 'GET', webhook)).body.url

test('a new URL needs watch on the kinds that the webhook had before', async () => {
  const { webhook } = await webhookWithEvent()
  const both = await call(EVE, 'PATCH', webhook, { kinds: ['NodePool'], url: URL_OF_EVE })
  expect([both.status, await urlOf(webhook)]).toEqual([403, URL_OF_HOOK])
  const admin = await call(ROOT, 'PATCH', webhook, { kinds: ['NodePool'], url: URL_OF_EVE })
  expect([admin.status, await urlOf(webhook)]).toEqual([200, URL_OF_EVE])
})

test('a new URL needs watch on the kinds of events that wait, also after the kinds are narrowed', async () => {
  const { webhook } = await webhookWithEvent()
  expect((await call(EVE, 'PATCH', webhook, { kinds: ['NodePool'] })).status).toBe(200)
  expect((await call(EVE, 'PATCH', webhook, { url: URL_OF_EVE })).status).toBe(403)
  const id = webhook.slice(webhook.lastIndexOf('/') + 1)
  const finish = (state: string) =>
    queryDatabase(
      planes.server,
      `with emptied as (
        update webhook_queues set pending = 0, due_time = 'infinity' where webhook_id = $1)
      update webhook_deliveries set state = $2, last_attempt_time = now() where webhook_id = $1`,
      [id, state],
    )
  await finish('dead')
  expect((await call(EVE, 'PATCH', webhook, { url: URL_OF_EVE })).status).toBe(403)
  // Delivered events are never sent again, and events about the webhook have no kind.
  await finish('delivered')
  expect((await call(EVE, 'POST', `${webhook}/test`)).status).toBe(202)
  expect((await call(EVE, 'PATCH', webhook, { url: URL_OF_EVE })).status).toBe(200)
})

test('the payload of a delivery and its redelivery need watch on its kind', async () => {
  const { webhook, delivery } = await webhookWithEvent()
  const list = await call(EVE, 'GET', `${webhook}/deliveries`)
  expect(list.body.items).toMatchObject([{ id: delivery, type: 'cluster.created' }])
  expect(list.body.items[0]).not.toHaveProperty('payload')
  const read = (as: string, id: string) => call(as, 'GET', `${webhook}/deliveries/${id}`)
  expect((await read(EVE, delivery)).status).toBe(403)
  expect((await read(ROOT, delivery)).body.payload).toMatchObject({ type: 'cluster.created' })
  await queryDatabase(planes.server, `update webhook_deliveries set state = 'dead'`)
  for (const path of ['', `/${delivery}`]) {
    const target = `${webhook}/dead-letters${path}/redeliver`
    expect((await call(EVE, 'POST', target)).status).toBe(403)
  }
  const redelivered = await call(ROOT, 'POST', `${webhook}/dead-letters/${delivery}/redeliver`)
  expect(redelivered.status).toBe(202)
  const { body } = await call(EVE, 'POST', `${webhook}/test`)
  expect((await read(EVE, body.id)).body.payload).toMatchObject({ type: 'webhook.test' })
})

test('events of a kind that is not registered need a role for all resources', async () => {
  const { webhook, delivery } = await webhookWithEvent()
  await queryDatabase(planes.server, `update webhook_deliveries set type = 'shelf.updated'`)
  const read = (as: string) => call(as, 'GET', `${webhook}/deliveries/${delivery}`)
  expect((await read(EVE)).status).toBe(403)
  expect((await read(ROOT)).status).toBe(200)
})
