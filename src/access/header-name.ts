/** The grammar of header names (RFC 9110, 5.1). */
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/

/** Headers that contain credentials or that the server uses for another purpose. */
const RESERVED: ReadonlySet<string> = new Set([
  'authorization',
  'connection',
  'content-length',
  'content-type',
  'cookie',
  'host',
  'proxy-authorization',
  'set-cookie',
  'transfer-encoding',
  'x-api-key',
  'x-auth-token',
  'x-forwarded-authorization',
  'x-forwarded-for',
  'x-request-id',
])

/** Returns the name of a gateway's header in lower case. Throws if a gateway cannot use it. */
export function gatewayHeaderName(name: string): string {
  if (!TOKEN.test(name)) throw new Error(`'${name}' is not a valid header name`)
  const lower = name.toLowerCase()
  if (RESERVED.has(lower)) throw new Error(`the header '${name}' is reserved for another purpose`)
  return lower
}
