import type { Request } from 'express'
import type { JsonValue } from '../../lib/json/json.ts'
import type { AggregatedFormat } from '../discovery/aggregated-groups.ts'
import { type Discovery, discoveryOf } from '../discovery/discovery.ts'
import { type SerializedDocument, serializedDocument } from '../discovery/serialized-document.ts'
import { type BuildInfo, rootPaths, versionDocument } from '../discovery/server-documents.ts'
import { methodNotSupported } from '../errors/failures.ts'
import type { Delegation } from '../delegation/delegation.ts'
import type { TypeRegistry } from '../model/type-registry.ts'
import { acceptClauses } from '../negotiation/accept-clauses.ts'
import type { OpenApi } from '../openapi/open-api.ts'
import type { DocumentRequest } from './kube-handler.ts'
import { type SentDocument, sendDocument } from './send-document.ts'
import type { HealthCheck } from '../../http/observability/health-probe.ts'
import { serveHealth } from './serve-health.ts'
import { sendOpenApiV2, sendOpenApiV3 } from './serve-openapi.ts'

/** The dependencies of documents. */
export interface Documents {
  readonly types: TypeRegistry
  readonly openApi: OpenApi
  readonly delegation: Delegation
  readonly build: BuildInfo
  readonly checks: readonly HealthCheck[]
}

const SERVER_PATHS = [
  '/healthz',
  '/livez',
  '/openapi/v2',
  '/openapi/v3',
  '/readyz',
  '/version',
] as const

/** Serves discovery, OpenAPI, the version and probes. Returns false if no document has the path. */
export function createServeDocument(documents: Documents) {
  return async ({ request, response, at, plane }: DocumentRequest): Promise<boolean> => {
    const path = at.path.length > 1 ? at.path.replace(/\/$/, '') : at.path
    const health = await serveHealth(documents.checks, { request, response, path })
    if (health) return true
    if (!isRead(request)) throw methodNotSupported({ group: '', plural: path }, request.method)
    if (path === '/version') {
      sendDocument(request, response, asJson(versionDocument(documents.build)))
      return true
    }
    const types = await documents.types.typesOf(plane.plane)
    const { openApi, delegation } = documents
    if (path === '/openapi/v2') return sendOpenApiV2({ openApi, types }, request, response)
    if (path.startsWith('/openapi/v3')) {
      const below = path.slice('/openapi/v3'.length)
      const context = { openApi, delegation, types, plane: plane.plane, prefix: at.prefix, below }
      return await sendOpenApiV3(context, request, response)
    }
    const delegated = await documents.delegation.discovery(plane.plane)
    const document = discoveryDocument(discoveryOf(types, delegated), path, request)
    if (!document) return false
    sendDocument(request, response, document)
    return true
  }
}

const JSON_TYPE = { contentType: 'application/json' }

function asJson(value: JsonValue): SentDocument {
  return { ...serializedDocument(value), ...JSON_TYPE }
}

function discoveryDocument(
  discovery: Discovery,
  path: string,
  request: Request,
): SentDocument | null {
  const [, root, first, second, ...rest] = path.split('/')
  if (path === '/') return asJson(rootPaths(discovery, SERVER_PATHS))
  if (rest.length > 0 || (root !== 'api' && root !== 'apis')) return null
  if (first === undefined) {
    const groups = root === 'api' ? 'core' : 'named'
    return aggregated(discovery, groups, request) ?? withType(discovery[LISTS[root]]())
  }
  if (root === 'api') {
    return second === undefined ? withType(discovery.resources('', first)) : null
  }
  return withType(
    second === undefined ? discovery.group(first) : discovery.resources(first, second),
  )
}

const LISTS = { api: 'versions', apis: 'groups' } as const

function withType(document: SerializedDocument | null): SentDocument | null {
  return document && { ...document, ...JSON_TYPE }
}

/** The aggregated form if the client prefers it; otherwise null. */
function aggregated(
  discovery: Discovery,
  groups: 'core' | 'named',
  { headers }: Request,
): SentDocument | null {
  for (const { parameters } of acceptClauses(headers.accept ?? '')) {
    if (parameters.get('as') !== 'APIGroupDiscoveryList') {
      if (!parameters.has('as')) return null
      continue
    }
    const format = formatOf(parameters.get('v'))
    if (format === null) continue
    const contentType = `application/json;g=apidiscovery.k8s.io;v=${format};as=APIGroupDiscoveryList`
    return { ...discovery.aggregated(groups, format), contentType }
  }
  return null
}

function formatOf(version: string | undefined): AggregatedFormat | null {
  return version === 'v2' || version === 'v2beta1' ? version : null
}

function isRead({ method }: Request): boolean {
  return method === 'GET' || method === 'HEAD'
}
