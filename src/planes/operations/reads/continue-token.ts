import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Clock } from '../../../lib/clock.ts'
import { badRequest, versionExpired } from '../../errors/failures.ts'

/** The state of a paged list. */
export interface ListPosition {
  /** The last object of the page. */
  readonly after: { readonly namespace: string; readonly name: string }
  /** The revision of the first page, which every page shows. */
  readonly revision: string
  /** The number of objects after the page; null if unknown. Absent in tokens of older servers. */
  readonly remaining?: number | null
  /** The list that the token continues: plane, resource, namespace and selectors. */
  readonly list: string
}

/** Encodes positions as opaque tokens that clients cannot alter. */
export interface ContinueTokens {
  encode(position: ListPosition): string
  /** 400 for a token of another list or an altered one, 410 for an expired one. */
  decode(token: string, list: string): ListPosition
}

interface Options {
  /** Shared by all servers of the database. */
  readonly key: Buffer
  readonly clock: Clock
  /** Watches cannot start at the first page's revision after this time. */
  readonly lifetimeSeconds: number
}

interface Payload {
  readonly position: Omit<ListPosition, 'list'>
  readonly list: string
  /** Unix time in seconds. */
  readonly issued: number
}

/** Tokens are signed with HMAC-SHA256. */
export function createContinueTokens({ key, clock, lifetimeSeconds }: Options): ContinueTokens {
  const digest = (text: string) => createHmac('sha256', key).update(text).digest()
  const seconds = () => Math.floor(clock().getTime() / 1000)
  const fingerprint = (list: string) => digest(list).toString('base64url').slice(0, 16)
  return {
    encode: ({ list, ...position }) => {
      const payload: Payload = { position, list: fingerprint(list), issued: seconds() }
      const text = JSON.stringify(payload)
      return `${Buffer.from(text).toString('base64url')}.${digest(text).toString('base64url')}`
    },
    decode: (token, list) => {
      const payload = verified(token, digest)
      if (!payload) throw badRequest('continue key is not valid')
      if (payload.list !== fingerprint(list)) {
        throw badRequest('continue key is not valid: it belongs to a list with other parameters')
      }
      if (seconds() - payload.issued > lifetimeSeconds) {
        throw versionExpired(
          'The provided continue parameter is too old to display a consistent list result: start a new list without it',
        )
      }
      return { ...payload.position, list }
    },
  }
}

function verified(token: string, digest: (text: string) => Buffer): Payload | null {
  const [encoded = '', signature = ''] = token.split('.')
  const text = Buffer.from(encoded, 'base64url').toString()
  const given = Buffer.from(signature, 'base64url')
  const expected = digest(text)
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return null
  return JSON.parse(text)
}
