import assert from 'node:assert/strict'
import { type Client, Invalid } from '../../../../clients/typescript/src/index.ts'
import { PAYLOADS } from './payloads.ts'

const { image, script, address, template, vector } = PAYLOADS
const ALL = Object.values(PAYLOADS)
export const ATTACKED = { cluster: 'attacked', configMap: 'attacked', sandbox: 'attacked' } as const

/** Stores the payloads in every field that accepts them, and returns the ID of the cluster. */
export async function createAttacks(client: Client): Promise<string> {
  await assertNamesAreRejected(client)
  const { id } = await client.clusters.create({
    name: ATTACKED.cluster,
    labels: { attack: image, [vector]: script },
    annotations: { note: script, [image]: address },
    spec: { title: image, [vector]: template, link: address, list: ALL, nested: { script } },
  })
  await client.statuses.create(id, {
    adapter: 'validator',
    observed_generation: 1,
    conditions: [
      { type: 'Available', status: 'False', reason: image, message: ALL.join(' ') },
      { type: image, status: 'Unknown', reason: script, message: vector },
    ],
    data: { url: address, [image]: script, html: ALL },
    metadata: { job_name: image, job_namespace: script },
  })
  await client.statuses.create(id, {
    adapter: image,
    observed_generation: 1,
    conditions: [{ type: 'Available', status: 'False', reason: 'Attack', message: image }],
  })
  const root = client.plane('root')
  await root.request({
    method: 'POST',
    path: '/api/v1/namespaces/default/configmaps',
    body: {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: ATTACKED.configMap, annotations: { note: image } },
      data: { motto: ALL.join('\n') },
    },
  })
  return id
}

async function assertNamesAreRejected(client: Client): Promise<void> {
  for (const name of ALL) await assert.rejects(client.clusters.create({ name }), Invalid)
}
