import type { JsonObject } from '../../../src/lib/json/json.ts'
import { CLUSTERS } from '../load/cluster-writes.ts'
import type { LoadClient, LoadRequest, Outcome } from '../load/load-client.ts'
import type { Operation, Read, Registers } from './history.ts'

const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps'

/** Clusters by name. PATCH and DELETE are conditional by `If-Match`. */
export function clusterRegisters(client: LoadClient): Registers {
  const write = (request: LoadRequest) => outcomeOf(client, request)
  return {
    read: async (key) => {
      const outcome = await client.send({ method: 'GET', path: `${CLUSTERS}/by-name/${key}` })
      return readOf(outcome, ({ id, spec }, etag) => ({
        id: String(id),
        value: String(Object(spec).value),
        tag: etag,
      }))
    },
    create: (key, value) => {
      const body = { kind: 'Cluster', name: key, spec: { value } }
      return write({ method: 'POST', path: CLUSTERS, body })
    },
    swap: (_key, { id, tag }, value) =>
      write({
        method: 'PATCH',
        path: `${CLUSTERS}/${id}`,
        headers: { 'If-Match': tag },
        body: { spec: { value } },
      }),
    remove: (_key, { id, tag }) =>
      write({ method: 'DELETE', path: `${CLUSTERS}/${id}`, headers: { 'If-Match': tag } }),
  }
}

/** Config maps of the root plane. Writes are conditional by `resourceVersion`. */
export function configMapRegisters(client: LoadClient): Registers {
  const write = (request: LoadRequest) => outcomeOf(client, request)
  const configMap = (name: string, value: string, metadata: JsonObject = {}): JsonObject => {
    return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, ...metadata }, data: { value } }
  }
  return {
    read: async (key) => {
      const outcome = await client.send({ method: 'GET', path: `${CONFIG_MAPS}/${key}` })
      return readOf(outcome, ({ metadata, data }) => ({
        id: String(Object(metadata).uid),
        value: String(Object(data).value),
        tag: String(Object(metadata).resourceVersion),
      }))
    },
    create: (key, value) =>
      write({ method: 'POST', path: CONFIG_MAPS, body: configMap(key, value) }),
    swap: (key, { id, tag }, value) => {
      const body = configMap(key, value, { uid: id, resourceVersion: tag })
      return write({ method: 'PUT', path: `${CONFIG_MAPS}/${key}`, body })
    },
    remove: (key, { id, tag }) => {
      const body = { preconditions: { uid: id, resourceVersion: tag } }
      return write({ method: 'DELETE', path: `${CONFIG_MAPS}/${key}`, body })
    },
  }
}

function readOf(
  outcome: Outcome,
  parse: (body: JsonObject, etag: string) => Read,
): Read | null | 'unknown' {
  if (outcome.kind !== 'response') return 'unknown'
  const { status, headers, body } = outcome
  if (status === 200) return parse(body, headers.etag ?? '')
  if (status === 404) return null
  if (status >= 500 || status === 429) return 'unknown'
  throw new Error(`a read is ${status}: ${JSON.stringify(body)}`)
}

async function outcomeOf(client: LoadClient, request: LoadRequest): Promise<Operation['outcome']> {
  const outcome = await client.send(request)
  if (outcome.kind !== 'response') return 'unknown'
  const { status, body } = outcome
  if (status < 300) return 'ok'
  if (status === 404 || status === 409 || status === 412) return 'no'
  if (status >= 500 || status === 429) return 'unknown'
  throw new Error(`${request.method} ${request.path} is ${status}: ${JSON.stringify(body)}`)
}
