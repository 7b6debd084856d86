import type { JsonValue } from '../../lib/json/json.ts'
import type { Comparison, JsonPath, PathStep } from './json-path.ts'

const MAX_STEPS = 64

interface Parsed {
  readonly steps: JsonPath
  /** The position after the step. */
  readonly end: number
}

const FIELD = /\.((?:\\.|[^\\.,[\]$@{}\s])+)/y
const DESCENT = /\.\.(?=[[.\w*])/y
const KEY = /\['((?:\\.|[^'\\])*)'\]|\["((?:\\.|[^"\\])*)"\]/y
const INDEX = /\[\s*(-?[0-9]{1,9})\s*\]/y
const SLICE = /\[\s*(-?[0-9]{1,9})?\s*:\s*(-?[0-9]{1,9})?\s*\]/y
const WILDCARD = /\[\s*\*\s*\]/y
const FILTER =
  /\[\?\(\s*@?([^!<>=\s"'()]+)\s*(?:(==|!=|<=|>=|<|>)\s*("[^"]*"|'[^']*'|[^\s"'()]+)\s*)?\)\]/y

/**
 * Parses a path of a printer column, such as `.status.conditions[?(@.type=="Ready")].status`.
 * Returns null if the syntax is not supported.
 */
export function parseJsonPath(path: string): JsonPath | null {
  const start = path.startsWith('$') || path.startsWith('@') ? 1 : 0
  if (path.slice(start) === '.') return []
  const steps: PathStep[] = []
  let position = start
  while (position < path.length) {
    const parsed = parseStep(path, position)
    if (parsed === null || steps.length >= MAX_STEPS) return null
    steps.push(...parsed.steps)
    position = parsed.end
  }
  return steps
}

function parseStep(path: string, position: number): Parsed | null {
  return (
    parseDescent(path, position) ??
    parseField(path, position) ??
    parseBrackets(path, position) ??
    parseFilter(path, position)
  )
}

/** `..name` is a descent and a field. The field's dot is the second one. */
function parseDescent(path: string, position: number): Parsed | null {
  if (match(DESCENT, path, position) === null) return null
  const isBracket = path.charAt(position + 2) === '['
  return { steps: [{ type: 'descent' }], end: position + (isBracket ? 2 : 1) }
}

function parseField(path: string, position: number): Parsed | null {
  const found = match(FIELD, path, position)
  if (found === null) return null
  const name = found[1] ?? ''
  const step: PathStep =
    name === '*' ? { type: 'wildcard' } : { type: 'field', name: unescape(name) }
  return { steps: [step], end: position + found[0].length }
}

function parseBrackets(path: string, position: number): Parsed | null {
  const patterns: readonly [RegExp, (found: RegExpExecArray) => PathStep][] = [
    [KEY, ([, single, double]) => ({ type: 'field', name: unescape(single ?? double ?? '') })],
    [INDEX, ([, index]) => ({ type: 'index', index: Number(index) })],
    [SLICE, ([, start, end]) => ({ type: 'slice', start: bound(start), end: bound(end) })],
    [WILDCARD, () => ({ type: 'wildcard' })],
  ]
  for (const [pattern, stepOf] of patterns) {
    const found = match(pattern, path, position)
    if (found !== null) return { steps: [stepOf(found)], end: position + found[0].length }
  }
  return null
}

function parseFilter(path: string, position: number): Parsed | null {
  const found = match(FILTER, path, position)
  if (found === null) return null
  const [text, left = '', comparison, right] = found
  const operand = parseJsonPath(left)
  if (operand === null) return null
  const end = position + text.length
  if (!isComparison(comparison)) return { steps: [{ type: 'exists', path: operand }], end }
  const value = literal(right ?? '')
  return value === undefined
    ? null
    : { steps: [{ type: 'compare', path: operand, comparison, value }], end }
}

function match(pattern: RegExp, path: string, position: number): RegExpExecArray | null {
  pattern.lastIndex = position
  return pattern.exec(path)
}

function isComparison(text: string | undefined): text is Comparison {
  return text !== undefined && ['==', '!=', '<', '<=', '>', '>='].includes(text)
}

function literal(text: string): JsonValue | undefined {
  if (text.startsWith('"') || text.startsWith("'")) return text.slice(1, -1)
  if (text === 'true' || text === 'false') return text === 'true'
  return /^[+-]?[0-9]+(?:\.[0-9]+)?$/.test(text) ? Number(text) : undefined
}

const bound = (text: string | undefined) => (text === undefined ? null : Number(text))

const unescape = (name: string) => name.replaceAll(/\\(.)/gs, '$1')
