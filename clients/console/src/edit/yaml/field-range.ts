import { type Document, isMap, isNode, isScalar, isSeq, type Node, type Pair } from 'yaml'
import type { TextRange } from './text-range.ts'

/** The place of a field, or of its nearest ancestor if the text does not contain the field. */
export interface FieldPlace extends TextRange {
  readonly isFound: boolean
}

interface Match {
  readonly place: TextRange
  /** The part of the path that the text does not contain. */
  readonly rest: string
}

/**
 * Finds the field that an error of the server names, such as `spec.zones[0]`. Keys can contain dots,
 * and the server writes numeric keys in brackets, so the search follows the keys of the text.
 */
export function fieldRange(document: Document, field: string): FieldPlace {
  const root = document.contents
  if (!isNode(root)) return { from: 0, to: 0, isFound: field === '' }
  const { place, rest } = descend(root, field, firstKey(root) ?? rangeOf(root))
  return { ...place, isFound: rest === '' }
}

function descend(node: Node, rest: string, place: TextRange): Match {
  const here = { place, rest }
  if (rest === '') return here
  const matches = isMap(node)
    ? node.items.flatMap((pair) => inPair(pair, rest))
    : isSeq(node)
      ? node.items.flatMap((item, index) => inItem(item, index, rest))
      : []
  return matches.reduce(
    (best, match) => (match.rest.length < best.rest.length ? match : best),
    here,
  )
}

function inPair(pair: Pair, rest: string): Match[] {
  const { key, value } = pair
  if (!isScalar(key)) return []
  const name = String(key.value)
  const after = withoutPrefix(rest, name) ?? withoutPrefix(rest, `[${name}]`)
  if (after === null) return []
  const place = rangeOf(key)
  if (!isNode(value)) return [{ place, rest: after }]
  return [descend(value, after, isScalar(value) && after === '' ? spanOf(value, place) : place)]
}

function inItem(item: unknown, index: number, rest: string): Match[] {
  const after = withoutPrefix(rest, `[${index}]`)
  if (after === null || !isNode(item)) return []
  return [descend(item, after, firstKey(item) ?? rangeOf(item))]
}

/** The text after a segment and its separator; null if the text starts with another segment. */
function withoutPrefix(text: string, prefix: string): string | null {
  if (prefix === '' || !text.startsWith(prefix)) return null
  const after = text.slice(prefix.length)
  if (after.startsWith('.')) return after.slice(1)
  return after === '' || after.startsWith('[') ? after : null
}

/** A map or list spans many lines: its first key represents it. */
function firstKey(node: Node): TextRange | null {
  const key = isMap(node) ? node.items[0]?.key : undefined
  return isNode(key) ? rangeOf(key) : null
}

function spanOf(value: Node, fallback: TextRange): TextRange {
  const range = rangeOf(value)
  return range.to > range.from ? range : fallback
}

function rangeOf(node: Node): TextRange {
  const [from = 0, to = 0] = node.range ?? []
  return { from, to }
}
