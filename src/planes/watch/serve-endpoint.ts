import type { JsonObject } from '../../lib/json/json.ts'
import { requestSignal } from '../../http/requests/request-signal.ts'
import type { WatchStreams } from '../../http/streams/watch-streams.ts'
import { badRequest, methodNotSupported, versionExpired } from '../errors/failures.ts'
import type { SubresourceEndpoint } from '../model/native-resource.ts'
import type { Target } from '../model/object-operations.ts'
import type { Verb } from '../model/resource-type.ts'
import { requireObject } from '../operations/require-object.ts'
import { OBJECT_TYPES } from '../requests/read-request-body.ts'
import { writeOptionsOf } from '../requests/write-options.ts'
import { sendValue } from '../verbs/send-object.ts'
import type { VerbRequest } from '../verbs/verb-request.ts'
import { serveStream } from './serve-stream.ts'
import { serveSubscription, type Watching } from './serve-subscription.ts'
import { bookmarkObject, eventJson } from './watch-events.ts'
import { watchOptionsOf } from './watch-options.ts'

/** Serves a request to a subresource with bodies that differ from those of objects. */
export type ServeEndpoint = (
  endpoint: SubresourceEndpoint,
  verb: Verb,
  request: VerbRequest,
) => Promise<void>

/** Creates the function that serves endpoints. */
export function createServeEndpoint(watching: Watching): ServeEndpoint {
  return async (endpoint, verb, request) => {
    const { streams } = watching
    const { create, list, get, watch, streamed } = endpoint
    if (streamed && verb === streamed.verb) {
      const body = verb === 'create' ? await readEndpointBody(endpoint, request) : {}
      await serveStream(streams, request, { streamed, body })
    } else if (verb === 'create' && create)
      await serveCreate(streams, { ...endpoint, create }, request)
    else if (verb === 'list' && list) await serveRead(streams, list, request)
    else if (verb === 'get' && get) await serveRead(streams, get, request)
    else if (verb === 'watch' && watch) await serveWatch(watching, watch, request)
    else throw methodNotSupported(request.target.type, verb)
  }
}

async function serveRead(
  { closing }: WatchStreams,
  read: NonNullable<SubresourceEndpoint['get']>,
  verb: VerbRequest,
): Promise<void> {
  const { target, requester, query } = verb
  using ended = requestSignal(verb.response, closing)
  await sendValue(verb, 200, await read({ target, requester, query, signal: ended.signal }))
}

async function serveCreate(
  { closing }: WatchStreams,
  endpoint: SubresourceEndpoint & Required<Pick<SubresourceEndpoint, 'create'>>,
  verb: VerbRequest,
): Promise<void> {
  const { query, target, requester } = verb
  const body = await readEndpointBody(endpoint, verb)
  using ended = requestSignal(verb.response, closing)
  const response = await endpoint.create({ target, requester, query, signal: ended.signal }, body)
  await sendValue(verb, response.status, response.body)
}

/** The body of a POST without metadata. */
async function readEndpointBody(
  { hasOptionalBody = false }: SubresourceEndpoint,
  verb: VerbRequest,
): Promise<JsonObject> {
  const { request, query, target, readBody } = verb
  const body = await readBody(OBJECT_TYPES)
  if (!body && !hasOptionalBody) throw badRequest('the request needs a body')
  const userAgent = request.headers['user-agent'] ?? ''
  const { dryRun = false } = writeOptionsOf({ query, userAgent, kind: 'CreateOptions' })
  if (dryRun) throw badRequest(`dryRun is not supported by ${target.subresource}`)
  const { metadata: _metadata, ...given } = requireObject(body?.value ?? {})
  return given
}

async function serveWatch(
  watching: Watching,
  watch: NonNullable<SubresourceEndpoint['watch']>,
  verb: VerbRequest,
): Promise<void> {
  const { query, target, requester } = verb
  const { from, ...options } = watchOptionsOf(query)
  if (from === 'now') throw badRequest('sendInitialEvents is not supported by this resource')
  const itemTarget = { ...target, type: { ...target.type, kind: itemKind(target) } }
  await serveSubscription(watching, verb, {
    ...options,
    bookmark: (version) => eventJson('BOOKMARK', bookmarkObject(itemTarget, version)),
    subscribe: (stream, delivery) =>
      watch(
        { target, requester, query, from, signal: stream.signal },
        {
          onEvent: (type, item, revision) => {
            const text = `${eventJson(type, item)}\n`
            delivery.send({ source: item, size: text.length, text, revision })
          },
          onLost: () => stream.fail(versionExpired()),
          ready: () => stream.ready(),
        },
      ),
  })
}

/** `FleetMember` for a subresource with lists of kind `FleetMemberList`. */
function itemKind({ type, subresource }: Target): string {
  const declared = type.subresources?.find(({ name }) => name === subresource)
  return declared?.kind.replace(/List$/, '') ?? type.kind
}
