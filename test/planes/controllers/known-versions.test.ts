import { afterAll, beforeAll, expect, test } from 'vitest'
import { must } from '../../../src/lib/assert.ts'
import type { ApiObject } from '../../../src/planes/model/api-object.ts'
import { startTestServer, type TestServer } from '../../support/test-server.ts'

const UPDATES = 20
const CONFIG_MAPS = { group: '', version: 'v1', plural: 'configmaps' }

let server: TestServer

beforeAll(async () => {
  // Without controllers, so that only the test reads objects.
  server = await startTestServer({ env: { ROLE: 'api' } })
})

afterAll(() => server[Symbol.asyncDispose]())

const plane = () => server.planes.client().plane('root')

const create = (name: string): Promise<ApiObject> =>
  plane().create(CONFIG_MAPS, {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { namespace: 'default', name },
    data: { value: 'first' },
  })

const changed = (object: ApiObject, value: string): ApiObject => ({ ...object, data: { value } })

/** The reads of single objects so far. */
async function reads(): Promise<number> {
  const text = await (await fetch(`${server.metricsOrigin}/metrics`)).text()
  const found = /query_duration_seconds_count\{statement="read_object"\} (\d+)/.exec(text)
  return Number(must(found, 'the reads of objects')[1])
}

test('an update that is based on the object it changes reads nothing', async () => {
  const created = await create('known')
  let last = await plane().get(CONFIG_MAPS, { namespace: 'default', name: 'known' })
  const before = await reads()
  for (let count = 1; count <= UPDATES; count += 1) {
    last = await plane().update(CONFIG_MAPS, changed(last, `${count}`), { basedOn: last })
  }
  // Other work of the server may read a few.
  expect((await reads()) - before).toBeLessThan(UPDATES / 2)
  for (let count = 1; count <= UPDATES; count += 1) {
    last = await plane().update(CONFIG_MAPS, changed(last, `again ${count}`))
  }
  expect((await reads()) - before).toBeGreaterThanOrEqual(UPDATES)
  const stored = await plane().get(CONFIG_MAPS, { namespace: 'default', name: 'known' })
  const { uid } = created.metadata
  expect(stored).toMatchObject({ metadata: { uid }, data: { value: `again ${UPDATES}` } })
})

test.each(['another value', 'first'])(
  'an update to %s that is based on an older version fails',
  async (value) => {
    const name = `outdated-${value.replace(' ', '-')}`
    const created = await create(name)
    await plane().update(CONFIG_MAPS, changed(created, 'second'))
    const outdated = plane().update(CONFIG_MAPS, changed(created, value), { basedOn: created })
    await expect(outdated).rejects.toMatchObject({ code: 409 })
    const current = await plane().get(CONFIG_MAPS, { namespace: 'default', name })
    expect(current['data']).toEqual({ value: 'second' })
  },
)

test('an update without a version is decided again if its base is outdated', async () => {
  const created = await create('unversioned')
  await plane().update(CONFIG_MAPS, changed(created, 'second'))
  const { resourceVersion, ...metadata } = created.metadata
  void resourceVersion
  const updated = { ...changed(created, 'third'), metadata }
  const written = await plane().update(CONFIG_MAPS, updated, { basedOn: created })
  expect(written['data']).toEqual({ value: 'third' })
})

test('an object that was deleted after the read is not found', async () => {
  const created = await create('deleted')
  await plane().delete(CONFIG_MAPS, { namespace: 'default', name: 'deleted' })
  const late = plane().update(CONFIG_MAPS, changed(created, 'second'), { basedOn: created })
  await expect(late).rejects.toMatchObject({ code: 404 })
})

test('an object of another source is read as without it', async () => {
  const created = await create('foreign')
  const copy = { ...created }
  const written = await plane().update(CONFIG_MAPS, changed(created, 'second'), { basedOn: copy })
  expect(written['data']).toEqual({ value: 'second' })
})
