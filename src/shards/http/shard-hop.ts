import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { TLSSocket } from 'node:tls'

const KEY_HEADER = 'x-flotilla-shard-key'
const TENANT_HEADER = 'x-flotilla-shard-tenant'
const CLIENT_HEADER = 'x-flotilla-shard-client'
const QUESTION_HEADER = 'x-flotilla-shard-question'
/** Marks responses of a server that does not serve the tenant of a forwarded request. */
export const MISDIRECTED_HEADER = 'x-flotilla-misdirected'

/** The part of a forwarded request that only servers can send. */
export interface ShardHop {
  /** The tenant that a request of a system concerns; null for the whole shard. */
  readonly tenant: string | null
  /** The address of the client, as the forwarding server has determined it. */
  readonly clientAddress: string
}

/** Recognizes and marks the requests that servers of the shards send to each other. */
export interface ShardHops {
  /** Null unless the request has the key. */
  read(request: IncomingMessage): ShardHop | null
  /** The headers of a request for another server. */
  headers(hop: ShardHop): Readonly<Record<string, string>>
  /** Whether a server itself asks this request, and does not forward it for a client. */
  isQuestion(request: IncomingMessage): boolean
  /** The header of a server's own question. Replaces the one of `headers`. */
  question(target: string): Readonly<Record<string, string>>
}

/**
 * Creates the hops with the key that all servers share. Every header is always sent, so that it
 * replaces one that the client has sent. With `needsCertificate`, requests also need a connection with
 * a verified client certificate.
 */
export function createShardHops(
  key: string,
  { needsCertificate }: { readonly needsCertificate: boolean },
): ShardHops {
  const expected = digestOf(key)
  // The credential is valid for one target only.
  const credentialOf = (target: string): string =>
    createHmac('sha256', key).update(`question ${target}`).digest('base64url')
  const isTrusted = ({ socket }: IncomingMessage): boolean =>
    !needsCertificate || (socket instanceof TLSSocket && socket.authorized)
  return {
    read: (request) => {
      const { headers } = request
      if (!isTrusted(request)) return null
      const given = headers[KEY_HEADER]
      if (typeof given !== 'string' || !timingSafeEqual(digestOf(given), expected)) return null
      const tenant = Buffer.from(textOf(headers[TENANT_HEADER]), 'base64url').toString()
      return {
        tenant: tenant === '' ? null : tenant,
        clientAddress: textOf(headers[CLIENT_HEADER]),
      }
    },
    headers: ({ tenant, clientAddress }) => ({
      [KEY_HEADER]: key,
      [TENANT_HEADER]: Buffer.from(tenant ?? '').toString('base64url'),
      [CLIENT_HEADER]: clientAddress,
      [QUESTION_HEADER]: '',
    }),
    isQuestion: (request) => {
      const { headers, url = '' } = request
      const given = digestOf(textOf(headers[QUESTION_HEADER]))
      return isTrusted(request) && timingSafeEqual(given, digestOf(credentialOf(url)))
    },
    question: (target) => ({ [QUESTION_HEADER]: credentialOf(target) }),
  }
}

/** Digests have one length, which the comparison requires. */
function digestOf(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}

function textOf(value: string | string[] | undefined): string {
  return typeof value === 'string' ? value : ''
}
