import { expect, test } from 'vitest'
import { defineKind, type Kind } from '../src/core/registry/kind.ts'
import { createRegistry, RegistryError } from '../src/core/registry/registry.ts'
import { kinds } from '../src/kinds/index.ts'
import { startTestServer } from './test-server.ts'

const GOOD = {
  kind: 'Thing',
  plural: 'things',
  singular: 'thing',
  parent: null,
  name: { minLength: 3, maxLength: 53 },
  spec: new URL('../src/kinds/cluster/spec.yaml', import.meta.url),
  requiredAdapters: ['a'],
  searchFields: [],
  messages: { available: '', ready: '' },
} as const satisfies Kind

function problemsOf(declared: readonly Kind[], { schemas = true } = {}): readonly string[] {
  const specSchemas = new Map(
    schemas ? declared.map(({ kind }) => [kind, { type: 'object' }] as const) : [],
  )
  try {
    createRegistry({ kinds: declared, specSchemas, requiredAdapters: new Map() })
    return []
  } catch (error) {
    if (!(error instanceof RegistryError)) throw error
    for (const problem of error.problems) expect(error.message).toContain(problem)
    return error.problems
  }
}

test('takes the kinds that are served', () => {
  expect(problemsOf(kinds)).toEqual([])
})

test.each<[string, Partial<Kind>, string]>([
  ['a kind that is not PascalCase', { kind: 'thing' }, 'thing: kind must be PascalCase'],
  [
    'a plural that is no path segment',
    { plural: 'Things/' },
    "Thing: plural 'Things/' is not a path segment",
  ],
  ['a plural that routes use', { plural: 'statuses' }, "Thing: plural 'statuses' is reserved"],
  [
    'a singular that is no path segment',
    { singular: '' },
    "Thing: singular '' is not a path segment",
  ],
  [
    'names of no characters',
    { name: { minLength: 0, maxLength: 5 } },
    'Thing: name.minLength must be at least 1',
  ],
  [
    'an empty range of names',
    { name: { minLength: 6, maxLength: 5 } },
    'Thing: name.maxLength is below name.minLength',
  ],
  [
    'an adapter that is named twice',
    { requiredAdapters: ['a', 'a'] },
    'Thing: requiredAdapters names an adapter twice',
  ],
  [
    'an owner without a parent',
    { searchFields: [{ name: 'owner_id', type: 'text', column: 'owner_id' }] },
    'Thing: searchFields declares owner_id, but the kind has no parent',
  ],
  [
    'a parent that is not declared',
    { parent: { kind: 'Ghost', onDelete: 'cascade' } },
    "Thing: parent kind 'Ghost' is not declared",
  ],
  [
    'its own parent',
    { parent: { kind: 'Thing', onDelete: 'cascade' } },
    "Thing: its parents form a cycle through 'Thing'",
  ],
])('refuses %s', (_what, members, problem) => {
  expect(problemsOf([defineKind({ ...GOOD, ...members })])).toEqual([problem])
})

test('refuses a kind that is declared twice, by every name that it has', () => {
  expect(problemsOf([GOOD, GOOD])).toEqual([
    "Thing: kind 'Thing' is declared twice",
    "Thing: plural 'things' is declared twice",
    "Thing: singular 'thing' is declared twice",
  ])
})

test('refuses parents that form a cycle', () => {
  const first = defineKind({ ...GOOD, parent: { kind: 'Other', onDelete: 'cascade' } })
  const second = defineKind({
    ...GOOD,
    kind: 'Other',
    plural: 'others',
    singular: 'other',
    parent: { kind: 'Thing', onDelete: 'cascade' },
  })
  expect(problemsOf([first, second])).toHaveLength(2)
})

test('lists every problem of every kind at once', () => {
  const bad = defineKind({
    ...GOOD,
    kind: 'bad',
    plural: 'openapi',
    name: { minLength: 0, maxLength: -1 },
    requiredAdapters: ['a', 'a'],
  })
  const orphan = defineKind({
    ...GOOD,
    kind: 'Orphan',
    plural: 'orphans',
    parent: { kind: 'Ghost', onDelete: 'restrict' },
  })
  expect(problemsOf([bad, orphan], { schemas: false })).toEqual([
    'bad: kind must be PascalCase',
    "bad: plural 'openapi' is reserved",
    'bad: name.minLength must be at least 1',
    'bad: name.maxLength is below name.minLength',
    'bad: requiredAdapters names an adapter twice',
    "Orphan: singular 'thing' is declared twice",
    "Orphan: parent kind 'Ghost' is not declared",
    'bad: the schema badSpec is missing',
    'Orphan: the schema OrphanSpec is missing',
  ])
})

test('a server with such kinds does not start', async () => {
  const bad = defineKind({ ...GOOD, plural: 'statuses' })
  await expect(startTestServer({ kinds: [...kinds, bad] })).rejects.toThrow(
    /plural 'statuses' is reserved\n {2}- Thing: the schema ThingSpec is missing/,
  )
})
