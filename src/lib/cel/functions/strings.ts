import { CelError } from '../cel-error.ts'
import { type Spend, STEPS_PER_ITEM } from '../values/compare-values.ts'
import type { CelValue } from '../values/value.ts'
import { intAt, listAt, noOverload, textAt } from './arguments.ts'
import { formatText } from './format-text.ts'
import {
  type Declarations,
  ITEMS_PER_PART,
  type Parts,
  type PartsOf,
  type Run,
} from './function.ts'
import { characterCount, isHigh, isLow, isPair } from './code-points.ts'
import { spendSearch, spendText, spentText } from './text-limit.ts'

/** A function of the receiver, charged by its length. */
function onText(run: (text: string, args: readonly CelValue[]) => CelValue): Run {
  return (args, spend) => run(spentText(args, 0, spend), args)
}

/** A search for the argument in the receiver. */
function onSearch(run: (text: string, args: readonly CelValue[]) => CelValue): Run {
  return (args, spend) => {
    const text = spentText(args, 0, spend)
    spendSearch(text, textAt(args, 1), spend)
    return run(text, args)
  }
}

/** Functions of texts. Positions count code points. */
export const STRINGS: Declarations = [
  ['string#startsWith(string): bool', onText((text, args) => text.startsWith(textAt(args, 1)))],
  ['string#endsWith(string): bool', onText((text, args) => text.endsWith(textAt(args, 1)))],
  ['string#contains(string): bool', onSearch((text, args) => text.includes(textAt(args, 1)))],
  ['string#charAt(int): string', onText(charAt)],
  ['string#indexOf(string): int', onSearch((text, args) => indexOf(text, textAt(args, 1), 0n))],
  [
    'string#indexOf(string, int): int',
    onSearch((text, args) => indexOf(text, textAt(args, 1), intAt(args, 2))),
  ],
  ['string#lastIndexOf(string): int', onSearch((text, args) => lastIndexOf(text, textAt(args, 1)))],
  [
    'string#lastIndexOf(string, int): int',
    onSearch((text, args) => lastIndexOf(text, textAt(args, 1), intAt(args, 2))),
  ],
  ['string#lowerAscii(): string', onText((text) => withCase(text, UPPER_A, 32))],
  ['string#upperAscii(): string', onText((text) => withCase(text, LOWER_A, -32))],
  ['string#trim(): string', onText(trimmed)],
  ['string#reverse(): string', onText(reversed)],
  ['string#substring(int): string', onText((text, args) => substring(text, intAt(args, 1)))],
  [
    'string#substring(int, int): string',
    onText((text, args) => substring(text, intAt(args, 1), intAt(args, 2))),
  ],
  [
    'string#replace(string, string): string',
    { parts: (args, spend) => replaced(args, -1n, spend) },
  ],
  [
    'string#replace(string, string, int): string',
    { parts: (args, spend) => replaced(args, intAt(args, 3), spend) },
  ],
  ['string#split(string): list<string>', { parts: (args, spend) => splitText(args, -1n, spend) }],
  [
    'string#split(string, int): list<string>',
    { parts: (args, spend) => splitText(args, intAt(args, 2), spend) },
  ],
  ['list<string>#join(): string', { parts: (args, spend) => joined(listAt(args, 0), '', spend) }],
  [
    'list<string>#join(string): string',
    { parts: (args, spend) => joined(listAt(args, 0), textAt(args, 1), spend) },
  ],
  [
    'string#format(list<dyn>): string',
    { parts: (args, spend) => formatText(textAt(args, 0), listAt(args, 1), spend) },
  ],
  ['strings.quote(string): string', { parts: quoted }],
]

const UPPER_A = 65
const LOWER_A = 97
const LETTERS = 26

/** Moves the 26 letters from a first one on. */
function withCase(text: string, first: number, distance: number): string {
  return withUnits(text, (units) => {
    for (let index = 0; index < units.length; index += 1) {
      const unit = units[index] ?? 0
      if (unit >= first && unit < first + LETTERS) units[index] = unit + distance
    }
  })
}

/** The text with changed UTF-16 units. */
function withUnits(text: string, change: (units: Uint16Array) => void): string {
  const bytes = Buffer.from(text, 'utf16le')
  change(new Uint16Array(bytes.buffer, bytes.byteOffset, text.length))
  return bytes.toString('utf16le')
}

function reversed(text: string): string {
  return withUnits(text, (units) => {
    units.reverse()
    for (let index = 1; index < units.length; index += 1) {
      const low = units[index - 1] ?? 0
      const high = units[index] ?? 0
      if (!isLow(low) || !isHigh(high)) continue
      units[index - 1] = high
      units[index] = low
    }
  })
}

/** The characters with Unicode's property `White_Space`. */
const SPACES: ReadonlySet<string> = new Set(
  '\t\n\v\f\r \u0085\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009' +
    '\u200a\u2028\u2029\u202f\u205f\u3000',
)

/** Removes spaces as Go does; `trim()` removes U+FEFF, too. */
function trimmed(text: string): string {
  let [start, end] = [0, text.length]
  while (start < end && SPACES.has(text.charAt(start))) start += 1
  while (end > start && SPACES.has(text.charAt(end - 1))) end -= 1
  return text.slice(start, end)
}

function outOfRange(index: bigint): CelError {
  return new CelError(`index out of range: ${index}`)
}

/** The position in UTF-16 units of a code point. */
function unitsBefore(text: string, codePoints: bigint): number {
  if (codePoints < 0n || codePoints > BigInt(text.length)) throw outOfRange(codePoints)
  let units = 0
  for (let left = Number(codePoints); left > 0; left -= 1) {
    if (units >= text.length) throw outOfRange(codePoints)
    units += isPair(text, units) ? 2 : 1
  }
  return units
}

function charAt(text: string, args: readonly CelValue[]): string {
  const start = unitsBefore(text, intAt(args, 1))
  return text.slice(start, start + (isPair(text, start) ? 2 : 1))
}

function indexOf(text: string, part: string, from: bigint): bigint {
  const found = text.indexOf(part, unitsBefore(text, from))
  return found < 0 ? -1n : characterCount(text, found)
}

function lastIndexOf(text: string, part: string, from?: bigint): bigint {
  const start = from === undefined ? text.length : unitsBefore(text, from)
  if (from !== undefined && part !== '' && start === text.length) return -1n
  const found = text.lastIndexOf(part, start)
  return found < 0 ? -1n : characterCount(text, found)
}

function substring(text: string, from: bigint, to?: bigint): string {
  const start = unitsBefore(text, from)
  const end = to === undefined ? text.length : unitsBefore(text, to)
  if (start > end) throw new CelError(`invalid substring range. start: ${from}, end: ${to}`)
  return text.slice(start, end)
}

function* replaced(args: readonly CelValue[], limit: bigint, spend: Spend): Parts {
  const [text, from, to] = [textAt(args, 0), textAt(args, 1), textAt(args, 2)]
  spendText(text.length, spend)
  spendSearch(text, from, spend)
  const most = limit < 0n ? Infinity : Number(limit) + 1
  const parts = from === '' ? yield* gaps(text, most) : yield* pieces(text, from, most)
  spendText(text.length + (parts.length - 1) * to.length, spend)
  return yield* joinedTexts(parts, to)
}

function* splitText(args: readonly CelValue[], limit: bigint, spend: Spend): Parts {
  const [text, separator] = [textAt(args, 0), textAt(args, 1)]
  spendText(text.length, spend)
  spendSearch(text, separator, spend)
  if (limit === 0n) return []
  const most = limit < 0n ? Infinity : Number(limit)
  return separator === '' ? yield* characters(text, most) : yield* pieces(text, separator, most)
}

/** Splits into at most `limit` parts; the last one is the rest. */
function* pieces(text: string, separator: string, limit: number): PartsOf<string[]> {
  const parts: string[] = []
  let start = 0
  while (parts.length < limit - 1) {
    const end = text.indexOf(separator, start)
    if (end < 0) break
    parts.push(text.slice(start, end))
    start = end + separator.length
    if (parts.length % ITEMS_PER_PART === 0) yield ITEMS_PER_PART
  }
  parts.push(text.slice(start))
  return parts
}

/** Splits into code points, at most `limit` parts; the last one is the rest. */
function* characters(text: string, limit: number): PartsOf<string[]> {
  const parts: string[] = []
  let start = 0
  while (start < text.length && parts.length < limit - 1) {
    const end = start + (isPair(text, start) ? 2 : 1)
    parts.push(text.slice(start, end))
    start = end
    if (parts.length % ITEMS_PER_PART === 0) yield ITEMS_PER_PART
  }
  if (start < text.length) parts.push(text.slice(start))
  return parts
}

/** Splits around each code point, at most `limit` parts. */
function* gaps(text: string, limit: number): PartsOf<readonly string[]> {
  if (limit === 1) return [text]
  const parts = yield* characters(text, limit - 1)
  parts.unshift('')
  if (parts.length < limit) parts.push('')
  return parts
}

function* joined(list: readonly CelValue[], separator: string, spend: Spend): Parts {
  const texts: string[] = []
  let length = 0
  for (const item of list) {
    if (texts.length % ITEMS_PER_PART === 0) {
      const items = Math.min(ITEMS_PER_PART, list.length - texts.length)
      spend(items * STEPS_PER_ITEM)
      yield items
    }
    if (typeof item !== 'string') throw noOverload()
    texts.push(item)
    length += item.length + separator.length
  }
  spendText(length, spend)
  return yield* joinedTexts(texts, separator)
}

function* joinedTexts(texts: readonly string[], separator: string): PartsOf<string> {
  const parts: string[] = []
  for (let start = 0; start < texts.length; start += ITEMS_PER_PART) {
    const part = texts.slice(start, start + ITEMS_PER_PART)
    parts.push(part.join(separator))
    yield part.length
  }
  return parts.join(separator)
}

const ESCAPED: ReadonlyMap<string, string> = new Map([
  ['\\', '\\\\'],
  ['\u0007', '\\a'],
  ['\b', '\\b'],
  ['\f', '\\f'],
  ['\n', '\\n'],
  ['\r', '\\r'],
  ['\t', '\\t'],
  ['\v', '\\v'],
  ['"', '\\"'],
])
const TO_ESCAPE = /[\\"\p{Cc}]/gu
const UNITS_PER_PART = 10_000

function* quoted(args: readonly CelValue[], spend: Spend): Parts {
  const text = spentText(args, 0, spend)
  const wellFormed = Buffer.from(text).toString()
  const parts: string[] = []
  for (let start = 0; start < wellFormed.length; start += UNITS_PER_PART) {
    const part = wellFormed.slice(start, start + UNITS_PER_PART)
    parts.push(part.replace(TO_ESCAPE, (character) => ESCAPED.get(character) ?? character))
    yield part.length
  }
  return `"${parts.join('')}"`
}
