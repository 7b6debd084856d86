import type { Steps } from '../async/steps.ts'
import { isJsonObject, type JsonObject, type JsonValue } from './json.ts'

/** Shorter texts are parsed in one step. */
const MIN_LENGTH = 1_048_576
/** The characters of a step. */
const STEP_LENGTH = 65_536

/** The offsets of an item in an array that is a member of the object. */
interface Span {
  readonly start: number
  readonly end: number
}

/**
 * Parses a long JSON object item by item: the items of the arrays that are its members. Null if the
 * text is short, or if it is not such an object: `JSON.parse` says why.
 */
export function* parseItemsInSteps(
  text: string,
  { minLength = MIN_LENGTH } = {},
): Steps<JsonObject | null> {
  if (text.length < minLength) return null
  const spans = yield* findItems(text)
  const items: JsonValue[] = []
  // The text with the index of each item in its place.
  const pieces: string[] = []
  let copied = 0
  let stepEnd = 0
  try {
    for (const { start, end } of spans) {
      if (end > stepEnd) {
        yield
        stepEnd = end + STEP_LENGTH
      }
      pieces.push(text.slice(copied, start), String(items.length))
      items.push(JSON.parse(text.slice(start, end)))
      copied = end
    }
    const whole: JsonValue = JSON.parse(pieces.join('') + text.slice(copied))
    return isJsonObject(whole) ? withItems(whole, items) : null
  } catch {
    return null
  }
}

/** The object with its items in the place of their indexes. */
function withItems(whole: JsonObject, items: readonly JsonValue[]): JsonObject {
  for (const value of Object.values(whole)) {
    if (!Array.isArray(value)) continue
    for (const [at, index] of value.entries()) value[at] = items[Number(index)] ?? null
  }
  return whole
}

/** Finds the items by brackets and commas. In text that is no JSON, the items are none either. */
function* findItems(text: string): Steps<readonly Span[]> {
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
        inArray = false
      }
      depth -= 1
    } else if (character === 0x2c && depth === 2 && inArray) {
      spans.push({ start, end: at })
      start = at + 1
    }
    if (at < stepEnd) continue
    stepEnd = at + MIN_LENGTH
    yield
  }
  return spans
}
