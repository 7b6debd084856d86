import type { Prisma } from '../../../generated/prisma/client.ts'

/**
 * A JSON value for Prisma. Given the object itself, Prisma would copy it member by member, which
 * loses `__proto__`; what `toJSON` returns it takes as it is: here text, tagged as JSON.
 */
export function inputJson(value: object): Prisma.InputJsonValue {
  return { toJSON: () => ({ $type: 'Json', value: JSON.stringify(value) }) }
}

/** A JSON column as the type that only our own statements write there: the caller names it. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- Prisma cannot know the type
export function outputJson<T>(value: Prisma.JsonValue): T {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as the statement says
  return value as T
}
