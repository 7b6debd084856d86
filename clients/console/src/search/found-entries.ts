import { apiPath } from '../../../typescript/src/http/api-path.ts'
import { kindIcon } from '../app/nav-items.ts'
import { FLEETS_PATH } from '../fleets/fleet-objects.ts'
import { listPath } from '../kube/object-path.ts'
import { readObjects } from '../kube/read-objects.ts'
import { SANDBOXES } from '../sandboxes/sandbox.ts'
import { client } from '../session/connection.ts'
import { nameContains } from './name-contains.ts'
import type { PaletteEntry } from './palette-entry.ts'

const LIMIT = 6
/** Planes cannot search for a part of a name, so the first objects are searched here. */
const SCANNED = 500
const METADATA = 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io'

/** Finds resources, fleets and sandboxes whose names contain a text. A source that fails is empty. */
export async function foundEntries(
  text: string,
  plurals: readonly string[],
  signal: AbortSignal,
): Promise<readonly PaletteEntry[]> {
  const sources = [
    ...plurals.map((plural) => findResources(plural, text, signal)),
    findObjects(FLEETS_PATH, text, signal).then((found) => found.map(fleetEntry)),
    findObjects(listPath(SANDBOXES), text, signal).then((found) => found.map(sandboxEntry)),
  ]
  const results = await Promise.allSettled(sources)
  signal.throwIfAborted()
  return results.flatMap((result) => (result.status === 'fulfilled' ? result.value : []))
}

interface FoundResource {
  readonly id: string
  readonly name: string
  readonly kind: string
  readonly owner_references?: { readonly id: string; readonly kind: string } | undefined
}

async function findResources(
  plural: string,
  text: string,
  signal: AbortSignal,
): Promise<readonly PaletteEntry[]> {
  const query = { search: nameContains(text), pageSize: LIMIT, fields: 'id,name,kind,labels' }
  const request = { method: 'GET', path: apiPath(plural), query, signal, retry: 'always' } as const
  const { body } = await client.request<{ readonly items: readonly FoundResource[] }>(request)
  return body.items.map(({ id, name, kind }) => ({
    id,
    group: plural === 'nodepools' ? 'Node pools' : `${kind}s`,
    label: name,
    detail: id,
    icon: kindIcon(plural),
    // A view opens its list.
    target:
      plural === 'views'
        ? `/views/${encodeURIComponent(name)}`
        : `/resources/${plural}/${encodeURIComponent(id)}`,
  }))
}

interface FoundObject {
  readonly namespace: string
  readonly name: string
}

async function findObjects(
  path: string,
  text: string,
  signal: AbortSignal,
): Promise<readonly FoundObject[]> {
  const body = await client.plane('root').request({
    method: 'GET',
    path,
    query: { limit: SCANNED },
    headers: { Accept: METADATA },
    signal,
  })
  return readObjects(body)
    .map(({ metadata: { name, namespace = '' } }) => ({ name, namespace }))
    .filter(({ name }) => name.includes(text.toLowerCase()))
    .slice(0, LIMIT)
}

function fleetEntry({ name }: FoundObject): PaletteEntry {
  const target = `/fleets/${encodeURIComponent(name)}`
  return { id: `fleet ${name}`, group: 'Fleets', label: name, icon: 'fleet', target }
}

function sandboxEntry({ name, namespace }: FoundObject): PaletteEntry {
  const target = `/sandboxes/root/${encodeURIComponent(namespace)}/${encodeURIComponent(name)}`
  const id = `sandbox ${namespace} ${name}`
  return { id, group: 'Sandboxes', label: name, detail: namespace, icon: 'sandbox', target }
}
