import type { IncomingMessage } from 'node:http'
import { ANY_ORIGIN } from '../../lib/web-origin.ts'

/** The origin of sandboxed frames, files and some redirects: any page can have it. */
const OPAQUE_ORIGIN = 'null'

interface OriginRules {
  /** The server's own origin; null if it follows from `Host`. */
  readonly publicUrl: string | null
  readonly corsOrigins: readonly string[]
}

/**
 * The page that sent the request, if it is neither the server's own nor allowed: a phrase for messages.
 * Null for other requests. Programs other than browsers send neither header. `isOpen` is whether
 * requests need no token.
 */
export function foreignSender(
  request: IncomingMessage,
  rules: OriginRules,
  isOpen: boolean,
): string | null {
  const { origin, 'sec-fetch-site': site } = request.headers
  if (origin !== undefined) {
    const mayWrite = isAllowed(origin, rules, isOpen) || isOwn(origin, request, rules)
    return mayWrite ? null : `the origin '${origin}'`
  }
  return site !== undefined && /cross-site|same-site/.test(site)
    ? `another site (Sec-Fetch-Site: ${site})`
    : null
}

/** Without tokens, an entry that matches strangers' pages allows none. */
function isAllowed(origin: string, { corsOrigins }: OriginRules, isOpen: boolean): boolean {
  if (corsOrigins.includes(ANY_ORIGIN) && !isOpen) return true
  return corsOrigins.includes(origin) && !(origin === OPAQUE_ORIGIN && isOpen)
}

/** The scheme of `Host` is that of the page, because a proxy may end TLS. */
function isOwn(origin: string, request: IncomingMessage, { publicUrl }: OriginRules): boolean {
  if (publicUrl !== null) return origin === publicUrl
  const [, scheme] = /^(https?:\/\/)[^/]/.exec(origin) ?? []
  const authority = authorityOf(request)
  if (scheme === undefined || authority === null || /[/?#@\\\s]/.test(authority)) return false
  const own = scheme + authority
  return own === origin || (URL.canParse(own) && new URL(own).origin === origin)
}

/** The host and port that the request names. An absolute request target replaces `Host` (RFC 9112). */
export function authorityOf({ url = '', headers }: IncomingMessage): string | null {
  if (url.startsWith('/')) return headers.host ?? null
  const [, absolute] = /^[a-z][a-z0-9+.-]*:\/\/([^/?#]*)/i.exec(url) ?? []
  return absolute ?? headers.host ?? null
}
