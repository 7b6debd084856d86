import type { Environment } from '@marcbachmann/cel-js'
import { spendSteps } from '../evaluation-budget.ts'

const CHARACTERS_PER_STEP = 100
const MAX_TEXT = 16 * 1024 * 1024

/** Registers charAt, replace, reverse and format of strings; the engine has the others. */
export function registerStrings(environment: Environment): void {
  environment
    .registerFunction('string.charAt(int): string', (text: string, index: bigint) => {
      if (index < 0n || index > BigInt(text.length)) throw new Error(`index out of range: ${index}`)
      return text.charAt(Number(index))
    })
    .registerFunction('string.reverse(): string', (text: string) => {
      return Array.from(text).toReversed().join('')
    })
    .registerFunction('string.replace(string, string): string', (text, from, to) => {
      return replaced(text, from, { to, limit: -1 })
    })
    .registerFunction('string.replace(string, string, int): string', (text, from, to, limit) => {
      return replaced(text, from, { to, limit: Number(limit) })
    })
    .registerFunction('string.format(list): string', format)
}

function replaced(
  text: string,
  from: string,
  { to, limit }: { readonly to: string; readonly limit: number },
): string {
  const parts = text.split(from)
  const count = limit < 0 ? parts.length - 1 : Math.min(limit, parts.length - 1)
  spendText(text.length + count * to.length)
  const head = parts.slice(0, count + 1).join(to)
  const rest = parts.slice(count + 1)
  return rest.length === 0 ? head : [head, ...rest].join(from)
}

/** Charges for a new text before it is created. */
function spendText(length: number): void {
  spendSteps(1 + Math.ceil(length / CHARACTERS_PER_STEP))
  if (length > MAX_TEXT) throw new Error(`the text has more than ${MAX_TEXT} characters`)
}

/** Supports the verbs s, d, f, e, b, o, x and X, and the precision of f and e. */
function format(template: string, values: readonly unknown[]): string {
  let index = 0
  let length = 0
  return template.replaceAll(
    /%(?:%|(?:\.(\d{1,2}))?([a-zA-Z]))/g,
    (whole, precision: string | undefined, verb: string | undefined) => {
      if (verb === undefined) return '%'
      if (index >= values.length) throw new Error(`index ${index} out of range`)
      const text = formatted(verb, values[index], precision === undefined ? 6 : Number(precision))
      index += 1
      length += text.length
      spendText(length)
      return text.length > 0 ? text : whole.slice(0, 0)
    },
  )
}

function formatted(verb: string, value: unknown, precision: number): string {
  switch (verb) {
    case 's':
      return textOf(value)
    case 'd':
      return typeof value === 'bigint' ? String(value) : textOf(value)
    case 'f':
      return Number(value).toFixed(precision)
    case 'e':
      return Number(value).toExponential(precision)
    case 'b':
      return integer(value).toString(2)
    case 'o':
      return integer(value).toString(8)
    case 'x':
      return integer(value).toString(16)
    case 'X':
      return integer(value).toString(16).toUpperCase()
    default:
      throw new Error(`unrecognized formatting clause: ${verb}`)
  }
}

function integer(value: unknown): bigint {
  if (typeof value === 'bigint') return value
  if (typeof value === 'boolean') return value ? 1n : 0n
  throw new Error('the formatting clause needs an integer')
}

/** The text of a value as `%s` shows it. */
function textOf(value: unknown): string {
  spendSteps(1)
  if (value === null) return 'null'
  if (Array.isArray(value)) return `[${value.map(textOf).join(', ')}]`
  if (value instanceof Map) {
    const members = [...value].map(([name, member]) => `${textOf(name)}: ${textOf(member)}`)
    return `{${members.toSorted().join(', ')}}`
  }
  if (value instanceof Date) return value.toISOString().replace('.000Z', 'Z')
  return typeof value === 'string' ? value : scalarText(value)
}

function scalarText(value: unknown): string {
  if (typeof value === 'bigint' || typeof value === 'number') return value.toString()
  if (typeof value === 'boolean') return value ? 'true' : 'false'
  throw new Error('the value has no text')
}
