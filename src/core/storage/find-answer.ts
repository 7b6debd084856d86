import type { JsonObject } from '../../lib/json.ts'
import type { Database } from './database.ts'
import { forgottenBefore, type IdempotencyKey } from './idempotency-key.ts'
import { outputJson } from './prisma-json.ts'

/** The answer that a key is remembered with, and the body it was for. */
export interface RememberedAnswer {
  readonly bodyHash: Buffer
  readonly resourceId: string
  readonly answer: JsonObject
}

/** Looks a key up, through Prisma: not a hot path. Null where it is unknown or forgotten. */
export async function findAnswer(
  database: Database,
  { tenant, caller, route, key }: IdempotencyKey,
  now: Date,
): Promise<RememberedAnswer | null> {
  const record = await database.withPrisma('find_answer', (prisma) =>
    prisma.idempotencyKey.findFirst({
      where: { tenant, caller, route, key, createdTime: { gt: forgottenBefore(now) } },
    }),
  )
  if (!record) return null
  const { bodyHash, resourceId, answer } = record
  return { bodyHash: Buffer.from(bodyHash), resourceId, answer: outputJson(answer) }
}
