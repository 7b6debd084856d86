import type { ApiList, ApiObject } from '../../../model/api-object.ts'
import type { ListOptions, Requester, Target } from '../../../model/object-operations.ts'
import type { ObjectFence } from '../../../../store/objects/model/object-fence.ts'
import type { WriteFence } from '../../../../store/objects/model/write-fence.ts'
import { must } from '../../../../lib/assert.ts'
import { yieldToRequests } from '../../../../lib/tracing/main-thread.ts'
import { resourceNotServed } from '../api-failures.ts'
import { storageName } from '../resource-names.ts'
import type { PageOptions, PlaneClient, ResourceName, ServedResource } from '../plane-client.ts'
import type { InProcessOptions } from './in-process-options.ts'
import { watchInProcess } from './watch-in-process.ts'

const PAGE_SIZE = 500

/** A client that calls the operations of this process. `fence` is null for unfenced writes. */
export function createInProcessPlaneClient(
  options: InProcessOptions,
  plane: string,
  fence: WriteFence | ObjectFence | null,
): PlaneClient {
  const { operations, registry, user } = options
  const requester: Requester = { user, warn: () => undefined, ...(fence !== null && { fence }) }

  // Every call of a controller begins here: hundreds may be ready in the same turn.
  const target = async (resource: ResourceName, part: TargetPart = {}): Promise<Target> => {
    const found = await findTarget(options, { plane, ...part }, resource)
    await yieldToRequests()
    return found
  }

  return {
    plane,
    whileExists: (resource, object) => {
      const { uid = '' } = object.metadata
      const key = { plane, resource: storageName(resource), ...nameOf(object) }
      return createInProcessPlaneClient(options, plane, { key, uid })
    },
    get: async (resource, name, read) =>
      operations.get(requester, await target(resource, name), read),
    pages: async function* read(resource, query = {}) {
      const { namespace = '' } = query
      const collection = await target(resource, { namespace })
      yield* readPages((selection) => operations.list(requester, collection, selection), query)
    },
    create: async (resource, object, write) =>
      operations.create(requester, await target(resource, placeOf(object)), object, write),
    update: async (resource, object, write) =>
      operations.update(requester, await target(resource, nameOf(object)), object, write),
    // oxlint-disable-next-line max-params -- the public interface PlaneClient has these parameters
    updateSubresource: async (resource, subresource, object, write) => {
      const named = await target(resource, { ...nameOf(object), subresource })
      return operations.update(requester, named, object, write)
    },
    // oxlint-disable-next-line max-params -- the public interface PlaneClient has these parameters
    patch: async (resource, name, patch, { subresource = '', ...write } = {}) => {
      const named = await target(resource, { ...name, subresource })
      return (await operations.patch(requester, named, patch, write)).object
    },
    delete: async (resource, name, deletion) => {
      await operations.delete(requester, await target(resource, name), deletion)
    },
    deleteCollection: async (resource, { namespace = '', ...selection }, deletion) => {
      const collection = await target(resource, { namespace })
      await operations.deleteCollection(requester, collection, selection, deletion)
    },
    watch: async function* watch(resource, watching) {
      yield* watchInProcess(options, await target(resource), watching)
    },
    resources: async () => servedResources((await registry.typesOf(plane)).types),
  }
}

type TargetPart = Partial<Pick<Target, 'namespace' | 'name' | 'subresource'>>

async function findTarget(
  { registry }: InProcessOptions,
  part: TargetPart & Pick<Target, 'plane'>,
  resource: ResourceName,
): Promise<Target> {
  const { group, version, plural } = resource
  const type = (await registry.typesOf(part.plane)).find(group, version, plural)
  if (type === null) throw resourceNotServed(resource)
  return { namespace: '', name: '', subresource: '', ...part, type, version }
}

async function* readPages(
  list: (selection: ListOptions) => Promise<ApiList>,
  { pageSize = PAGE_SIZE, labelSelector, fieldSelector }: PageOptions,
): AsyncGenerator<ApiList> {
  const selection = {
    limit: pageSize,
    ...(labelSelector && { labelSelector }),
    ...(fieldSelector && { fieldSelector }),
  }
  let next: string | undefined = ''
  while (next !== undefined) {
    const position: { continue?: string } = next === '' ? {} : { continue: next }
    const page = await list({ ...selection, ...position })
    yield page
    next = page.metadata.continue || undefined
  }
}

function servedResources(types: readonly Target['type'][]): readonly ServedResource[] {
  return types.flatMap(({ group, plural, kind, namespaced, verbs, versions }) => {
    const version = versions.find(({ served }) => served)
    return version ? [{ group, plural, kind, namespaced, verbs, version: version.name }] : []
  })
}

function placeOf({ metadata }: ApiObject): { readonly namespace: string } {
  return { namespace: metadata.namespace ?? '' }
}

function nameOf(object: ApiObject): { readonly namespace: string; readonly name: string } {
  return { ...placeOf(object), name: must(object.metadata.name, 'the name of the object') }
}
