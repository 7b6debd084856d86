import type { IncomingMessage } from 'node:http'
import { headerLines } from '../requests/header-lines.ts'

const MAX_LENGTH = 256

/** Printable ASCII, blanks between characters included. */
const PRINTABLE = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/

/** What some gateways render for a claim that the caller does not have. */
const MISSING_CLAIM = '<nil>'

/** The value of a header, null if it is absent, or why it cannot be used. */
export type HeaderValue = string | null | { readonly problem: string }

/** Reads a header that a gateway sets: one line of 1 to 256 printable ASCII characters. */
export function readHeader(request: IncomingMessage, name: string): HeaderValue {
  if (request.headers[name] === undefined) return null
  const [value = '', ...others] = headerLines(request, name)
  if (others.length > 0) return { problem: 'it appears more than once' }
  if (value === '') return { problem: 'it is empty' }
  if (value.length > MAX_LENGTH) return { problem: `it is longer than ${MAX_LENGTH} characters` }
  if (!PRINTABLE.test(value)) return { problem: 'it has characters other than printable ASCII' }
  return value === MISSING_CLAIM ? { problem: `it is '${MISSING_CLAIM}'` } : value
}
