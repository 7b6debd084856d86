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
  return {
    title,
    // The API does not list its kinds.
    count: () => Promise.resolve(new Map()),
    remarks: () => Promise.resolve([]),
    pages: async function* pages(kind, changes) {
      const found: string[] = []
      paths.set(kind.kind, found)
      let hasList = false
      for await (const page of listsOf(get, kind, paths)) {
        hasList = true
        found.push(...page.map(({ href }) => textOf(href)))
        const changed = changedIn(page, changes, digests)
        if (changed.length > 0) {
          yield await inBatches(changed, (resource) => withStatuses(get, resource))
        }
      }
      if (!hasList && kind.plural === SERVED_LIST) {
        throw new ImportError(`no ${title}: its list of ${SERVED_LIST} is 404`)
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

type Get = (path: string) => Promise<JsonObject | null>

/** The list of a kind; below each parent if the server has no list of all. */
async function* listsOf(
  get: Get,
  { plural, parent }: RegisteredKind,
  paths: ReadonlyMap<string, readonly string[]>,
): AsyncGenerator<readonly SourceResource[], void, undefined> {
  let hasList = false
  for await (const page of listOf(get, `${BASE_PATH}/${plural}`)) {
    hasList = true
    yield page
  }
  if (hasList || parent === null) return
  yield* childrenOf(get, plural, paths.get(parent.kind) ?? [])
}

/** The lists of all parents, in pages of many. Most parents have few children. */
async function* childrenOf(
  get: Get,
  plural: string,
  parents: readonly string[],
): AsyncGenerator<readonly JsonObject[], void, undefined> {
  for (let at = 0; at < parents.length; at += PAGE_SIZE) {
    const lists = await inBatches(parents.slice(at, at + PAGE_SIZE), (path) =>
      wholeList(get, `${path}/${plural}`),
    )
    yield lists.flat()
  }
}

async function wholeList(get: Get, path: string): Promise<readonly JsonObject[]> {
  const items: JsonObject[] = []
  for await (const page of listOf(get, path)) items.push(...page)
  return items
}

/**
 * The pages of one list. Resources that are removed meanwhile move others to an earlier page, so the list is
 * read again until it has shown as many as it has. Yields nothing if the server has no such list.
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
      if (body === null) return
      total = numberOf(body['total'])
      const items = objectsOf(body['items'])
      const fresh = items.filter((item) => !seen.has(keyOf(item)))
      for (const item of fresh) seen.add(keyOf(item))
      // An empty page shows that the server has the list.
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

async function withStatuses(get: Get, resource: SourceResource): Promise<SourceResource> {
  const statuses = await wholeList(get, `${textOf(resource['href'])}/statuses`)
  return { ...resource, statuses }
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
