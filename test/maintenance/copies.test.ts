import { expect, test } from 'vitest'
import { backupOf, restoreTo } from '../support/memory-backup.ts'
import { query } from '../shards/shard-servers.ts'
import { startTestServer } from '../support/test-server.ts'
import { createTestDatabase } from '../support/test-database.ts'

const OBJECTS = `
  select resource, namespace, name from objects
  where resource in ('configmaps', 'sandboxruntimes.sandbox.flotilla.dev')
  order by name`
const WEBHOOKS = 'select state from webhooks order by url'
const RUNTIME = 'sandboxruntimes.sandbox.flotilla.dev'

/** The rows by which a database acts on other systems. */
async function actorsOf(url: string) {
  const objects = await query<Record<'resource' | 'namespace' | 'name', string>>(url, OBJECTS)
  const webhooks = await query<{ state: string }>(url, WEBHOOKS)
  return {
    objects: objects.map(({ resource, namespace, name }) => [resource, namespace, name].join('/')),
    webhooks: webhooks.map(({ state }) => state),
  }
}

test('a copy does not act for its original', async () => {
  await using source = await createTestDatabase()
  {
    await using server = await startTestServer({ databaseUrl: source.url })
    const post = async (path: string, body: object): Promise<void> => {
      const response = await fetch(server.origin + path, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify(body),
      })
      expect(response.status, await response.text()).toBe(201)
    }
    await post('/api/hyperfleet/v1/webhooks', { url: 'https://hooks.example.com/a' })
    await post('/apis/sandbox.flotilla.dev/v1alpha1/sandboxruntimes', {
      metadata: { name: 'machine' },
      spec: { endpoint: 'unix:/run/original.sock' },
    })
    await post('/api/v1/namespaces/kube-system/configmaps', {
      metadata: { name: 'flotilla-installation' },
    })
    await post('/api/v1/namespaces/default/configmaps', { metadata: { name: 'kept' } })
  }
  const backup = await backupOf(source.url)
  const all = [
    'configmaps/kube-system/flotilla-installation',
    'configmaps/default/kept',
    `${RUNTIME}//machine`,
  ]
  await using restored = await createTestDatabase('embedded', { template: null })
  await restoreTo(restored.url, backup)
  expect(await actorsOf(restored.url)).toEqual({ objects: all, webhooks: ['active'] })
  await using copy = await createTestDatabase('embedded', { template: null })
  await restoreTo(copy.url, backup, true)
  expect(await actorsOf(copy.url)).toEqual({
    objects: ['configmaps/default/kept'],
    webhooks: ['paused'],
  })
})
