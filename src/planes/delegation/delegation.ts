import { createHash } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import type { PlaneConfigurations } from '../../store/objects/model/plane-configuration.ts'
import { isJsonObject, type JsonObject } from '../../lib/json/json.ts'
import type { DelegatedVersion } from '../discovery/served-groups.ts'
import type { DelegatedOpenApi } from '../openapi/open-api.ts'
import type { Egress } from '../../http/egress/egress.ts'
import { type Delegate, delegatesOf, groupVersionOf } from './delegate.ts'
import { discoveredResources } from './discovered-resources.ts'
import { type DelegatedRequest, proxyRequest } from './proxy-request.ts'
import { readDelegate } from './read-delegate.ts'
import { createRemoteDocuments, type ReadDocument } from './remote-documents.ts'

/** An OpenAPI document of another server. */
export interface DelegatedDocument {
  readonly body: Buffer
  /** With quotation marks. */
  readonly etag: string
}

/** Sends requests for the group versions of APIServices to the servers that serve them. */
export interface Delegation extends Disposable {
  /** Null if no APIService delegates the group version. */
  find(plane: string, group: string, version: string): Promise<Delegate | null>
  /** Serves a request. Throws 503 if the server is unavailable. */
  proxy(response: ServerResponse, delegated: Omit<DelegatedRequest, 'closing'>): Promise<void>
  /** The delegated group versions with their resources, as the servers last returned them. */
  discovery(plane: string): Promise<readonly DelegatedVersion[]>
  /** The delegated group versions that have an OpenAPI v3 document. */
  openApi(plane: string): Promise<readonly DelegatedOpenApi[]>
  /** The OpenAPI v3 document of a group version; null if there is none. */
  openApiDocument(
    plane: string,
    groupVersion: Pick<Delegate, 'group' | 'version'>,
  ): Promise<DelegatedDocument | null>
}

interface Options {
  readonly configurations: PlaneConfigurations
  readonly egress: Egress
  /** Milliseconds of a steady clock. */
  readonly now?: () => number
  /** Age at which documents of other servers are read again. */
  readonly refreshMs?: number
}

const REFRESH_MS = 30_000
const MAX_BYTES = 64 * 1024 * 1024
const NONE: readonly DelegatedVersion[] = []
/** The lists of planes that were in use last. Discovery compares them by identity. */
const MAX_LISTS = 1000

/** Creates the delegation of a process. */
export function createDelegation(options: Options): Delegation {
  const { configurations, egress, now = () => performance.now() } = options
  const { refreshMs = REFRESH_MS } = options
  const cache = { now, refreshMs, maxBytes: MAX_BYTES }
  const resources = createRemoteDocuments<readonly JsonObject[]>(cache)
  const documents = createRemoteDocuments<DelegatedDocument>(cache)
  const lists = new Map<string, readonly DelegatedVersion[]>()
  const closing = new AbortController()

  async function delegates(plane: string): Promise<ReadonlyMap<string, Delegate>> {
    return delegatesOf(await configurations.of(plane))
  }

  function documentOf(delegate: Delegate): Promise<DelegatedDocument | null> {
    return documents
      .get(delegate.identity, () => readDocument(egress, delegate))
      .then((copy) => copy?.value ?? null)
  }

  async function versionOf(delegate: Delegate): Promise<DelegatedVersion> {
    const { group, version, groupPriority, versionPriority, identity, isAvailable } = delegate
    const copy = await resources.get(identity, () => readResources(egress, delegate))
    const isCurrent = isAvailable && copy?.isCurrent === true
    const known = copy?.value ?? []
    return { group, version, groupPriority, versionPriority, resources: known, isCurrent }
  }

  return {
    find: async (plane, group, version) =>
      (await delegates(plane)).get(groupVersionOf({ group, version })) ?? null,
    proxy: (response, delegated) =>
      proxyRequest(egress, response, { ...delegated, closing: closing.signal }),
    discovery: async (plane) => {
      const listed = [...(await delegates(plane)).values()]
      if (listed.length === 0) return NONE
      const versions = await Promise.all(listed.map(versionOf))
      const last = lists.get(plane)
      const list = last && isSameList(last, versions) ? last : versions
      lists.delete(plane)
      lists.set(plane, list)
      const [oldest] = lists.keys()
      if (lists.size > MAX_LISTS && oldest !== undefined) lists.delete(oldest)
      return list
    },
    openApi: async (plane) => {
      const listed = [...(await delegates(plane)).values()]
      const found = await Promise.all(
        listed.map(async (delegate) => ({ delegate, document: await documentOf(delegate) })),
      )
      return found.flatMap(({ delegate: { group, version }, document }) =>
        document ? [{ group, version, hash: document.etag.slice(1, -1) }] : [],
      )
    },
    openApiDocument: async (plane, groupVersion) => {
      const delegate = (await delegates(plane)).get(groupVersionOf(groupVersion))
      return delegate ? documentOf(delegate) : null
    },
    [Symbol.dispose]: () => closing.abort(),
  }
}

function isSameList(
  first: readonly DelegatedVersion[],
  second: readonly DelegatedVersion[],
): boolean {
  return (
    first.length === second.length &&
    first.every((version, index) => {
      const other = second[index]
      return (
        other !== undefined &&
        groupVersionOf(version) === groupVersionOf(other) &&
        version.resources === other.resources &&
        version.isCurrent === other.isCurrent &&
        version.groupPriority === other.groupPriority &&
        version.versionPriority === other.versionPriority
      )
    })
  )
}

async function readResources(
  egress: Egress,
  delegate: Delegate,
): Promise<ReadDocument<readonly JsonObject[]>> {
  const { value, text } = await readDelegate(egress, delegate, `/apis/${groupVersionOf(delegate)}`)
  return { value: discoveredResources(value, delegate), bytes: 2 * text.length }
}

async function readDocument(
  egress: Egress,
  delegate: Delegate,
): Promise<ReadDocument<DelegatedDocument>> {
  const path = `apis/${groupVersionOf(delegate)}`
  const { value: index } = await readDelegate(egress, delegate, '/openapi/v3')
  const paths = isJsonObject(index['paths']) ? index['paths'] : {}
  if (!Object.hasOwn(paths, path)) throw new Error(`the index of OpenAPI has no ${path}`)
  const { text } = await readDelegate(egress, delegate, `/openapi/v3/${path}`)
  const body = Buffer.from(text)
  const hash = createHash('sha256').update(body).digest('hex').toUpperCase()
  return { value: { body, etag: `"${hash}"` }, bytes: body.length }
}
