import { createHash } from 'node:crypto'
import type { Request } from 'express'
import { invalid } from '../../../lib/errors.ts'
import type { IdempotencyKey } from '../../../store/idempotency/idempotency-key.ts'

const VISIBLE_ASCII = /^[\x21-\x7e]{1,255}$/
const BAD_KEY = {
  field: 'idempotency-key',
  message: 'idempotency-key must be 1 to 255 visible ASCII characters',
  constraint: 'format',
}

/** The header `Idempotency-Key` of a request; null without it. */
export function idempotencyKeyOf(
  request: Request,
  who: Pick<IdempotencyKey, 'tenant' | 'caller'>,
): IdempotencyKey | null {
  const key = request.get('idempotency-key')
  if (key === undefined) return null
  if (!VISIBLE_ASCII.test(key)) throw invalid([BAD_KEY])
  const bodyHash = createHash('sha256').update(JSON.stringify(request.body)).digest()
  return { ...who, route: request.path, key, bodyHash }
}
