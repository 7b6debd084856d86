import { type CelValue, CelUint } from '../values/value.ts'
import type { Token } from './tokens.ts'

const MAX_INT = 2n ** 63n - 1n
const MAX_UINT = 2n ** 64n - 1n

const ESCAPES: ReadonlyMap<string, number> = new Map([
  ['a', 7],
  ['b', 8],
  ['f', 12],
  ['n', 10],
  ['r', 13],
  ['t', 9],
  ['v', 11],
  ['\\', 92],
  ["'", 39],
  ['"', 34],
  ['`', 96],
  ['?', 63],
])

/** The value of a literal, or the problem. */
export function literalValue(
  { kind, text }: Token,
  isNegative: boolean,
): { readonly value: CelValue } | { readonly problem: string } {
  switch (kind) {
    case 'int': {
      const value = isNegative ? -BigInt(text) : BigInt(text)
      return value > MAX_INT || value < -MAX_INT - 1n
        ? { problem: 'invalid int literal' }
        : { value }
    }
    case 'uint': {
      const value = BigInt(text.slice(0, -1))
      return value > MAX_UINT ? { problem: 'invalid uint literal' } : { value: new CelUint(value) }
    }
    case 'double': {
      const value = Number(text)
      if (!Number.isFinite(value)) return { problem: 'invalid double literal' }
      return { value: isNegative ? -value : value }
    }
    default:
      return textValue(text)
  }
}

function textValue(text: string): { readonly value: CelValue } | { readonly problem: string } {
  const prefix = (/^[a-zA-Z]*/.exec(text)?.[0] ?? '').toLowerCase()
  const quoted = text.slice(prefix.length)
  const size = /^(?:"""|''')/.test(quoted) ? 3 : 1
  const body = quoted.slice(size, quoted.length - size).replaceAll('\r\n', '\n')
  const isBytes = prefix.includes('b')
  if (prefix.includes('r')) return { value: isBytes ? Buffer.from(body) : body }
  return isBytes ? unescapedBytes(body) : unescapedText(body)
}

const ESCAPE =
  /\\(?:([abfnrtv\\'"`?])|[xX]([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|([0-3][0-7]{2})|([^]))/g

function unescapedText(body: string): { readonly value: string } | { readonly problem: string } {
  let problem = ''
  const value = body.replaceAll(ESCAPE, (...groups: (string | undefined)[]) => {
    const [whole = '', simple, hex, short, long, octal] = groups
    const code = codeOf(simple, hex ?? short ?? long, octal)
    if (code === null || code > 0x10ffff || (code >= 0xd800 && code < 0xe000)) {
      problem = `invalid escape sequence: ${whole}`
      return ''
    }
    return String.fromCodePoint(code)
  })
  return problem === '' ? { value } : { problem }
}

function unescapedBytes(
  body: string,
): { readonly value: Uint8Array } | { readonly problem: string } {
  const parts: Buffer[] = []
  let from = 0
  for (const match of body.matchAll(ESCAPE)) {
    const [whole, simple, hex, short, long, octal] = match
    const code = codeOf(simple, hex, octal)
    if (code === null || short !== undefined || long !== undefined) {
      return { problem: `invalid escape sequence: ${whole}` }
    }
    parts.push(Buffer.from(body.slice(from, match.index)), Buffer.from([code]))
    from = match.index + whole.length
  }
  return { value: Buffer.concat([...parts, Buffer.from(body.slice(from))]) }
}

function codeOf(
  simple: string | undefined,
  hex: string | undefined,
  octal: string | undefined,
): number | null {
  if (simple !== undefined) return ESCAPES.get(simple) ?? null
  if (hex !== undefined) return Number.parseInt(hex, 16)
  return octal === undefined ? null : Number.parseInt(octal, 8)
}
