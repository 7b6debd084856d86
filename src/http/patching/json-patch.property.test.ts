import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { proofSize } from '../../../test/support/proof-size.ts'
import { FlotillaError } from '../../lib/errors.ts'
import type { JsonObject, JsonValue } from '../../lib/json/json.ts'
import { applyJsonPatch } from './json-patch.ts'
import type { PatchOperation } from './patch-step.ts'

const LIMIT = 1_000_000

test('has the same result as a plain implementation of RFC 6902, or fails like it', () => {
  let applied = 0
  fc.assert(
    fc.property(DOCUMENT, fc.array(OPERATION, { maxLength: 3 }), (document, patch) => {
      const before = JSON.stringify(document)
      const expected = plainly(JSON.parse(before), patch)
      const found = resultOf(document, patch)
      if (!isDeepStrictEqual(found, expected)) expect(found).toEqual(expected)
      expect(JSON.stringify(document)).toBe(before)
      if (expected !== null && patch.length > 0) applied += 1
    }),
    { numRuns: proofSize(15_000) },
  )
  expect(applied).toBeGreaterThan(proofSize(500))
})

const KEYS = [
  'a',
  'b',
  '0',
  '1',
  '2',
  '-',
  '01',
  '',
  'length',
  'toString',
  '__proto__',
  'constructor',
]
const { json: JSON_VALUE } = fc.letrec<{ json: JsonValue }>((tie) => ({
  json: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom<JsonValue[]>(null, 0, 'ab'),
    fc.array(tie('json'), { maxLength: 3 }),
    fc
      .array(fc.tuple(fc.constantFrom(...KEYS), tie('json')), { maxLength: 4 })
      .map((members) => Object.fromEntries(members)),
  ),
}))
const DOCUMENT = fc
  .tuple(JSON_VALUE, JSON_VALUE)
  .map(([spec, labels]): JsonObject => ({ spec, labels }))
const POINTER = fc
  .tuple(fc.constantFrom('spec', 'labels'), fc.array(fc.constantFrom(...KEYS), { maxLength: 2 }))
  .map(([member, keys]) => ['', member, ...keys].join('/'))
const OPERATION = fc
  .record({
    op: fc.constantFrom<PatchOperation['op'][]>('add', 'remove', 'replace', 'move', 'copy', 'test'),
    path: POINTER,
    from: POINTER,
    value: JSON_VALUE,
  })
  // Moves of a value into itself were rejected before.
  .filter(({ op, path, from }) => op !== 'move' || !path.startsWith(`${from}/`))

function resultOf(document: JsonObject, patch: readonly PatchOperation[]): JsonValue {
  try {
    return applyJsonPatch(document, patch, { bodyLimit: LIMIT })
  } catch (error) {
    if (error instanceof FlotillaError && error.reason === 'state-conflict') return null
    throw error
  }
}

/** Applies RFC 6902 to nested maps and lists; null if an operation fails. */
function plainly(document: JsonObject, patch: readonly PatchOperation[]): JsonValue {
  let root: Tree = treeOf(document)
  for (const { op, path, from, value } of patch) {
    const [to, source] = [path.split('/').slice(1), (from ?? '').split('/').slice(1)]
    const there = at(root, to)
    const moved = at(root, source)
    if ((op === 'remove' || op === 'replace' || op === 'test') && there === undefined) return null
    if ((op === 'move' || op === 'copy') && moved === undefined) return null
    if (op === 'test' && !isDeepStrictEqual(there, treeOf(value ?? null))) return null
    if (op === 'test') continue
    if (op === 'remove' || op === 'replace') take(root, to)
    if (op === 'move') take(root, source)
    if (op === 'remove') continue
    const put = op === 'move' || op === 'copy' ? structuredClone(moved) : treeOf(value ?? null)
    if (put === undefined || !insert(root, to, put)) return null
  }
  return jsonOf(root)
}

type Tree = string | number | bigint | boolean | null | Tree[] | Map<string, Tree>

function treeOf(value: JsonValue): Tree {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(treeOf)
  return new Map(Object.entries(value).map(([key, member]) => [key, treeOf(member)]))
}

function jsonOf(tree: Tree): JsonValue {
  if (Array.isArray(tree)) return tree.map(jsonOf)
  if (!(tree instanceof Map)) return tree
  return Object.fromEntries([...tree].map(([key, member]) => [key, jsonOf(member)]))
}

const placeIn = (list: Tree[], key: string) =>
  list.findIndex((_item, index) => String(index) === key)

function at(tree: Tree, keys: readonly string[]): Tree | undefined {
  const [key, ...rest] = keys
  if (key === undefined) return tree
  let member: Tree | undefined
  if (Array.isArray(tree)) member = tree[placeIn(tree, key)]
  else if (tree instanceof Map) member = tree.get(key)
  return member === undefined ? undefined : at(member, rest)
}

function take(tree: Tree, keys: readonly string[]): void {
  const [parent, key] = [at(tree, keys.slice(0, -1)), keys.at(-1) ?? '']
  if (Array.isArray(parent)) parent.splice(placeIn(parent, key), 1)
  else if (parent instanceof Map) parent.delete(key)
}

function insert(tree: Tree, keys: readonly string[], value: Tree): boolean {
  const [parent, key] = [at(tree, keys.slice(0, -1)), keys.at(-1) ?? '']
  if (parent instanceof Map) return parent.set(key, value) !== null
  if (!Array.isArray(parent)) return false
  const end = key === '-' || key === String(parent.length)
  const place = end ? parent.length : placeIn(parent, key)
  if (place >= 0) parent.splice(place, 0, value)
  return place >= 0
}
