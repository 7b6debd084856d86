import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestServer, type TestServer } from '../../support/test-server.ts'
import { createFleet, namesFrom } from './member-fixtures.ts'

let server: TestServer

beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server[Symbol.asyncDispose]())

it('wants the indexes from 0', async () => {
  const fleet = await createFleet(server, 'first', { replicas: 3 })
  const before = await fleet.compare()
  expect(before).toMatchObject({ wanted: 3, missing: namesFrom('first-', 0, 3), surplus: [] })
  expect(before.members.map(({ phase }) => phase)).toEqual(['Pending', 'Pending', 'Pending'])
  const results = await fleet.members.create(await fleet.ref(), before.missing)
  expect(results.map(({ result }) => result)).toEqual(['created', 'created', 'created'])
  const after = await fleet.compare()
  expect(after).toMatchObject({
    missing: [],
    counts: { members: 3, ready: 3, available: 3, updated: 3, claimed: 0, failed: 0 },
  })
})

it('scales 0 -> 3 -> 0', async () => {
  const fleet = await createFleet(server, 'zero', { replicas: 0, scaleDownPolicy: 'Delete' })
  expect(await fleet.converge()).toMatchObject({ wanted: 0, members: [] })
  await fleet.patchSpec({ replicas: 3 })
  expect((await fleet.converge()).counts.ready).toBe(3)
  await fleet.patchSpec({ replicas: 0 })
  expect(await fleet.converge()).toMatchObject({ counts: { members: 0 }, members: [] })
  const { body } = await server.get(`/clusters?search=${encodeURIComponent("name like 'zero-%'")}`)
  expect(body.total).toBe(0)
})
