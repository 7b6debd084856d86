import type { IncomingMessage } from 'node:http'
import { FlotillaError, invalid } from '../../lib/errors.ts'
import { must } from '../../lib/assert.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../../lib/json/json.ts'
import { readResponse } from '../../http/egress/read-body.ts'
import type { ShardDirectory } from '../shard-directory.ts'
import type { Forwarder } from '../../http/forwarding/forwarder.ts'
import { requestHeaders } from '../../http/forwarding/forwarded-headers.ts'
import type { ShardHops } from './shard-hop.ts'

/** The parts for requests to other shards. */
export interface ShardClient {
  readonly directory: ShardDirectory
  readonly forwarder: Forwarder
  readonly hops: ShardHops
  /** The address of a request's client. */
  readonly addressOf: (request: IncomingMessage) => string
  /** Ends requests when this server stops. */
  readonly closing: AbortSignal
}

/** Headers of a client that would change the response to a part of its request. */
const WHOLE_RESPONSE_ONLY = [
  'accept-encoding',
  'if-none-match',
  'if-match',
  'range',
  'content-length',
  'transfer-encoding',
]

/** The URLs of a shard's servers. Throws `invalid` for a name that no shard has. */
export async function originsOf(
  { directory }: Pick<ShardClient, 'directory'>,
  name: string,
): Promise<readonly string[]> {
  const cached = (await directory.shards.cached()).get(name)
  if (cached) return cached.servers
  // The shard may be newer than the cached list.
  const shards = await directory.shards.read()
  const shard = shards.get(name)
  if (shard) return shard.servers
  const message = `shard: '${name}' is not a shard; the shards are ${[...shards.keys()].join(', ')}`
  throw invalid([{ field: 'shard', message, value: name }])
}

/** The headers that mark a request to another shard. */
export function hopHeaders(
  { hops, addressOf }: Pick<ShardClient, 'hops' | 'addressOf'>,
  request: IncomingMessage,
  tenant: string | null,
): Readonly<Record<string, string>> {
  return hops.headers({ tenant, clientAddress: addressOf(request) })
}

interface Ask {
  readonly shard: string
  readonly request: IncomingMessage
  readonly target: string
  /** Headers in addition to those of the request. */
  readonly more?: Readonly<Record<string, string>>
  /** Ends the ask. */
  readonly signal: AbortSignal
}

/** Sends a part of a system's request to a shard, with the credentials of the request. */
export async function askShard(
  client: ShardClient,
  { shard, request, target, more = {}, signal }: Ask,
): Promise<IncomingMessage> {
  const headers = requestHeaders(request, { ...hopHeaders(client, request, null), ...more })
  for (const name of WHOLE_RESPONSE_ONLY) delete headers[name]
  const origins = await originsOf(client, shard)
  return client.forwarder.send({
    name: shard,
    origins,
    method: 'GET',
    target,
    headers,
    body: null,
    waitMs: 0,
    limitsBody: true,
    signal,
  })
}

/** A shard's answer to its part of a request: a success, or a failure that the client causes. */
export interface ShardAnswer {
  readonly status: number
  readonly body: JsonObject
}

/**
 * Reads the answer of a shard. Throws `unavailable` if the shard failed, or if its answer breaks off,
 * is longer than `maxBytes`, or is not a JSON object.
 */
export async function readAnswer(
  shard: string,
  answer: IncomingMessage,
  maxBytes: number,
): Promise<ShardAnswer> {
  const status = answer.statusCode ?? 502
  if (status >= 500) {
    answer.resume()
    throw failedShard(shard, status)
  }
  try {
    const body: JsonValue = JSON.parse(await readResponse(answer, maxBytes))
    if (isJsonObject(body)) return { status, body }
  } catch (cause) {
    throw unreadableAnswer(shard, cause)
  }
  throw unreadableAnswer(shard)
}

/** The error of a shard that failed to answer its part of a request. */
export function failedShard(shard: string, status: number): FlotillaError {
  return unusable(shard, `responded with ${status}`)
}

function unreadableAnswer(shard: string, cause?: unknown): FlotillaError {
  return unusable(shard, 'sent an answer that cannot be read', cause)
}

function unusable(shard: string, problem: string, cause?: unknown): FlotillaError {
  const detail = `The shard ${shard} ${problem}: try again later, or name another shard`
  return new FlotillaError('unavailable', detail, { cause })
}

/** A path with its query, without one parameter. */
export function withoutParameter(url: string, name: string): string {
  const at = url.indexOf('?')
  if (at < 0) return url
  const parts = url.slice(at + 1).split('&')
  const kept = parts.filter((part) => must(part.split('=')[0], 'a name') !== name)
  return kept.length === 0 ? url.slice(0, at) : `${url.slice(0, at)}?${kept.join('&')}`
}
