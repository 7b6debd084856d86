import type { RequestHandler } from 'express'
import { invalid, MAX_VIOLATIONS, type Violation } from '../../lib/errors.ts'
import { suggest } from '../../lib/text/suggest.ts'

/** The treatment of query parameters that a route does not accept. */
export type UnknownParameters = 'reject' | 'ignore'

/**
 * Rejects query parameters that a route does not accept: without a misspelt `dryRun` or `search`, a
 * request would affect more than the caller meant. One response lists all of them.
 */
export function rejectUnknownParameters(known: readonly string[]): RequestHandler {
  const names: ReadonlySet<string> = new Set(known)
  return (request, _response, next) => {
    const { originalUrl } = request
    const start = originalUrl.indexOf('?')
    if (start >= 0) {
      const unknown = parameterNames(originalUrl.slice(start + 1)).filter(
        (name) => !names.has(name),
      )
      if (unknown.length > 0) throw invalid(violationsOf(unknown, known))
    }
    next()
  }
}

/** The decoded names of a query string without its fragment, with duplicates. */
function parameterNames(query: string): readonly string[] {
  const fragment = query.indexOf('#')
  const pairs = (fragment < 0 ? query : query.slice(0, fragment)).split('&')
  return pairs.filter((pair) => pair !== '').map(nameOf)
}

/** Most names need no decoding. Like the router, decodes an invalid escape as far as possible. */
function nameOf(pair: string): string {
  const end = pair.indexOf('=')
  const name = end < 0 ? pair : pair.slice(0, end)
  if (!/[%+]/.test(name)) return name
  const [decoded] = new URLSearchParams(name).keys()
  return decoded ?? name
}

function violationsOf(unknown: readonly string[], known: readonly string[]): readonly Violation[] {
  const taken =
    known.length === 0
      ? 'this request takes no query parameters'
      : `the parameters are ${known.join(', ')}`
  return [...new Set(unknown)].slice(0, MAX_VIOLATIONS).map((field) => {
    const near = suggest(field, known)
    const advice = near === null ? taken : `did you mean '${near}'?`
    const message = `'${field}' is not a query parameter of this request: ${advice}`
    return { field, message, constraint: 'unknown' }
  })
}
