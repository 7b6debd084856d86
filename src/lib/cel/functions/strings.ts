import { CelError } from '../cel-error.ts'
import { type Spend, STEPS_PER_ITEM } from '../values/compare-values.ts'
import type { CelValue } from '../values/value.ts'
import { intAt, listAt, noOverload, textAt } from './arguments.ts'
import { formatText } from './format-text.ts'
import type { Declarations, Run } from './function.ts'
import { spendText } from './text-limit.ts'

/** A function of the receiver, charged by its length. */
function onText(run: (text: string, args: readonly CelValue[]) => CelValue): Run {
  return (args, spend) => {
    const text = textAt(args, 0)
    spendText(text.length, spend)
    return run(text, args)
  }
}

/** Functions of texts. Positions count code points. */
export const STRINGS: Declarations = [
  ['string#startsWith(string): bool', onText((text, args) => text.startsWith(textAt(args, 1)))],
  ['string#endsWith(string): bool', onText((text, args) => text.endsWith(textAt(args, 1)))],
  ['string#contains(string): bool', contains],
  ['string#charAt(int): string', onText(charAt)],
  ['string#indexOf(string): int', onText((text, args) => indexOf(text, textAt(args, 1), 0n))],
  [
    'string#indexOf(string, int): int',
    onText((text, args) => indexOf(text, textAt(args, 1), intAt(args, 2))),
  ],
  ['string#lastIndexOf(string): int', onText((text, args) => lastIndexOf(text, textAt(args, 1)))],
  [
    'string#lastIndexOf(string, int): int',
    onText((text, args) => lastIndexOf(text, textAt(args, 1), intAt(args, 2))),
  ],
  ['string#lowerAscii(): string', onText((text) => text.replaceAll(/[A-Z]+/g, lowered))],
  ['string#upperAscii(): string', onText((text) => text.replaceAll(/[a-z]+/g, raised))],
  ['string#trim(): string', onText(trimmed)],
  ['string#reverse(): string', onText((text) => Array.from(text).toReversed().join(''))],
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

function lowered(text: string): string {
  return text.toLowerCase()
}

function raised(text: string): string {
  return text.toUpperCase()
}

/** Removes the characters with Unicode's property `White_Space`, as Go does; `trim()` removes U+FEFF, too. */
function trimmed(text: string): string {
  return text.replaceAll(/^\p{White_Space}+|\p{White_Space}+$/gu, '')
}

function contains(args: readonly CelValue[], spend: Spend): boolean {
  const [text, part] = [textAt(args, 0), textAt(args, 1)]
  spend(
    Math.ceil(text.length * STEPS_PER_ITEM) * Math.max(1, Math.ceil(part.length * STEPS_PER_ITEM)),
  )
  return text.includes(part)
}

/** Texts without surrogates, most of all, need no list of code points. */
function charactersOf(text: string): string | readonly string[] {
  return /[\uD800-\uDFFF]/.test(text) ? Array.from(text) : text
}

function partOf(characters: string | readonly string[], from: number, to: number): string {
  return typeof characters === 'string'
    ? characters.slice(from, to)
    : characters.slice(from, to).join('')
}

function outOfRange(index: bigint): CelError {
  return new CelError(`index out of range: ${index}`)
}

function charAt(text: string, args: readonly CelValue[]): string {
  const characters = charactersOf(text)
  const index = intAt(args, 1)
  if (index < 0n || index > BigInt(characters.length)) throw outOfRange(index)
  return characters[Number(index)] ?? ''
}

function indexOf(text: string, part: string, from: bigint): bigint {
  const characters = charactersOf(text)
  if (from < 0n || from > BigInt(characters.length)) throw outOfRange(from)
  const start = partOf(characters, 0, Number(from)).length
  const found = text.indexOf(part, start)
  return found < 0 ? -1n : BigInt(Array.from(text.slice(0, found)).length)
}

function lastIndexOf(text: string, part: string, from?: bigint): bigint {
  const characters = charactersOf(text)
  if (from !== undefined && (from < 0n || from > BigInt(characters.length))) throw outOfRange(from)
  if (from !== undefined && part !== '' && from === BigInt(characters.length)) return -1n
  const start = from === undefined ? text.length : partOf(characters, 0, Number(from)).length
  const found = text.lastIndexOf(part, start)
  return found < 0 ? -1n : BigInt(Array.from(text.slice(0, found)).length)
}

function substring(text: string, from: bigint, to?: bigint): string {
  const characters = charactersOf(text)
  const length = BigInt(characters.length)
  const end = to ?? length
  if (from < 0n || from > length) throw outOfRange(from)
  if (end < 0n || end > length) throw outOfRange(end)
  if (from > end) throw new CelError(`invalid substring range. start: ${from}, end: ${end}`)
  return partOf(characters, Number(from), Number(end))
}

function replaced(args: readonly CelValue[], limit: bigint, spend: Spend): string {
  const [text, from, to] = [textAt(args, 0), textAt(args, 1), textAt(args, 2)]
  spendText(2 * text.length, spend)
  const parts = splitAt(text, from, limit < 0n ? Infinity : Number(limit) + 1)
  spendText(text.length + (parts.length - 1) * to.length, spend)
  return parts.join(to)
}

/** Splits into at most `limit` parts. An empty separator is found around each code point. */
function splitAt(text: string, separator: string, limit: number): readonly string[] {
  if (separator === '') {
    const parts = ['', ...Array.from(text), '']
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
  spendText(2 * text.length, spend)
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

const QUOTED: ReadonlyMap<string, string> = new Map([
  ['\u0007', '\\a'],
  ['\b', '\\b'],
  ['\f', '\\f'],
  ['\n', '\\n'],
  ['\r', '\\r'],
  ['\t', '\\t'],
  ['\v', '\\v'],
  ['\\', '\\\\'],
  ['"', '\\"'],
])

function quoted(text: string): string {
  const wellFormed = Buffer.from(text).toString()
  const escaped = Array.from(wellFormed, (character) => QUOTED.get(character) ?? character)
  return `"${escaped.join('')}"`
}
