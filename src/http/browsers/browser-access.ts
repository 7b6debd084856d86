import type { IncomingMessage } from 'node:http'
import type { RequestHandler } from 'express'
import { isServedHost } from '../../access/allowed-hosts.ts'
import { FlotillaError } from '../../lib/errors.ts'
import { SAFE_METHODS } from '../../lib/safe-methods.ts'
import { ANY_ORIGIN } from '../../lib/web-origin.ts'
import { hasBody } from '../requests/has-body.ts'
import { requestPath } from '../requests/request-path.ts'
import { setForeignSender } from './foreign-sender.ts'
import { authorityOf, foreignSender } from './page-origin.ts'

/** The settings that decide which pages may use the server. */
interface BrowserSettings {
  /** Names of the server, in addition to loopback names and addresses. */
  readonly allowedHosts: readonly string[]
  /** The origin of the server as its users see it; null if it follows from `Host`. */
  readonly publicUrl: string | null
  readonly corsOrigins: readonly string[]
}

interface Options {
  /** Whether requests need no token. */
  readonly isOpen: boolean
  /** Read for each request. */
  readonly settings: () => BrowserSettings
  /** Whether another server of this installation sent the request. That server has checked it. */
  readonly isForwarded?: (request: IncomingMessage) => boolean
}

/**
 * Throws `misdirected` if a server without tokens does not serve the request's host, and `forbidden`
 * if a page that may not use the server sends something that can change its state. Returns the
 * sender if such a page sends anything else, and null for all other senders.
 */
export type BrowserCheck = (request: IncomingMessage) => string | null

/** Probes name the server in many ways, and reveal nothing. */
const PROBE = /^\/(livez|readyz|healthz)(\/|$)/
/** Subresources that run something and that clients may open with GET. */
const RUNS_PROGRAM = /\/(exec|attach|portforward)\/?$/

export function createBrowserCheck(options: Options): BrowserCheck {
  const { isOpen, settings, isForwarded = () => false } = options
  return (request) => {
    const current = settings()
    const host = isOpen ? unservedHost(request, current) : null
    if (host !== null && !isForwarded(request)) throw unserved(host)
    const sender = foreignSender(request, current, isOpen)
    if (sender === null || isForwarded(request)) return null
    if (canChangeState(request)) throw notAllowed(sender, current)
    return sender
  }
}

/** The stage of an application that checks each request. */
export function browserAccess(check: BrowserCheck): RequestHandler {
  return (request, response, next) => {
    const sender = check(request)
    if (sender !== null) setForeignSender(response, sender)
    next()
  }
}

/** Null if the host is served. No browser omits `Host`, as HTTP/1.0 allows. */
function unservedHost(request: IncomingMessage, settings: BrowserSettings): string | null {
  const { host = null } = request.headers
  const target = authorityOf(request)
  const named = target === host ? [host] : [target, host]
  const found = named.find((name) => name !== null && !isServed(name, settings)) ?? null
  return found !== null && PROBE.test(requestPath(request.url ?? '/')) ? null : found
}

function isServed(host: string, { allowedHosts, publicUrl }: BrowserSettings): boolean {
  if (isServedHost(host, allowedHosts)) return true
  return publicUrl !== null && isServedHost(host, [new URL(publicUrl).hostname])
}

function unserved(host: string): FlotillaError {
  return new FlotillaError(
    'misdirected',
    `While requests need no token, the server does not serve the host '${host}': add its name to ALLOWED_HOSTS, use an IP address or localhost, or configure authentication`,
  )
}

function canChangeState(request: IncomingMessage): boolean {
  const { method = '', url = '/', headers } = request
  if (!SAFE_METHODS.has(method) || hasBody(request) || headers.upgrade !== undefined) return true
  return RUNS_PROGRAM.test(decoded(requestPath(url)))
}

/** Routes match decoded paths. They reject a path that is not percent-encoded UTF-8. */
function decoded(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

/** The error of a page that may not change the state of the server. */
function notAllowed(sender: string, { corsOrigins }: BrowserSettings): FlotillaError {
  const hint = corsOrigins.includes(ANY_ORIGIN)
    ? '. CORS_ORIGINS=* allows only reads while requests need no token'
    : ''
  return new FlotillaError(
    'forbidden',
    `Pages of ${sender} may only read: list the origin in CORS_ORIGINS if you trust it, or set PUBLIC_URL if it is the address of this server${hint}`,
  )
}
