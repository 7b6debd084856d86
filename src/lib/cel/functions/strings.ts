import { CelError } from '../cel-error.ts'
import type { Spend } from '../values/compare-values.ts'
import type { CelValue } from '../values/value.ts'
import { intAt, listAt, noOverload, textAt } from './arguments.ts'
import { formatText } from './format-text.ts'
import type { Declarations, Run } from './function.ts'
import { characterCount, isHigh, isLow } from './code-points.ts'
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
  ['string#replace(string, string): string', (args, spend) => replaced(args, -1n, spend)],
  [
    'string#replace(string, string, int): string',
    (args, spend) => replaced(args, intAt(args, 3), spend),
  ],
  ['string#split(string): list<string>', (args, spend) => splitText(args, -1n, spend)],
  [
    'string#split(string, int): list<string>',
    (args, spend) => splitText(args, intAt(args, 2), spend),
  ],
  ['list<string>#join(): string', (args, spend) => joined(listAt(args, 0), '', spend)],
  [
    'list<string>#join(string): string',
    (args, spend) => joined(listAt(args, 0), textAt(args, 1), spend),
  ],
  [
    'string#format(list<dyn>): string',
    (args, spend) => formatText(textAt(args, 0), listAt(args, 1), spend),
  ],
  ['strings.quote(string): string', onText(quoted)],
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
  const units = new Uint16Array(text.length)
  for (let index = 0; index < text.length; index += 1) units[index] = text.charCodeAt(index)
  change(units)
  return Buffer.from(units.buffer).toString('utf16le')
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

const SPACE = /\p{White_Space}/u

/**
 * Removes the characters with Unicode's property `White_Space`, as Go does; `trim()` removes U+FEFF,
 * too. A pattern for the end would take quadratic time.
 */
function trimmed(text: string): string {
  let [start, end] = [0, text.length]
  while (start < end && SPACE.test(text.charAt(start))) start += 1
  while (end > start && SPACE.test(text.charAt(end - 1))) end -= 1
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

function isPair(text: string, index: number): boolean {
  return isHigh(text.charCodeAt(index)) && isLow(text.charCodeAt(index + 1))
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

function replaced(args: readonly CelValue[], limit: bigint, spend: Spend): string {
  const [text, from, to] = [textAt(args, 0), textAt(args, 1), textAt(args, 2)]
  spendText(text.length, spend)
  spendSearch(text, from, spend)
  const parts = splitAt(text, from, limit < 0n ? Infinity : Number(limit) + 1)
  spendText(text.length + (parts.length - 1) * to.length, spend)
  return parts.join(to)
}

/** Splits into at most `limit` parts. An empty separator is found around each code point. */
function splitAt(text: string, separator: string, limit: number): readonly string[] {
  if (separator === '') {
    const parts = Array.from(text)
    parts.unshift('')
    parts.push('')
    return parts.length <= limit
      ? parts
      : [...parts.slice(0, limit - 1), parts.slice(limit - 1).join('')]
  }
  const parts = text.split(separator)
  if (parts.length <= limit) return parts
  return [...parts.slice(0, limit - 1), parts.slice(limit - 1).join(separator)]
}

function splitText(args: readonly CelValue[], limit: bigint, spend: Spend): CelValue {
  const [text, separator] = [textAt(args, 0), textAt(args, 1)]
  spendText(text.length, spend)
  spendSearch(text, separator, spend)
  if (limit === 0n) return []
  const most = limit < 0n ? Infinity : Number(limit)
  if (separator !== '') return splitAt(text, separator, most)
  const characters = Array.from(text)
  if (characters.length <= most) return characters
  return [...characters.slice(0, most - 1), characters.slice(most - 1).join('')]
}

function joined(list: readonly CelValue[], separator: string, spend: Spend): string {
  let length = 0
  const texts = list.map((item) => {
    if (typeof item !== 'string') throw noOverload()
    length += item.length + separator.length
    return item
  })
  spendText(length, spend)
  return texts.join(separator)
}

/** The backslash comes first, because the others are shown with one. */
const QUOTED: ReadonlyMap<string, string> = new Map([
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

function quoted(text: string): string {
  const wellFormed = Buffer.from(text).toString()
  const escaped = [...QUOTED].reduce(
    (result, [character, shown]) => result.replaceAll(character, () => shown),
    wellFormed,
  )
  return `"${escaped}"`
}
