import type { Steps } from '../async/steps.ts'
import { isJsonObject, type JsonObject, type JsonValue } from './json.ts'

/** Shorter texts are parsed in one step. */
const MIN_LENGTH = 1_048_576
/** The characters of a step. Small items are parsed together: each piece of text takes memory. */
const STEP_LENGTH = 65_536
/** Texts with more arrays are parsed in one step too. */
const MAX_SPANS = 10_000

/** The offsets of adjacent items in an array that is a member of the object. */
interface Span {
  readonly start: number
  readonly end: number
}

/**
 * Parses a long JSON object in steps: each takes some items of an array that is its member. Null if
 * the text is short, or if it is not such an object: `JSON.parse` says why.
 */
export function* parseItemsInSteps(
  text: string,
  { minLength = MIN_LENGTH, stepLength = STEP_LENGTH } = {},
): Steps<JsonObject | null> {
  if (text.length < minLength) return null
  const spans = yield* findItems(text, stepLength)
  if (spans === null) return null
  const groups: (readonly JsonValue[])[] = []
  // The text with the index of each group of items in its place.
  const pieces: string[] = []
  let copied = 0
  try {
    for (const { start, end } of spans) {
      yield
      const items: readonly JsonValue[] = JSON.parse(`[${text.slice(start, end)}]`)
      if (items.length === 0) return null
      pieces.push(text.slice(copied, start), String(groups.length))
      groups.push(items)
      copied = end
    }
    const whole: JsonValue = JSON.parse(pieces.join('') + text.slice(copied))
    return isJsonObject(whole) ? withItems(whole, groups) : null
  } catch {
    return null
  }
}

/** The object with its items in the place of the indexes of their groups. */
function withItems(whole: JsonObject, groups: readonly (readonly JsonValue[])[]): JsonObject {
  for (const value of Object.values(whole)) {
    if (!Array.isArray(value)) continue
    for (const index of value.splice(0)) {
      for (const item of groups[Number(index)] ?? []) value.push(item)
    }
  }
  return whole
}

/**
 * Finds groups of items by brackets and commas; null for too many. In text that is no JSON, they are
 * no items either.
 */
function* findItems(text: string, stepLength: number): Steps<readonly Span[] | null> {
  const spans: Span[] = []
  let depth = 0
  let inArray = false
  let inString = false
  let start = 0
  let stepEnd = MIN_LENGTH
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charCodeAt(at)
    if (character === 0x22) inString = !inString
    else if (inString) {
      if (character === 0x5c) at += 1
    } else if (character === 0x7b || character === 0x5b) {
      depth += 1
      if (depth === 2 && character === 0x5b) [inArray, start] = [true, at + 1]
    } else if (character === 0x7d || character === 0x5d) {
      if (depth === 2 && inArray) {
        // An empty array has no item.
        if (text.slice(start, at).trim() !== '') spans.push({ start, end: at })
        if (spans.length > MAX_SPANS) return null
        inArray = false
      }
      depth -= 1
    } else if (character === 0x2c && depth === 2 && inArray && at - start >= stepLength) {
      spans.push({ start, end: at })
      start = at + 1
    }
    if (at < stepEnd) continue
    stepEnd = at + MIN_LENGTH
    yield
  }
  return spans
}
