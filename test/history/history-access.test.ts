import { afterAll, beforeAll, expect, test } from 'vitest'
import { callerWith, made, SYSTEM_HEADERS, TENANT_ENV, tenantHeaders } from '../auth/tenants.ts'
import { bearerOf, eventually, ROOT, startPlaneServer } from '../planes/identities.ts'
import { creation, newName } from '../support/fixtures.ts'
import { startTestServer, type TestServer } from '../support/test-server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer({
    env: { ...TENANT_ENV, HYPERFLEET_CONDITIONS: 'latest', HYPERFLEET_CLUSTER_ADAPTERS: '["dns"]' },
  })
})
afterAll(() => server[Symbol.asyncDispose]())

test.each(['changes', 'history'])(
  'another tenant sees no %s, also after the removal',
  async (log) => {
    const acme = callerWith(server, tenantHeaders('acme'))
    const umbrella = callerWith(server, tenantHeaders('umbrella'))
    const system = callerWith(server, SYSTEM_HEADERS)
    const { id } = await made(acme, '/clusters', creation('Cluster'))
    const path = `/clusters/${id}/${log}`
    const report = {
      adapter: 'dns',
      observed_generation: 1,
      conditions: [{ type: 'Available', status: 'True' }],
    }
    await made(system, `/clusters/${id}/statuses`, report)
    const count = async (): Promise<number> => (await acme.get(path)).body.items.length
    await expect.poll(count).toBe(2)
    expect((await umbrella.get(path)).status).toBe(404)
    expect((await system.get(path)).status).toBe(200)
    // The family of the server hides Ready.
    const { body } = await acme.get(path)
    const types = body.items[0].conditions.map(({ type }: { type: string }) => type)
    expect(types).toContain('Reconciled')
    expect(types).not.toContain('Ready')
    await acme.send('DELETE', `/clusters/${id}`)
    await acme.send('POST', `/clusters/${id}/force-delete`, { reason: 'test' })
    const last = async (): Promise<string> => (await acme.get(path)).body.items?.[0].type
    await expect.poll(last).toBe('removed')
    expect((await umbrella.get(path)).status).toBe(404)
    expect((await umbrella.get(`/resources/${id}/${log}`)).status).toBe(404)
  },
)

test('roles decide who may read changes or the history', async () => {
  await using planes = await startPlaneServer()
  const base = '/api/hyperfleet/v1'
  const body = { kind: 'Cluster', name: newName(), spec: {} }
  const created = await planes.call(ROOT, 'POST', `${base}/clusters`, body)
  for (const log of ['changes', 'history']) {
    const path = `${base}/clusters/${created.body.id}/${log}`
    expect((await planes.call('', 'GET', path)).status).toBe(401)
    const eve = bearerOf('eve@example.com')
    expect((await planes.call(eve, 'GET', path)).status).toBe(403)
    expect((await eventually(() => planes.call(ROOT, 'GET', path), 200)).status).toBe(200)
  }
})
