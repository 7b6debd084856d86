import type { Client } from '../../../../clients/typescript/src/index.ts'
import { ADAPTED } from './fake-adapters.ts'

/** The objects that the pages of a detail show. */
export const SAMPLES = {
  cluster: 'lisbon',
  fleet: 'training',
  sandbox: 'notebook',
  configMap: 'settings',
  view: 'demo-clusters',
} as const

const FLEETS = '/apis/kplane.dev/v1/fleets'
const SANDBOXES = '/apis/agents.x-k8s.io/v1beta1/namespaces/default/sandboxes'
const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps'

/** Creates an example of everything that has a page, and returns the ID of the cluster. */
export async function createSamples(client: Client): Promise<string> {
  const root = client.plane('root')
  const create = (path: string, body: object) => root.request({ method: 'POST', path, body })
  const { id } = await client.clusters.create({
    name: SAMPLES.cluster,
    labels: { ...ADAPTED, environment: 'demo', region: 'eu-west-1' },
    spec: { version: '4.17.3', replicas: 3, platform: { type: 'gcp', zonal: false } },
  })
  await client.nodepools.create({ cluster: id, name: 'workers', spec: { replicas: 2 } })
  await client.views.create({
    name: SAMPLES.view,
    spec: { kind: 'Cluster', search: "labels.environment='demo'" },
  })
  await create(FLEETS, {
    apiVersion: 'kplane.dev/v1',
    kind: 'Fleet',
    metadata: { name: SAMPLES.fleet },
    spec: { replicas: 24, scaleDownPolicy: 'Delete', template: { labels: ADAPTED } },
  })
  await create(CONFIG_MAPS, {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: SAMPLES.configMap },
    data: { motto: 'Many small boats' },
  })
  await create(SANDBOXES, sandbox(SAMPLES.sandbox))
  return id
}

/** Waits until adapters have reported on the cluster and on all members of the fleet. */
export async function untilSamplesReady(client: Client, clusterId: string): Promise<void> {
  await client.clusters.waitFor(clusterId, 'Ready')
  await (await client.getFleet(SAMPLES.fleet)).waitUntilReady()
}

/** Repeats the reports on a cluster: an adapter without any for five minutes is silent. */
export async function repeatReports(client: Client, clusterId: string): Promise<void> {
  for (const status of await client.statuses.list(clusterId)) {
    const { adapter, observed_generation, data } = status
    const conditions = status.conditions.map(({ type, status: value, reason, message }) => ({
      type,
      status: value,
      reason,
      message,
    }))
    await client.statuses.create(clusterId, { adapter, observed_generation, data, conditions })
  }
}

/** A sandbox that prints a line each second. */
export function sandbox(name: string) {
  const command = ['/bin/sh', '-c', 'while :; do date; sleep 1; done']
  return {
    apiVersion: 'agents.x-k8s.io/v1beta1',
    kind: 'Sandbox',
    metadata: { name, namespace: 'default' },
    spec: {
      podTemplate: {
        spec: { terminationGracePeriodSeconds: 1, containers: [{ name: 'main', command }] },
      },
    },
  }
}
