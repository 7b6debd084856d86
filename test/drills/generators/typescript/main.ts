// Creates, lists, reports on, patches and deletes a cluster through the generated client.
import assert from 'node:assert/strict'
import { createClient } from './client/client/index.js'
import {
  createCluster,
  deleteCluster,
  getCluster,
  listClusters,
  patchCluster,
  reportClusterStatus,
} from './client/index.js'

const NAME = 'made-in-typescript'
const [, , baseUrl = ''] = process.argv
const client = createClient({ baseUrl })

const created = await createCluster({
  client,
  body: { kind: 'Cluster', name: NAME, spec: { region: 'north' } },
})
assert.equal(created.data?.generation, 1, JSON.stringify(created.error))
const path = { cluster_id: created.data.id }

const page = await listClusters({ client, query: { search: `name='${NAME}'` } })
assert.equal(page.data?.total, 1, JSON.stringify(page.error))
assert.deepEqual(
  page.data.items.map(({ id }) => id),
  [created.data.id],
)

const report = await reportClusterStatus({
  client,
  path,
  body: {
    adapter: 'validator',
    observed_generation: created.data.generation,
    conditions: [{ type: 'Available', status: 'True' }],
  },
})
assert.equal(report.data?.observed_generation, 1, JSON.stringify(report.error))

const patched = await patchCluster({ client, path, body: { spec: { region: 'south' } } })
assert.equal(patched.data?.generation, 2, JSON.stringify(patched.error))

const deleted = await deleteCluster({ client, path })
assert.ok(deleted.data?.deleted_time, JSON.stringify(deleted.error))

const unknown = await getCluster({ client, path: { cluster_id: 'unknown' } })
assert.equal(unknown.error?.code, 'HYPERFLEET-NTF-001')
console.log('ok')
