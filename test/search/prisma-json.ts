import type { Prisma } from '../../src/generated/prisma/client.ts'

/**
 * A JSON value for Prisma. Prisma copies plain objects field by field, which loses `__proto__`. It
 * uses the result of `toJSON` unchanged: text that is tagged as JSON.
 */
export function inputJson(value: object): Prisma.InputJsonValue {
  return { toJSON: () => ({ $type: 'Json', value: JSON.stringify(value) }) }
}

/** A JSON column as the type that our statements write there; the caller states the type. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- Prisma cannot know the type
export function outputJson<T>(value: Prisma.JsonValue): T {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the statement determines the type
  return value as T
}
