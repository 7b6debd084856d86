import type { Prisma } from '../../generated/prisma/client.ts'
import { PreciseDate } from '../../lib/precise-date.ts'

/**
 * A JSON value for Prisma. Prisma copies plain objects field by field, which loses `__proto__`. It
 * uses the result of `toJSON` unchanged: text that is tagged as JSON.
 */
export function inputJson(value: object): Prisma.InputJsonValue {
  return { toJSON: () => ({ $type: 'Json', value: JSON.stringify(value) }) }
}

/**
 * A column of Prisma's client as the type that our statements write there, such as one of several
 * texts, or the shape of a JSON value. The caller states the type.
 */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- Prisma cannot know the type
export function stored<T>(value: unknown): T {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the statements determine the type
  return value as T
}

/** A time of Prisma's client, with the text that a statement in SQL returns: six digits. */
export function storedTime(time: Date): PreciseDate {
  return new PreciseDate(time.getTime(), 0)
}
