import { type Document, isScalar, LineCounter, parseDocument, visit } from 'yaml'
import { FlotillaError } from '../../lib/errors.ts'
import { type JsonValue } from '../../lib/json/json.ts'
import { badRequest } from '../errors/failures.ts'
import { exactInteger } from '../../lib/json/json-text.ts'

/** The parser needs up to a second for hostile text of this length. */
const MAX_LENGTH = 64 * 1024
/** Limits documents that repeat anchors. */
const MAX_NODES = 100_000
const MAX_DEPTH = 100
/** The most duplicate keys that are reported. */
const MAX_DUPLICATES = 100

/** A YAML body as JSON. */
export interface ParsedYaml {
  readonly value: JsonValue
  /** The keys that a map has twice, with their lines, as messages. */
  readonly duplicateKeys: readonly string[]
}

/** Parses a YAML body. Of duplicate keys, the last one counts. */
export function parseYaml(text: string): ParsedYaml {
  if (text.length > MAX_LENGTH) {
    throw new FlotillaError(
      'too-large',
      `YAML bodies may have at most ${MAX_LENGTH} characters; send JSON instead`,
    )
  }
  const lines = new LineCounter()
  const document = parseDocument(text, {
    schema: 'core',
    merge: true,
    intAsBigInt: true,
    uniqueKeys: false,
    stringKeys: true,
    // Pretty errors take quadratic time.
    prettyErrors: false,
    logLevel: 'error',
    lineCounter: lines,
  })
  const [error] = document.errors
  if (error !== undefined) {
    const line = text.slice(0, error.pos[0]).split('\n').length
    throw badRequest(`error converting YAML to JSON: yaml: line ${line}: ${firstLine(error)}`)
  }
  const value = toJson(
    readValue(() => document.toJS({ maxAliasCount: 100 })),
    { nodes: 0 },
    0,
  )
  return { value, duplicateKeys: duplicateKeysOf(document, lines) }
}

function duplicateKeysOf(document: Document, lines: LineCounter): readonly string[] {
  const messages: string[] = []
  visit(document, {
    Map: (_key, map) => {
      const names = new Set<unknown>()
      for (const { key } of map.items) {
        if (!isScalar(key) || messages.length === MAX_DUPLICATES) continue
        const { line } = lines.linePos(key.range?.[0] ?? 0)
        const name = JSON.stringify(key.value)
        if (names.has(key.value)) messages.push(`line ${line}: key ${name} already set in map`)
        names.add(key.value)
      }
    },
  })
  return messages
}

/** Whether the text of a YAML body is JSON, as most clients send it. */
export function isJsonText(text: string): boolean {
  if (!/^\s*[{[]/.test(text)) return false
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

function readValue(read: () => unknown): unknown {
  try {
    return read()
  } catch (error) {
    throw badRequest(`error converting YAML to JSON: ${firstLine(error)}`)
  }
}

/** A copy with JSON values only. Shared nodes of aliases become separate ones. */
function toJson(value: unknown, count: { nodes: number }, depth: number): JsonValue {
  count.nodes += 1
  if (count.nodes > MAX_NODES || depth > MAX_DEPTH) {
    throw badRequest('error converting YAML to JSON: the document is too complex')
  }
  if (value === null || typeof value === 'boolean' || typeof value === 'string') return value
  if (typeof value === 'bigint') return exactInteger(value)
  if (typeof value === 'number' && Number.isFinite(value)) return value
  if (Array.isArray(value)) return value.map((item: unknown) => toJson(item, count, depth + 1))
  if (typeof value !== 'object') {
    throw badRequest('error converting YAML to JSON: a number is out of range')
  }
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [key, toJson(member, count, depth + 1)]),
  )
}

function firstLine(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error)
  return message.split('\n')[0] ?? ''
}
