import { expect, test } from 'vitest'
import { creation } from '../support/fixtures.ts'
import { startTestServer } from '../support/test-server.ts'

test('a request that ignores dryRun is not marked as a dry run', async () => {
  await using server = await startTestServer({ env: { UNKNOWN_PARAMETERS: 'ignore' } })
  const webhook = { url: 'https://hooks.example.com/' }
  expect((await server.post('/webhooks?dryRun=All', webhook)).status).toBe(201)
  expect((await server.post('/clusters?dryRun=All', creation('Cluster'))).status).toBe(201)
  const { body } = await server.post('/resources?dryRun=All', creation('Cluster'))
  expect(body.kind).toBe('Cluster')
  const marks = async () => {
    const events = (await server.get('/audit')).body.items
    return events.map(({ resource, dry_run: mark }: Record<string, unknown>) => [resource, mark])
  }
  await expect.poll(marks).toEqual([
    ['clusters', 'All'],
    ['clusters', 'All'],
    ['webhooks', undefined],
  ])
  expect((await server.get('/clusters')).body.total).toBe(0)
})

test('the deletion of a collection is recorded with its selectors', async () => {
  await using server = await startTestServer()
  const path = `${server.origin}/api/v1/namespaces/default/configmaps`
  const query = `labelSelector=${encodeURIComponent('app in (a,b)')}&fieldSelector=metadata.name%3Dx`
  expect((await fetch(`${path}?${query}`, { method: 'DELETE' })).status).toBe(200)
  const events = async () => (await server.get('/audit')).body.items
  await expect.poll(events).toMatchObject([
    {
      verb: 'deletecollection',
      outcome: 'succeeded',
      detail: 'labelSelector=app in (a,b)&fieldSelector=metadata.name=x',
    },
  ])
})
