import { isJsonObject, type JsonValue } from './json.ts'

/** A list index in RFC 6901: no sign, leading zero or exponent. */
const INDEX = /^(?:0|[1-9][0-9]*)$/

/** The position after the last item of a list. */
const END = '-'

/** The steps of a well-formed JSON pointer (RFC 6901); none for the whole document. */
export function parsePointer(pointer: string): readonly string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
}

/** Formats steps as a pointer. */
export function formatPointer(steps: readonly string[]): string {
  return steps.map((step) => `/${step.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
}

/** The value that the steps lead to; undefined if there is none. Ignores inherited properties. */
export function valueAt(document: JsonValue, steps: readonly string[]): JsonValue | undefined {
  let value: JsonValue | undefined = document
  for (const step of steps) {
    if (value === undefined) return undefined
    value = memberOf(value, step)
  }
  return value
}

/** Whether a value can be added here: into an object, or into a list up to and including its end. */
export function canAddAt(document: JsonValue, steps: readonly string[]): boolean {
  const last = steps.at(-1)
  const parent = valueAt(document, steps.slice(0, -1))
  if (last === undefined || parent === undefined) return false
  if (!Array.isArray(parent)) return isJsonObject(parent)
  return last === END || (INDEX.test(last) && Number(last) <= parent.length)
}

/** A member of an object or list; undefined if there is none. */
export function memberOf(parent: JsonValue, step: string): JsonValue | undefined {
  if (Array.isArray(parent)) return INDEX.test(step) ? parent[Number(step)] : undefined
  return isJsonObject(parent) && Object.hasOwn(parent, step) ? parent[step] : undefined
}
