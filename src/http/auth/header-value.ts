import type { IncomingMessage } from 'node:http'
import { headerLines } from '../requests/header-lines.ts'

const MAX_LENGTH = 256

/** Printable ASCII, with spaces only between other characters. */
const PRINTABLE = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/

/** Some gateways send this text for a claim that the token does not have. */
const MISSING_CLAIM = '<nil>'

/** The value of a header, null if it is absent, or the reason why it is unusable. */
export type HeaderValue = string | null | { readonly problem: string }

/** Reads a gateway's header, which must be one line of 1 to 256 printable ASCII characters. */
export function readHeader(request: IncomingMessage, name: string): HeaderValue {
  if (request.headers[name] === undefined) return null
  const [value = '', ...others] = headerLines(request, name)
  if (others.length > 0) return { problem: 'it appears more than once' }
  if (value === '') return { problem: 'it is empty' }
  if (value.length > MAX_LENGTH) return { problem: `it is longer than ${MAX_LENGTH} characters` }
  if (!PRINTABLE.test(value)) return { problem: 'it has characters other than printable ASCII' }
  return value === MISSING_CLAIM ? { problem: `it is '${MISSING_CLAIM}'` } : value
}
