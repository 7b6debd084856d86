import type { IncomingMessage } from 'node:http'
import type { NextFunction, Request, RequestHandler, Response } from 'express'
import { invalid } from '../../lib/errors.ts'
import type { Tenancy } from '../../access/principal.ts'
import { tenantMoving } from '../../store/model/tenant-moving.ts'
import type { Registry } from '../../store/registry/registry.ts'
import { type RouterParts, routeOfTenant } from '../tenant-router.ts'
import type { Gateway } from '../../http/auth/gateway.ts'
import { HttpError } from '../../http/errors/http-error.ts'
import { checkForwardable } from '../../http/forwarding/check-forwardable.ts'
import { forwardRequest } from '../../http/forwarding/forward-request.ts'
import { omitFromAudit } from '../../http/requests/audited-request.ts'
import { setRoute, setStreamed } from '../../http/observability/access-log.ts'
import { requestIdOf } from '../../http/requests/request-id.ts'
import { requestSignal } from '../../http/requests/request-signal.ts'
import { requestPath } from '../../http/requests/request-path.ts'
import { designedWaitMs } from './designed-wait.ts'
import { isInternal, type Location, LOCATE_PATH, type Locator } from './locate-resource.ts'
import { hasValidPage, mergeLists } from './merge-lists.ts'
import type { OpenResponses } from './open-responses.ts'
import { hopHeaders, originsOf, type ShardClient, withoutParameter } from './shard-client.ts'
import { MISDIRECTED_HEADER, type ShardHop } from './shard-hop.ts'
import { systemTargetOf } from './system-target.ts'

const HIDDEN: ReadonlySet<string> = new Set([MISDIRECTED_HEADER])
/** The template of forwarded requests in the log and the metrics. */
const FORWARDED = 'forwarded to another shard'
/** A move can contradict the directory's entry once. */
const MAX_ATTEMPTS = 2

/** How a request that concerns another shard ended. */
type ForwardOutcome = 'forwarded' | 'misdirected' | 'failed'

/** The parts of the stage. */
export interface RouterOptions {
  readonly parts: RouterParts
  readonly client: ShardClient
  readonly locator: Locator
  readonly responses: OpenResponses
  readonly gateway: Pick<Gateway, 'tenancyOf'>
  /** Whether the later stages accept the credentials of a request of the API. */
  readonly isAuthenticated: (request: IncomingMessage) => Promise<boolean>
  readonly registry: Pick<Registry, 'kinds'>
  readonly defaultPageSize: number
  /** Paths that are served without a caller. */
  readonly isPublic: (path: string) => boolean
  readonly onForwarded: (shard: string, outcome: ForwardOutcome) => void
}

/**
 * The stage that sends each request to the shard of its tenant. It runs before authentication, which
 * is left to the server that serves the request. Only a tenant without a shard is authenticated here,
 * before it is placed. Requests of systems are routed by the resource that their path names; lists are
 * merged; everything else names a shard with `?shard=`.
 */
export function createShardRouter(options: RouterOptions): RequestHandler {
  const { client, gateway, isPublic, locator } = options
  return async (request, response, next) => {
    const path = requestPath(request.originalUrl)
    if (isPublic(path)) return next()
    checkForwardable(request, request.originalUrl)
    const hop = client.hops.read(request)
    if (isInternal(path)) {
      if (path !== LOCATE_PATH || !client.hops.isQuestion(request)) return next()
      response.json({ tenant: await locator.locally(textOf(request.query['id'])) })
      return
    }
    const tenancy = tenancyOf(gateway, request)
    const exchange: Exchange = { options, request, response, next, hop }
    switch (tenancy?.type) {
      case 'tenant':
        return serveTenant(exchange, { tenant: tenancy.tenant, ofSystem: false })
      case 'system':
        return serveSystem(exchange, path)
      default:
        // Authentication rejects callers without a tenant.
        next()
    }
  }
}

interface Exchange {
  readonly options: RouterOptions
  readonly request: Request
  readonly response: Response
  readonly next: NextFunction
  readonly hop: ShardHop | null
}

function tenancyOf(gateway: RouterOptions['gateway'], request: IncomingMessage): Tenancy | null {
  try {
    return gateway.tenancyOf(request)
  } catch {
    return null
  }
}

interface TenantRequest {
  readonly tenant: string
  readonly ofSystem: boolean
}

async function serveTenant(exchange: Exchange, tenantRequest: TenantRequest): Promise<void> {
  const { options, request, response, next, hop } = exchange
  const { parts, responses } = options
  const { tenant, ofSystem } = tenantRequest
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
    const route = await routeOfTenant(parts, tenant, () => options.isAuthenticated(request))
    // Authentication rejects the request, unless its path is public.
    if (route.type === 'unplaced') return next()
    if (route.type === 'local') {
      responses.add(tenant, response)
      next()
      return
    }
    if (hop) {
      if (attempt === MAX_ATTEMPTS) throw misdirected()
      // The other server may know a newer entry of the directory.
      parts.directory.forget(tenant)
      continue
    }
    const isAnswered = await forward(exchange, {
      shard: route.shard,
      tenant: ofSystem ? tenant : null,
      rejects: (answer) => {
        if (answer.headers[MISDIRECTED_HEADER] === undefined) return false
        parts.directory.forget(tenant)
        options.onForwarded(route.shard, 'misdirected')
        return attempt < MAX_ATTEMPTS
      },
    })
    if (isAnswered || response.destroyed) return
  }
  throw tenantMoving()
}

function misdirected(): HttpError {
  const { message } = tenantMoving()
  const headers = { [MISDIRECTED_HEADER]: 'true', 'Retry-After': '1' }
  return new HttpError('unavailable', message, { headers })
}

interface Forwarding {
  readonly shard: string
  /** The tenant that a request of a system concerns. */
  readonly tenant: string | null
  readonly rejects?: (answer: IncomingMessage) => boolean
}

async function forward(
  { options, request, response }: Exchange,
  { shard, tenant, rejects }: Forwarding,
): Promise<boolean> {
  const { client, onForwarded } = options
  setRoute(response, FORWARDED)
  omitFromAudit(response)
  const { method, query } = request
  try {
    const isAnswered = await forwardRequest(client.forwarder, response, {
      name: shard,
      origins: await originsOf(client, shard),
      target: request.originalUrl,
      headers: {
        ...hopHeaders(client, request, tenant),
        'x-request-id': requestIdOf(response),
      },
      hidden: HIDDEN,
      waitMs: designedWaitMs({ method, query, path: requestPath(request.originalUrl) }),
      closing: client.closing,
      rejects: (answer) => {
        if (rejects?.(answer) === true) return true
        if (isWatch(request)) setStreamed(response)
        return false
      },
    })
    if (isAnswered) onForwarded(shard, 'forwarded')
    else handleHere(response)
    return isAnswered
  } catch (error) {
    // The client has disconnected and cannot receive the error.
    if (response.destroyed) return true
    onForwarded(shard, 'failed')
    omitFromAudit(response, false)
    throw error
  }
}

/** Undoes the marks of a forwarded request that this server may serve after all. */
function handleHere(response: Response): void {
  setRoute(response, null)
  omitFromAudit(response, false)
}

async function serveSystem(exchange: Exchange, path: string): Promise<void> {
  const { options, request, response, next, hop } = exchange
  const { client, registry, defaultPageSize } = options
  if (hop) {
    if (hop.tenant === null) next()
    else await serveTenant(exchange, { tenant: hop.tenant, ofSystem: true })
    return
  }
  const named = request.query['shard']
  if (named !== undefined) return serveNamedShard(exchange, named)
  const target = systemTargetOf({ method: request.method, path }, registry)
  switch (target.type) {
    case 'server':
      next()
      return
    case 'resource':
      return serveLocated(exchange, await locate(exchange, target.id))
    case 'list': {
      if (isWatch(request)) throw needsShard('A watch')
      // The routes reject invalid parameters with the details.
      if (!hasValidPage(request)) return next()
      setRoute(response, 'merged from all shards')
      const kinds = registry.kinds.filter(
        ({ plural }) => path.endsWith('/resources') || path.endsWith(`/${plural}`),
      )
      return mergeLists({ client, kinds, defaultPageSize }, request, response)
    }
    case 'shard':
      throw needsShard('This request')
  }
}

async function locate({ options, request, response }: Exchange, id: string) {
  using ended = requestSignal(response, options.client.closing)
  return await options.locator.locate(id, request, ended.signal)
}

async function serveLocated(exchange: Exchange, location: Location | null): Promise<void> {
  const { options, next } = exchange
  if (location === null) return next()
  const { tenant, shard } = location
  if (tenant !== '') return serveTenant(exchange, { tenant, ofSystem: true })
  // A resource from the time before tenancy stays in its shard.
  if (shard === options.parts.name) return next()
  await forward(exchange, { shard, tenant: null })
}

async function serveNamedShard(exchange: Exchange, named: unknown): Promise<void> {
  const { options, request, next } = exchange
  const { client, parts } = options
  const shard = textOf(named)
  await originsOf(client, shard)
  request.originalUrl = withoutParameter(request.originalUrl, 'shard')
  request.url = withoutParameter(request.url, 'shard')
  if (shard === parts.name) return next()
  await forward(exchange, { shard, tenant: null })
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

function isWatch({ query, headers }: Request): boolean {
  const { watch, follow } = query
  return (
    (watch !== undefined && watch !== 'false' && watch !== '0') ||
    follow === 'true' ||
    headers.accept?.includes('text/event-stream') === true
  )
}

function needsShard(what: string): Error {
  const message = `shard: ${what} covers one shard only: name it with ?shard=`
  return invalid([{ field: 'shard', message }])
}
