import type { IncomingMessage } from 'node:http'
import { FlotillaError } from '../../lib/errors.ts'
import { connectionOptions, OF_CONNECTION } from './forwarded-headers.ts'

/** A path, not an absolute URL, and not `//host`, which URL parsers read as another host. */
const PATH = /^\/(?!\/)/

/**
 * Throws `malformed` unless a request can be forwarded unchanged: its target is a path, and
 * `Connection` names no header that the other server needs.
 */
export function checkForwardable(request: IncomingMessage, target: string): void {
  if (!PATH.test(target)) {
    throw new FlotillaError('malformed', 'The request target must be a path that begins with one /')
  }
  const unknown = connectionOptions(request).find(
    (name) => name !== 'close' && !OF_CONNECTION.has(name),
  )
  if (unknown === undefined) return
  throw new FlotillaError(
    'malformed',
    `The header Connection must not name '${unknown.slice(0, 64)}': only headers of the connection`,
  )
}
