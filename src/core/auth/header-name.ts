/** The grammar of field names (RFC 9110, 5.1). */
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/

/** Headers that carry credentials or have another meaning here. */
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

/** The name of a header that a gateway sets, in lower case. Throws if it cannot be one. */
export function gatewayHeaderName(name: string): string {
  if (!TOKEN.test(name)) throw new Error(`'${name}' is no name of a header`)
  const lower = name.toLowerCase()
  if (RESERVED.has(lower)) throw new Error(`the header '${name}' has another meaning`)
  return lower
}
