import type { JsonObject } from '../../lib/json/json.ts'
import { requestSignal } from '../../http/requests/request-signal.ts'
import type { WatchStream } from '../../http/streams/watch-stream.ts'
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
import { bookmarkObject, eventJson, streamEventsOf, WATCH_FORMAT } from './watch-events.ts'
import { watchOptionsOf } from './watch-options.ts'

/** Serves a request to a subresource with bodies that differ from those of objects. */
export type ServeEndpoint = (
  endpoint: SubresourceEndpoint,
  verb: Verb,
  request: VerbRequest,
) => Promise<void>

interface Options {
  readonly streams: WatchStreams
  /** Watches without `timeoutSeconds` close at a random time between this and twice this. */
  readonly minTimeoutSeconds: number
}

/** Creates the function that serves endpoints. */
export function createServeEndpoint(options: Options): ServeEndpoint {
  return async (endpoint, verb, request) => {
    const { streams } = options
    const { create, list, get, watch, streamed } = endpoint
    if (streamed && verb === streamed.verb) {
      const body = verb === 'create' ? await readEndpointBody(endpoint, request) : {}
      await serveStream(streams, streamed, request, body)
    } else if (verb === 'create' && create)
      await serveCreate(streams, { ...endpoint, create }, request)
    else if (verb === 'list' && list) await serveRead(streams, list, request)
    else if (verb === 'get' && get) await serveRead(streams, get, request)
    else if (verb === 'watch' && watch) await serveWatch(options, watch, request)
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
  sendValue(verb, 200, await read({ target, requester, query, signal: ended.signal }))
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
  sendValue(verb, response.status, response.body)
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
  { streams, minTimeoutSeconds }: Options,
  watch: NonNullable<SubresourceEndpoint['watch']>,
  { request, response, query, target, requester }: VerbRequest,
): Promise<void> {
  const { from, bookmarks, timeoutSeconds } = watchOptionsOf(query)
  if (from === 'now') throw badRequest('sendInitialEvents is not supported by this resource')
  const maxAgeSeconds = timeoutSeconds ?? minTimeoutSeconds * (1 + Math.random())
  const itemTarget = { ...target, type: { ...target.type, kind: itemKind(target) } }
  const events = streamEventsOf((version) =>
    eventJson('BOOKMARK', bookmarkObject(itemTarget, version)),
  )
  const stream = streams.open(request, response, events, { format: WATCH_FORMAT, maxAgeSeconds })
  try {
    const subscription = await watch(
      { target, requester, query, from, signal: stream.signal },
      {
        onEvent: (type, item, revision) => {
          deliver(stream, { type, item, resourceVersion: bookmarks ? `${revision}` : null })
        },
        onLost: () => stream.fail(versionExpired()),
        ready: () => stream.ready(),
      },
    )
    stream.disposeOnEnd(subscription)
    if (bookmarks) stream.reportVersionsFrom(() => subscription.revision.toString())
    stream.start()
  } catch (error) {
    stream.failOrThrow(error)
  }
}

/** `FleetMember` for a subresource with lists of kind `FleetMemberList`. */
function itemKind({ type, subresource }: Target): string {
  const declared = type.subresources?.find(({ name }) => name === subresource)
  return declared?.kind.replace(/List$/, '') ?? type.kind
}

interface Event {
  readonly type: string
  readonly item: JsonObject
  /** Null without bookmarks. */
  readonly resourceVersion: string | null
}

function deliver(stream: WatchStream, { type, item, resourceVersion }: Event): void {
  const text = `${eventJson(type, item)}\n`
  const send = (): void => stream.write(text)
  stream.deliver({ source: item, size: text.length, resourceVersion, send })
}
