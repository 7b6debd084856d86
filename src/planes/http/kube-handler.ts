import type { Request, RequestHandler, Response } from 'express'
import { type OperationParts, setAuditedOperation } from '../../http/requests/audited-request.ts'
import { refuseForeignSender } from '../../http/browsers/foreign-sender.ts'
import { requestIdOf } from '../../http/requests/request-id.ts'
import { errorHandler } from '../../http/errors/error-handler.ts'
import { isImpersonating } from '../../http/auth/impersonate.ts'
import { setRoute } from '../../http/observability/access-log.ts'
import { accessDenied } from '../access/denial.ts'
import { KubeError } from '../errors/kube-error.ts'
import { renderStatus } from '../errors/status.ts'
import type { TenantScope } from '../../access/tenant.ts'
import type { UserInfo } from '../model/user-info.ts'
import { type ResourcePath, resourcePathOf, verbOf } from '../requests/request-info.ts'
import { flagOf, requireTimeout } from '../requests/request-options.ts'
import type { PlaneDirectory, PlaneRecord } from './plane-directory.ts'
import { type PlanePath, planePathOf, requirePlainPath } from './plane-path.ts'
import { type ResourceRequests, resourceNotFound, serveResource } from './resource-request.ts'

/** A request for something other than a resource, such as a discovery document. */
export interface DocumentRequest {
  readonly request: Request
  readonly response: Response
  readonly at: PlanePath
  readonly plane: PlaneRecord
}

/** The authenticated sender of a request. */
export interface Sender {
  /** The tenant of the sender. Absent or null if it may use planes of all tenants. */
  readonly tenant?: TenantScope
  /** The user that the request acts as. Null if the plane must not be visible to the sender. */
  userIn(plane: PlaneRecord): Promise<UserInfo | null>
}

/** The sender of a request that may act as another user. */
export interface ActingSender extends Sender {
  /** Waits until the request may continue as that user. */
  admitAs?(plane: PlaneRecord, user: UserInfo): Promise<void> | null
}

/** The dependencies of the Kubernetes-style API. */
export interface KubeHandlerOptions extends ResourceRequests {
  readonly directory: PlaneDirectory
  /** Throws 401 if the credentials are missing or invalid. */
  readonly authenticate: (request: Request, response: Response) => Promise<ActingSender>
  /**
   * Creates the plane of this name if the sender may; otherwise null. A dry run returns the root
   * plane instead of creating one. Absent if no request creates planes.
   */
  readonly createMissing?: (
    reference: string,
    sender: Sender,
    options: { readonly dryRun: boolean },
  ) => Promise<PlaneRecord | null>
  /** Whether a path needs no authentication, unless the request acts as another user. */
  readonly isPublic: (at: PlanePath) => boolean
  /** Serves discovery, OpenAPI and probes. Returns false if it does not know the path. */
  readonly serveDocument: (request: DocumentRequest) => Promise<boolean>
}

/** Serves the paths of planes and passes other requests on. */
export function createKubeHandler(options: KubeHandlerOptions): RequestHandler {
  const onError = errorHandler(renderStatus, options.clock)
  return (request, response, next) => {
    const at = planePathOf(request.path)
    if (!at) {
      next()
      return
    }
    setRoute(response, routeOf(at))
    serve(options, { request, response, at }).catch((error: unknown) => {
      void onError(error, request, response, next)
    })
  }
}

interface Exchange {
  readonly request: Request
  readonly response: Response
  readonly at: PlanePath
}

async function serve(
  options: KubeHandlerOptions,
  { request, response, at }: Exchange,
): Promise<void> {
  response.setHeader('Cache-Control', 'no-cache, private')
  response.setHeader('Audit-Id', requestIdOf(response))
  // Express turns backslashes into slashes if the target has a fragment or is absolute.
  requirePlainPath(request.originalUrl.split(/[?#]/, 1)[0] ?? '')
  requirePlainPath(request.path)
  const path = resourcePathOf(at.path)
  const search = searchOf(request.url)
  const query = new URLSearchParams(search)
  if (path === null) requireTimeout(query)
  const audited = path && auditedPath(request.method, path, query)
  setAuditedOperation(response, { plane: at.plane, ...audited })
  // Without credentials, a request does not learn whether the plane exists.
  const isPublic = options.isPublic(at) && !isImpersonating(request)
  const sender = isPublic ? null : await options.authenticate(request, response)
  const found = await options.directory.find(at.plane, sender?.tenant)
  const plane = found ?? (await createPlane(options, { ...at, sender }, response))
  if (!plane) throw planeNotFound(at.plane)
  if (sender === null) {
    await serveOther(options, { request, response, at, plane })
    return
  }
  const readUser = async (): Promise<UserInfo> => {
    const user = await sender.userIn(plane)
    if (user === null) throw planeNotFound(at.plane)
    return user
  }
  const user = await readUser()
  setAuditedOperation(response, auditedUser(plane, user))
  if (user.impersonator) await sender.admitAs?.(plane, user)
  if (path) {
    // The path that is authorized, unchanged.
    const target = at.path + search
    const exchange = { request, response, query, plane: plane.plane, path, user, readUser, target }
    await serveResource(options, exchange)
    return
  }
  await authorizePath(options, { request, at, plane, user })
  await serveOther(options, { request, response, at, plane })
}

/** The query of a URL with its question mark; empty if there is none. It has no fragment. */
function searchOf(url: string): string {
  const at = url.indexOf('?')
  return at === -1 ? '' : url.slice(at).replaceAll('#', '%23')
}

/** The verb and the resource of a path for admission and the audit log. */
export function auditedPath(
  method: string,
  path: ResourcePath,
  query: URLSearchParams,
): OperationParts {
  const { group, plural: resource, namespace, name, subresource } = path
  const verb = verbOf(method, path, { isWatch: flagOf(query, 'watch'), isList: false })
  const dryRun = query.getAll('dryRun').includes('All')
  return { group, resource, namespace, name, subresource, dryRun, ...(verb && { verb }) }
}

/** The plane with its ID, and the user if the caller impersonates one, which can have its own name. */
function auditedUser({ plane }: PlaneRecord, user: UserInfo): OperationParts {
  return { plane, ...(user.impersonator && { impersonatedUser: user.name }) }
}

/**
 * Null unless the program creates planes at their first request. Probes create none: the root plane
 * answers for a plane that another request would create.
 */
async function createPlane(
  { createMissing }: KubeHandlerOptions,
  { plane, path, sender }: PlanePath & { readonly sender: Sender | null },
  response: Response,
): Promise<PlaneRecord | null> {
  if (!createMissing || sender === null) return null
  if (PROBE.test(path)) return createMissing(plane, sender, { dryRun: true })
  refuseForeignSender(response, `the plane ${plane.slice(0, 253)}`)
  return createMissing(plane, sender, { dryRun: false })
}

const PROBE = /^\/(livez|readyz|healthz)(\/|$)/

async function serveOther(options: KubeHandlerOptions, document: DocumentRequest): Promise<void> {
  if (!(await options.serveDocument(document))) throw resourceNotFound()
}

interface PathAccess extends Omit<DocumentRequest, 'response'> {
  readonly user: UserInfo
}

async function authorizePath(
  { authorizer }: KubeHandlerOptions,
  { request, at, plane, user }: PathAccess,
): Promise<void> {
  const verb = request.method.toLowerCase()
  const { path } = at
  const attributes = { plane: plane.plane, user, verb, resource: null, path }
  const { allowed, reason } = await authorizer.authorize(attributes)
  if (!allowed) throw accessDenied(attributes, reason)
}

function planeNotFound(reference: string): KubeError {
  const name = reference.slice(0, 253)
  return new KubeError('not-found', `clusters "${name}" not found`, {
    code: 404,
    statusReason: 'NotFound',
    details: { name, kind: 'clusters' },
  })
}

/** The template of a path for metrics and the log. */
function routeOf({ prefix, path }: PlanePath): string {
  const root = prefix === '' ? '' : '/clusters/{cluster}/control-plane'
  const [, first = ''] = path.split('/')
  const below = first === 'api' ? '/api/{path}' : first === 'apis' ? '/apis/{path}' : `/${first}`
  return root + below
}
