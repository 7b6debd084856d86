import type { ApiList } from '../../../model/api-object.ts'
import type { DeleteOptions, ObjectPatch, WriteOptions } from '../../../model/object-operations.ts'
import type { WriteFence } from '../../../../store/objects/model/write-fence.ts'
import type { JsonObject } from '../../../../lib/json/json.ts'
import type { PageOptions, PlaneClient, ResourceName, Selection } from '../plane-client.ts'
import type { HttpOptions } from './http-options.ts'
import { parseList, parseObject } from './parse-objects.ts'
import { readDiscovery } from './read-discovery.ts'
import { planePath, resourcePath } from './resource-path.ts'
import { sendRequest } from './send-request.ts'
import { watchOverHttp } from './watch-over-http.ts'

const PAGE_SIZE = 500
const PATCH_TYPES: Readonly<Record<ObjectPatch['type'], string>> = {
  json: 'application/json-patch+json',
  merge: 'application/merge-patch+json',
  strategic: 'application/strategic-merge-patch+json',
  apply: 'application/apply-patch+yaml',
}

/** A client of one plane of a server. `fence` is null for unfenced writes. */
export function createHttpPlaneClient(
  options: HttpOptions,
  plane: string,
  fence: WriteFence | null,
): PlaneClient {
  const base = planePath(plane)
  const send = (request: Parameters<typeof sendRequest>[1]): Promise<JsonObject> =>
    sendRequest(options, { ...request, path: base + request.path, fence })
  const client: PlaneClient = {
    plane,
    whileExists: () => client,
    get: async (resource, name, read = {}) => {
      const query = { ...read }
      return parseObject(await send({ method: 'GET', path: resourcePath(resource, name), query }))
    },
    pages: (resource, selection = {}) => readPages(send, resource, selection),
    create: async (resource, object, write = {}) => {
      const path = resourcePath(resource, { namespace: object.metadata.namespace ?? '' })
      return parseObject(
        await send({ method: 'POST', path, body: object, query: writeQuery(write) }),
      )
    },
    update: async (resource, object, write = {}) => {
      const path = resourcePath(resource, placeOf(object.metadata))
      return parseObject(
        await send({ method: 'PUT', path, body: object, query: writeQuery(write) }),
      )
    },
    // oxlint-disable-next-line max-params -- the public interface PlaneClient has these parameters
    updateSubresource: async (resource, subresource, object, write = {}) => {
      const path = resourcePath(resource, { ...placeOf(object.metadata), subresource })
      return parseObject(
        await send({ method: 'PUT', path, body: object, query: writeQuery(write) }),
      )
    },
    // oxlint-disable-next-line max-params -- the public interface PlaneClient has these parameters
    patch: async (resource, name, { type, body, force }, { subresource = '', ...write } = {}) => {
      const path = resourcePath(resource, { ...name, subresource })
      const query = { ...writeQuery(write), force: force ? 'true' : '' }
      const contentType = PATCH_TYPES[type]
      return parseObject(await send({ method: 'PATCH', path, body, query, contentType }))
    },
    delete: async (resource, name, deletion = {}) => {
      const body = deleteBody(deletion)
      await send({ method: 'DELETE', path: resourcePath(resource, name), body })
    },
    deleteCollection: async (resource, { namespace = '', ...selection }, deletion = {}) => {
      const path = resourcePath(resource, { namespace })
      await send({ method: 'DELETE', path, query: selection, body: deleteBody(deletion) })
    },
    watch: (resource, watching) => {
      const { namespace = '' } = watching
      return watchOverHttp(options, base + resourcePath(resource, { namespace }), watching)
    },
    resources: () => readDiscovery(options, base),
  }
  return client
}

async function* readPages(
  send: (request: Parameters<typeof sendRequest>[1]) => Promise<JsonObject>,
  resource: ResourceName,
  { namespace = '', pageSize = PAGE_SIZE, labelSelector, fieldSelector }: PageOptions,
): AsyncGenerator<ApiList> {
  const selection: Selection = {
    ...(labelSelector && { labelSelector }),
    ...(fieldSelector && { fieldSelector }),
  }
  let next: string | undefined = ''
  while (next !== undefined) {
    const query = { ...selection, limit: String(pageSize), continue: next }
    const path = resourcePath(resource, { namespace })
    const page = parseList(await send({ method: 'GET', path, query }))
    yield page
    next = page.metadata.continue || undefined
  }
}

function writeQuery({ dryRun, fieldManager, fieldValidation }: WriteOptions) {
  return { dryRun: dryRun ? 'All' : '', fieldManager, fieldValidation }
}

function deleteBody({ dryRun, propagationPolicy, preconditions }: DeleteOptions): JsonObject {
  return {
    apiVersion: 'v1',
    kind: 'DeleteOptions',
    ...(dryRun && { dryRun: ['All'] }),
    ...(propagationPolicy && { propagationPolicy }),
    ...(preconditions && { preconditions: { ...preconditions } }),
  }
}

function placeOf({ namespace, name }: { readonly namespace?: string; readonly name?: string }): {
  readonly namespace: string
  readonly name: string
} {
  return { namespace: namespace ?? '', name: name ?? '' }
}
