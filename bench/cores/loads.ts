import { configMap } from '../data/objects.ts'
import { reportBody } from '../data/report-body.ts'
import type { Client, HttpResponse } from '../servers/http-client.ts'

const CLUSTERS = 500
const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps'

/** One request of a load. The index is unique within a sample. */
export type Send = (sample: string, index: number) => Promise<HttpResponse>

/** The clients of a server, by the Content-Type of their bodies. */
export interface Clients {
  readonly json: Client
  readonly mergePatch: Client
  readonly apply: Client
}

/** Creates the resources that the loads use, and returns the loads by name. */
export async function prepareLoads(clients: Clients): Promise<Readonly<Record<string, Send>>> {
  const { json: client, mergePatch, apply } = clients
  const ids: string[] = []
  for (let index = 0; index < CLUSTERS; index += 1) {
    const { text } = await client.request('POST', '/clusters', cluster(`seeded-${index}`, index))
    ids.push(JSON.parse(text).id)
    await client.requestPath('POST', CONFIG_MAPS, configMap(`seeded-${index}`, index))
  }
  const id = (index: number): string => ids[index % ids.length] ?? ''
  return {
    get: (_sample, index) => client.request('GET', `/clusters/${id(index)}`),
    list: () => client.request('GET', '/clusters?pageSize=20'),
    search: (_sample, index) =>
      client.request(
        'GET',
        `/clusters?search=${encodeURIComponent(`labels.part='p${index % 50}'`)}`,
      ),
    create: (sample, index) =>
      client.request('POST', '/clusters', cluster(`made-${sample}-${index}`, index)),
    report: (_sample, index) => {
      const observedTime = new Date().toISOString()
      const body = reportBody({ adapter: 'dns', status: 'True', observedTime })
      return client.request('PUT', `/clusters/${id(index)}/statuses`, body)
    },
    'plane get': (_sample, index) => client.requestPath('GET', objectPath(index)),
    'plane create': (sample, index) =>
      client.requestPath('POST', CONFIG_MAPS, configMap(`made-${sample}-${index}`, index)),
    'plane patch': (sample, index) =>
      mergePatch.requestPath('PATCH', objectPath(index), { data: { value: `${sample}-${index}` } }),
    'plane apply': (sample, index) => {
      const path = `${objectPath(index)}?fieldManager=bench&force=true`
      const body = { apiVersion: 'v1', kind: 'ConfigMap', data: { applied: `${sample}-${index}` } }
      return apply.requestPath('PATCH', path, body)
    },
  }
}

function objectPath(index: number): string {
  return `${CONFIG_MAPS}/seeded-${index % CLUSTERS}`
}

function cluster(name: string, index: number): object {
  const labels = { part: `p${index % 50}` }
  return { kind: 'Cluster', name, labels, spec: { text: 'x'.repeat(1024) } }
}
