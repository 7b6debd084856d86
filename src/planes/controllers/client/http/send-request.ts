import { KubeError } from '../../../errors/kube-error.ts'
import { FENCE_HEADER, formatFence } from '../../../model/write-fence-header.ts'
import type { WriteFence } from '../../../../store/objects/model/write-fence.ts'
import { errorMessage } from '../../../../lib/error-message.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../../../../lib/json/json.ts'
import type { HttpOptions } from './http-options.ts'
import { errorOfStatus } from './status-error.ts'
import { jsonText, parseJsonText } from '../../../../lib/json/json-text.ts'

const TIMEOUT_MS = 60_000

interface HttpRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly path: string
  /** Empty and absent values are not sent. */
  readonly query?: Readonly<Record<string, string | undefined>>
  readonly body?: JsonValue
  readonly contentType?: string
  readonly accept?: string
  readonly fence?: WriteFence | null
}

/** Sends a request and returns the JSON object of the response. Throws KubeError. */
export async function sendRequest(options: HttpOptions, request: HttpRequest): Promise<JsonObject> {
  const signal = AbortSignal.timeout(TIMEOUT_MS)
  const response = await openResponse(options, request, signal)
  const body = parse(await response.text().catch((error: unknown) => fail(error)))
  if (!isJsonObject(body)) throw errorOfStatus(undefined, response.status)
  return body
}

/** Sends a request and returns the response if it has succeeded. Throws KubeError. */
export async function openResponse(
  options: HttpOptions,
  request: HttpRequest,
  signal: AbortSignal,
): Promise<Response> {
  const { method, path, query = {}, body } = request
  const url = new URL(`${options.server.replace(/\/$/, '')}${path}`)
  for (const [name, value] of Object.entries(query)) if (value) url.searchParams.set(name, value)
  const response = await fetch(url, {
    method,
    headers: await headersOf(options, request),
    signal,
    // A redirect could send the token to another server.
    redirect: 'error',
    ...(body !== undefined && { body: jsonText(body) }),
  }).catch((error: unknown) => fail(error))
  if (response.ok) return response
  throw errorOfStatus(parse(await response.text().catch(() => '')), response.status)
}

async function headersOf(
  { token, userAgent }: HttpOptions,
  { body, contentType, accept, fence }: HttpRequest,
): Promise<Record<string, string>> {
  const bearer = (await token?.()) ?? null
  return {
    Accept: accept ?? 'application/json',
    'User-Agent': userAgent,
    ...(body !== undefined && { 'Content-Type': contentType ?? 'application/json' }),
    ...(bearer !== null && { Authorization: `Bearer ${bearer}` }),
    ...(fence && { [FENCE_HEADER]: formatFence(fence) }),
  }
}

function parse(text: string): JsonValue | undefined {
  try {
    return parseJsonText(text)
  } catch {
    return undefined
  }
}

function fail(error: unknown): never {
  const cause = error instanceof Error && error.cause !== undefined ? error.cause : error
  throw new KubeError('unavailable', `the server did not answer: ${errorMessage(cause)}`, {
    code: 503,
    statusReason: 'ServiceUnavailable',
    cause: error,
  })
}
