import type { Request, Response } from 'express'
import { waitOf } from '../../http/fairness/admission.ts'
import { recordPermission } from '../../http/auth/permissions.ts'
import { KubeError } from '../errors/kube-error.ts'
import { accessDenied } from '../access/denial.ts'
import { methodNotSupported, badRequest } from '../errors/failures.ts'
import type { Clock } from '../../lib/clock.ts'
import { JSON_OBJECTS, negotiate, type Representation } from '../negotiation/negotiate.ts'
import type { PlaneAuthorizer } from '../model/access.ts'
import type { ObjectOperations, Requester } from '../model/object-operations.ts'
import type { ResourceType, Verb } from '../model/resource-type.ts'
import { versionOf } from '../operations/versioned-object.ts'
import type { Delegation } from '../delegation/delegation.ts'
import type { PlaneTypes, TypeRegistry } from '../model/type-registry.ts'
import type { UserInfo } from '../model/user-info.ts'
import { type ResourcePath, verbOf } from '../requests/request-info.ts'
import type { SubresourceEndpoint } from '../model/native-resource.ts'
import type { ServeEndpoint } from '../watch/serve-endpoint.ts'
import type { ServeWait } from '../watch/serve-wait.ts'
import type { ServeWatch } from '../watch/serve-watch.ts'
import { serveGet, type ServeList } from '../verbs/read-verbs.ts'
import type { VerbRequest } from '../verbs/verb-request.ts'
import {
  serveCreate,
  serveDelete,
  serveDeleteCollection,
  servePatch,
  serveUpdate,
} from '../verbs/write-verbs.ts'
import { type DecodeProtobuf, readRequestBody } from '../requests/read-request-body.ts'
import { flagOf, requireTimeout } from '../requests/request-options.ts'
import { FENCE_HEADER, parseFence } from '../model/write-fence-header.ts'
import { warningSender } from '../requests/warning-header.ts'

/** The dependencies of requests on resources. */
export interface ResourceRequests {
  readonly types: TypeRegistry
  readonly authorizer: PlaneAuthorizer
  readonly operations: ObjectOperations
  readonly serveList: ServeList
  readonly serveWatch: ServeWatch
  /** Calls `end` when the caller of a stream of another server is no longer authorized. */
  readonly streams: { passOn(response: Response, end: () => void): Disposable }
  /** Null for resources and subresources that the operations on objects serve. */
  readonly endpointOf: (type: ResourceType, subresource: string) => SubresourceEndpoint | null
  readonly serveEndpoint: ServeEndpoint
  /** Serves GET of an object that waits for a condition. */
  readonly serveWait: ServeWait
  readonly decodeProtobuf: DecodeProtobuf
  readonly clock: Clock
  /** Maximum size of a body in bytes. */
  readonly bodyLimit: number
  /** Serves group versions of other servers. */
  readonly delegation: Delegation
}

interface Exchange {
  readonly request: Request
  readonly response: Response
  readonly query: URLSearchParams
  readonly plane: string
  readonly path: ResourcePath
  readonly user: UserInfo
  /** Reads the user again. Throws if the caller is no longer a user of the plane. */
  readonly readUser: () => Promise<UserInfo>
  /** The authorized path below the plane, with the query. */
  readonly target: string
}

type Serve = (operations: ObjectOperations, verb: VerbRequest) => Promise<void>

const SERVE: Readonly<Record<Exclude<Verb, 'list' | 'watch'>, Serve>> = {
  get: serveGet,
  create: serveCreate,
  update: serveUpdate,
  patch: servePatch,
  delete: serveDelete,
  deletecollection: serveDeleteCollection,
}

/** Authorizes and serves a request on a resource. */
export async function serveResource(
  context: ResourceRequests,
  { request, response, query, plane, path, user, readUser, target }: Exchange,
): Promise<void> {
  const types = await typesFor(context, plane, path)
  const type = types.find(path.group, path.version, path.plural)
  const isList = type !== null && isListed(type, path.subresource)
  const verb = verbOf(request.method, path, { isWatch: flagOf(query, 'watch'), isList })
  if (verb === null) throw notAllowed(request.method)
  const access = { plane, path, user, verb, query }
  await authorize(context, access)
  // Some subresources are streams.
  const isStream = verb === 'watch' || path.subresource !== ''
  const authorizeAgain = async () => authorize(context, { ...access, user: await readUser() })
  if (isStream) recordPermission(response, authorizeAgain)
  if (!type && !servesGroupVersion(types, path)) {
    const { group, version } = path
    const delegate = await context.delegation.find(plane, group, version)
    if (delegate) {
      using _stream = isStream ? context.streams.passOn(response, () => response.destroy()) : null
      await context.delegation.proxy(response, { delegate, user, target })
      return
    }
  }
  if (!type || (path.namespace !== '' && !type.namespaced)) throw resourceNotFound()
  requireVerb(type, path, verb)
  if (verb !== 'watch') requireTimeout(query)
  if (type.namespaced && path.namespace === '') requireAllNamespaces(type, path, verb)
  const { version, namespace, name, subresource } = path
  const endpoint = subresource === '' ? null : context.endpointOf(type, subresource)
  const requester = requesterOf(request, response, user)
  const { deprecationWarning } = versionOf(type, version)
  if (deprecationWarning !== undefined) requester.warn(deprecationWarning)
  const verbRequest: VerbRequest = {
    request,
    response,
    query,
    representation:
      endpoint?.streamed?.verb === verb ? JSON_OBJECTS : negotiateFor(request, type, verb),
    clock: context.clock,
    target: { plane, type, version, namespace, name, subresource },
    requester: {
      ...requester,
      requireCreate: () => authorize(context, { plane, path, user, verb: 'create', query }),
    },
    readBody: (accepts) =>
      readRequestBody(request, {
        limit: context.bodyLimit,
        accepts,
        decodeProtobuf: context.decodeProtobuf,
        kind: bodyKindOf(type, verb, subresource),
      }),
  }
  if (endpoint) await context.serveEndpoint(endpoint, verb, verbRequest)
  else if (verb === 'list') await context.serveList(verbRequest)
  else if (verb === 'watch') await context.serveWatch(verbRequest)
  else if (verb === 'get' && subresource === '' && query.has('wait'))
    await context.serveWait(verbRequest)
  else await SERVE[verb](context.operations, verbRequest)
}

/** The types of a plane. Those of delegated group versions need no definition of this plane. */
async function typesFor(
  { types, delegation }: ResourceRequests,
  plane: string,
  path: ResourcePath,
): Promise<PlaneTypes> {
  const current = await types.typesOf(plane)
  const { group, version, plural } = path
  if (current.find(group, version, plural)) return current
  const isOwn = servesGroupVersion(current, path)
  if (!isOwn && (await delegation.find(plane, group, version))) return current
  return types.typesOf(plane, path)
}

/** The kind of the object in a body. */
function bodyKindOf({ kind, subresources = [] }: ResourceType, verb: Verb, subresource: string) {
  if (verb === 'delete' || verb === 'deletecollection') return 'DeleteOptions'
  return subresources.find(({ name }) => name === subresource)?.kind ?? kind
}

function negotiateFor({ headers }: Request, { verbs }: ResourceType, verb: Verb): Representation {
  return negotiate(headers.accept, {
    isStream: verb === 'watch',
    // Reviews have no metadata.
    hasTables: verbs.includes('get'),
  })
}

/** Whether GET of the subresource of an object lists items. */
function isListed({ subresources = [] }: ResourceType, subresource: string): boolean {
  return subresources.some(({ name, verbs }) => name === subresource && verbs.includes('list'))
}

/** Whether the plane itself serves resources of the group version. It has precedence then. */
function servesGroupVersion({ types }: PlaneTypes, path: ResourcePath): boolean {
  return types.some(
    ({ group, versions }) =>
      group === path.group && versions.some(({ name, served }) => served && name === path.version),
  )
}

/** 404 for a subresource that the type lacks, 405 for a verb. */
function requireVerb(type: ResourceType, { version, subresource }: ResourcePath, verb: Verb): void {
  if (subresource === '') {
    if (!type.verbs.includes(verb)) throw methodNotSupported(type, verb)
    return
  }
  const verbs = verbsOfSubresource(type, version, subresource)
  if (!verbs) throw resourceNotFound()
  if (!verbs.includes(verb)) throw methodNotSupported(type, verb)
}

/** All namespaces together can only be listed and watched. */
function requireAllNamespaces(type: ResourceType, { name }: ResourcePath, verb: Verb): void {
  if (name !== '') throw resourceNotFound()
  if (verb !== 'list' && verb !== 'watch') {
    throw methodNotSupported(type, `${verb} without a namespace`)
  }
}

function verbsOfSubresource(
  type: ResourceType,
  version: string,
  subresource: string,
): readonly string[] | null {
  const declared = type.subresources?.find(({ name }) => name === subresource)
  if (declared) return declared.verbs
  const { hasStatus, scale } = versionOf(type, version)
  const isServed = (subresource === 'status' && hasStatus) || (subresource === 'scale' && scale)
  return isServed ? ['get', 'update', 'patch'] : null
}

interface Authorized extends Pick<Exchange, 'plane' | 'path' | 'user' | 'query'> {
  readonly verb: Verb
}

async function authorize(
  { authorizer }: ResourceRequests,
  { plane, path, user, verb, query }: Authorized,
): Promise<void> {
  const { group, version, plural, subresource } = path
  const isRead = verb === 'list' || verb === 'watch'
  const name = path.name === '' && isRead ? selectedName(query) : path.name
  const isNamespace = group === '' && plural === 'namespaces'
  // Roles in a namespace can grant access to the namespace itself.
  const namespace = isNamespace ? path.name : path.namespace
  const resource = { group, version, plural, subresource, namespace, name }
  const attributes = { plane, user, verb, resource, path: '' }
  const { allowed, reason } = await authorizer.authorize(attributes)
  if (!allowed) throw accessDenied(attributes, reason)
}

/** The name in `fieldSelector=metadata.name=x`: roles may grant a list or watch of one object. */
function selectedName(query: URLSearchParams): string {
  const [selector = '', ...others] = query.getAll('fieldSelector')
  // Servers differ in which of several selectors they use.
  if (others.length > 0) return ''
  const match = /^metadata\.name==?([^,!=\\]+)$/.exec(selector)
  return match?.[1] ?? ''
}

/** 404: the plane does not serve the resource. */
export function resourceNotFound(): KubeError {
  return new KubeError('no-route', 'the server could not find the requested resource', {
    code: 404,
    statusReason: 'NotFound',
    details: {
      causes: [{ reason: 'UnexpectedServerResponse', message: '404 page not found' }],
    },
  })
}

function notAllowed(method: string): KubeError {
  return new KubeError('method-not-allowed', `the server does not allow the method ${method}`, {
    code: 405,
    statusReason: 'MethodNotAllowed',
  })
}

/** The sender of a request. 400 if the header with its fence is malformed. */
function requesterOf(request: Request, response: Response, user: UserInfo): Requester {
  const warn = warningSender((warning) => void response.append('Warning', warning))
  const header = request.get(FENCE_HEADER)
  const wait = waitOf(response)
  if (header === undefined) return { user, warn, wait }
  const fence = parseFence(header)
  if (fence === null) throw badRequest(`the header ${FENCE_HEADER} is malformed`)
  return { user, warn, wait, fence }
}
