import { isJsonObject, type JsonObject } from '../../lib/json/json.ts'
import type { Egress } from '../../http/egress/egress.ts'
import { readResponse } from '../../http/egress/read-body.ts'
import type { Delegate } from './delegate.ts'
import { identityHeaders } from './forwarded-headers.ts'
import { targetOn } from './proxy-request.ts'
import { parseJsonText } from '../../lib/json/json-text.ts'

const TIMEOUT_MS = 5000
const MAX_BYTES = 4 * 1024 * 1024

/** The identity of requests that this program sends for itself, as other servers know it. */
const AGGREGATOR = {
  name: 'system:aggregator',
  uid: '',
  groups: ['system:authenticated'],
  extra: {},
} as const

/** Reads a JSON object from the server of a delegate. */
export async function readDelegate(
  egress: Egress,
  { server, name }: Delegate,
  target: string,
): Promise<{ readonly value: JsonObject; readonly text: string }> {
  if ('problem' in server) throw new Error(server.problem)
  const response = await egress.send({
    url: server.url,
    target: targetOn(server, target),
    method: 'GET',
    headers: { Accept: 'application/json', ...identityHeaders(AGGREGATOR) },
    body: null,
    ca: server.ca,
    skipVerification: server.skipVerification,
    signal: AbortSignal.timeout(TIMEOUT_MS),
  })
  if (response.statusCode !== 200) {
    response.destroy()
    throw new Error(`${name}: ${target} has status ${response.statusCode}`)
  }
  const text = await readResponse(response, MAX_BYTES)
  const value = parseJsonText(text)
  if (!isJsonObject(value)) throw new Error(`${name}: ${target} is not an object`)
  return { value, text }
}
