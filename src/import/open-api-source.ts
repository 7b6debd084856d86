import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { errorMessage } from '../lib/error-message.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../lib/json/json.ts'
import { numberOf, objectsOf, textOf } from '../lib/json/json-fields.ts'
import type { RegisteredKind } from '../store/registry/kind.ts'
import { ImportError } from './import-error.ts'
import type { Changes, Source, SourceResource } from './source.ts'

const BASE_PATH = '/api/hyperfleet/v1'
/** The list that every HyperFleet server has. A 404 instead must not look like an empty server. */
const SERVED_LIST = 'clusters'
/** The largest page that every version of HyperFleet serves. */
const PAGE_SIZE = 100
const REQUESTS_AT_ONCE = 8
const MAX_ATTEMPTS = 5
const REQUEST_TIMEOUT_MS = 60_000

interface Options {
  /** The server's URL, with or without the path of the API; a path before it is kept. */
  readonly url: string
  /** Sent as a bearer token; null for a server without authentication. */
  readonly token: string | null
  /** The pause before the first repetition of a request; it doubles. */
  readonly pauseMs?: number
}

/** Opens the API of a HyperFleet server of any version. Sends only GET. */
export function openApiSource({ url, token, pauseMs = 500 }: Options): Source {
  const root = rootOf(url)
  const title = `HyperFleet API at ${root}`
  const get = (path: string): Promise<JsonObject | null> =>
    getWithRetries({ root, token, pauseMs }, path)
  /** The paths of the resources that were read, by kind, for the lists of their children. */
  const paths = new Map<string, string[]>()
  /** The digests of the listed resources, by id. */
  const digests = new Map<string, string>()
  const unlisted = new Set<string>()
  /** The kinds whose reports were listed. */
  const reported = new Set<string>()
  return {
    title,
    unlisted,
    mayHideTenants: true,
    // The API does not list its kinds.
    count: () => Promise.resolve(new Map()),
    remarks: () => Promise.resolve([]),
    pages: async function* pages(kind, changes) {
      const { kind: name, plural, parent } = kind
      const found: string[] = []
      paths.set(name, found)
      const parents = parent === null ? [] : (paths.get(parent.kind) ?? [])
      const place = await placeOf(get, kind, parents)
      if (place === 'nowhere') {
        if (plural === SERVED_LIST) {
          throw new ImportError(`no ${title}: its list of ${SERVED_LIST} is 404`)
        }
        unlisted.add(name)
        return
      }
      unlisted.delete(name)
      const lists =
        place === 'root' ? listOf(get, `${BASE_PATH}/${plural}`) : childrenOf(get, plural, parents)
      for await (const page of lists) {
        found.push(...page.map(({ href }) => textOf(href)))
        const changed = changedIn(page, changes, digests)
        if (changed.length === 0) continue
        const read = await inBatches(changed, (resource) => withStatuses(get, resource, reported))
        yield read.flat()
      }
    },
    [Symbol.asyncDispose]: () => Promise.resolve(),
  }
}

/**
 * The resources of a page that differ from the last time that they were listed, or are not accepted. Nearly
 * every report changes the conditions of its resource; the passes over all resources read the others.
 */
function changedIn(
  page: readonly SourceResource[],
  changes: Changes | null,
  digests: Map<string, string>,
): readonly SourceResource[] {
  return page.filter((resource) => {
    const id = textOf(resource['id'])
    const digest = createHash('sha256').update(JSON.stringify(resource)).digest('base64')
    const isSame = digests.get(id) === digest
    digests.set(id, digest)
    return changes === null || !isSame || !changes.accepted.has(id)
  })
}

/** The part of a URL that precedes the path of the API, such as that of a gateway with several servers. */
function rootOf(url: string): string {
  const { origin, pathname } = new URL(url)
  const path = pathname.replace(/\/+$/, '')
  const prefix = path.endsWith(BASE_PATH) ? path.slice(0, -BASE_PATH.length) : path
  return origin + prefix
}

/** The server has no such list. */
class NotFoundError extends ImportError {}

type Get = (path: string) => Promise<JsonObject | null>

/** The place of the lists of a kind: the root has one of all resources, or each parent has its own. */
async function placeOf(
  get: Get,
  { plural, parent }: RegisteredKind,
  parents: readonly string[],
): Promise<'root' | 'parents' | 'nowhere'> {
  const has = async (path: string): Promise<boolean> =>
    (await get(`${path}/${plural}?page=1&pageSize=1&size=1`)) !== null
  if (await has(BASE_PATH)) return 'root'
  if (parent === null) return 'nowhere'
  for (const path of parents) {
    if (await has(path)) return 'parents'
    // A parent that was removed since it was listed has no list either.
    if ((await get(path)) !== null) return 'nowhere'
  }
  return 'parents'
}

/** The lists of all parents, in pages of many. Most parents have few children. */
async function* childrenOf(
  get: Get,
  plural: string,
  parents: readonly string[],
): AsyncGenerator<readonly JsonObject[], void, undefined> {
  for (let at = 0; at < parents.length; at += PAGE_SIZE) {
    const lists = await inBatches(parents.slice(at, at + PAGE_SIZE), (path) =>
      listBelow(get, path, plural),
    )
    yield lists.flatMap((list) => list ?? [])
  }
}

/** A list below a resource; null if the resource was removed since it was listed. */
async function listBelow(
  get: Get,
  path: string,
  name: string,
): Promise<readonly JsonObject[] | null> {
  const items: JsonObject[] = []
  try {
    for await (const page of listOf(get, `${path}/${name}`)) items.push(...page)
    return items
  } catch (error) {
    if (error instanceof NotFoundError && (await get(path)) === null) return null
    throw error
  }
}

/**
 * The pages of one list. Resources that are removed meanwhile move others to an earlier page, so the list is
 * read again until it has shown as many as it has. Throws a NotFoundError if a page is 404.
 */
async function* listOf(
  get: Get,
  path: string,
): AsyncGenerator<readonly JsonObject[], void, undefined> {
  const seen = new Set<string>()
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
    let total = 0
    for (let page = 1; ; page += 1) {
      // Versions have different names for the size, and ignore the other one.
      const query = `page=${page}&pageSize=${PAGE_SIZE}&size=${PAGE_SIZE}`
      const body = await get(`${path}?${query}`)
      if (body === null) throw new NotFoundError(`GET ${path}: the server answered 404`)
      total = numberOf(body['total'])
      const items = objectsOf(body['items'])
      const fresh = items.filter((item) => !seen.has(keyOf(item)))
      for (const item of fresh) seen.add(keyOf(item))
      yield fresh
      if (items.length === 0 || seen.size >= total) break
    }
    if (seen.size >= total) return
  }
  throw new ImportError(
    `${path} changes while it is read: stop its writers, or import from the database`,
  )
}

function keyOf(item: JsonObject): string {
  return textOf(item['id']) || textOf(item['adapter'])
}

/** The resource with the reports on it; none if it was removed since it was listed. */
async function withStatuses(
  get: Get,
  resource: SourceResource,
  reported: Set<string>,
): Promise<readonly SourceResource[]> {
  const kind = textOf(resource['kind'])
  let statuses: readonly JsonObject[] | null = []
  try {
    statuses = await listBelow(get, textOf(resource['href']), 'statuses')
    reported.add(kind)
  } catch (error) {
    // A kind without adapters need not have the list.
    if (!(error instanceof NotFoundError) || reported.has(kind)) throw error
  }
  return statuses === null ? [] : [{ ...resource, statuses }]
}

async function inBatches<T, R>(
  items: readonly T[],
  work: (item: T) => Promise<R>,
): Promise<readonly R[]> {
  const results: R[] = []
  for (let at = 0; at < items.length; at += REQUESTS_AT_ONCE) {
    results.push(...(await Promise.all(items.slice(at, at + REQUESTS_AT_ONCE).map(work))))
  }
  return results
}

interface Server {
  readonly root: string
  readonly token: string | null
  readonly pauseMs: number
}

/** The body of a response; null if it is 404. Throws an ImportError if repetitions do not help. */
async function getWithRetries(server: Server, path: string): Promise<JsonObject | null> {
  for (let attempt = 1; ; attempt += 1) {
    const result = await getOnce(server, path)
    if (typeof result !== 'string') return result
    if (attempt === MAX_ATTEMPTS) throw new ImportError(`GET ${path}: ${result}`)
    await sleep(server.pauseMs * 2 ** attempt)
  }
}

/** A text is a failure that may pass. */
async function getOnce({ root, token }: Server, path: string): Promise<JsonObject | null | string> {
  let response: Response
  let text: string
  try {
    response = await fetch(root + path, {
      headers: {
        Accept: 'application/json',
        ...(token !== null && { Authorization: `Bearer ${token}` }),
      },
      redirect: 'error',
      signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
    })
    text = await response.text()
  } catch (error) {
    // The message of fetch says only that it failed.
    return errorMessage(error instanceof Error && error.cause ? error.cause : error)
  }
  const { status } = response
  if (status === 404) return null
  if (status === 429 || status >= 500) return `the server answered ${status}`
  if (status !== 200)
    throw new ImportError(`GET ${path}: the server answered ${status}: ${text.slice(0, 300)}`)
  return objectIn(text, path)
}

function objectIn(text: string, path: string): JsonObject {
  try {
    const body: JsonValue = JSON.parse(text)
    if (isJsonObject(body)) return body
  } catch {
    // The error below names the path.
  }
  throw new ImportError(`GET ${path}: the body is not a JSON object`)
}
