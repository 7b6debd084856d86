import { describe, expect, test } from 'vitest'
import type { Capability } from '../../src/capability/capability.ts'
import { CAPABILITIES } from '../../src/cmd/capabilities.ts'
import { kindSchemas } from '../../src/hyperfleet/openapi/kind-schemas.ts'
import { loadBase, loadParts } from '../../src/hyperfleet/openapi/load.ts'
import { documentNames, RESERVED_NAMES } from '../../src/store/registry/document-names.ts'
import { defineKind, type Kind } from '../../src/store/registry/kind.ts'
import { createRegistry, RegistryError } from '../../src/store/registry/registry.ts'
import { kinds } from '../../src/hyperfleet/kinds/index.ts'
import { startTestServer } from '../support/test-server.ts'
import { BASE_PATH } from '../../src/hyperfleet/paths/base-path.ts'

const GOOD = {
  kind: 'Thing',
  plural: 'things',
  singular: 'thing',
  parent: null,
  name: { minLength: 3, maxLength: 53 },
  spec: new URL('../../src/hyperfleet/kinds/cluster/spec.yaml', import.meta.url),
  requiredAdapters: ['a'],
  references: [],
  messages: { available: '', ready: '' },
} as const satisfies Kind

function problemsOf(declared: readonly Kind[], { schemas = true } = {}): readonly string[] {
  const specSchemas = new Map(
    schemas ? declared.map(({ kind }) => [kind, { type: 'object' }] as const) : [],
  )
  try {
    createRegistry({
      hrefBase: BASE_PATH,
      kinds: declared,
      specSchemas,
      requiredAdapters: new Map(),
    })
    return []
  } catch (error) {
    if (!(error instanceof RegistryError)) throw error
    for (const problem of error.problems) expect(error.message).toContain(problem)
    return error.problems
  }
}

test('accepts the built-in kinds', () => {
  expect(problemsOf(kinds)).toEqual([])
})

const SEGMENT = "must be lower-case letters, digits and '_', a letter first, found"
const SUBRESOURCE = {
  segment: 'scale',
  method: 'get',
  handler: 'scale',
  operation: { operationId: 'getScale' },
} as const
const REFERENCE = { type: 'a', kind: 'Thing', min: 0, max: null }

test.each<[string, Partial<Kind>, string]>([
  ['no verb', { verbs: [] }, 'Thing: verbs must name at least one verb'],
  [
    'a repeated verb',
    { verbs: ['get', 'get'] },
    "Thing: verbs[1] names 'get' a second time: remove it",
  ],
  [
    'a subresource with a reserved path',
    { subresources: [{ ...SUBRESOURCE, segment: 'statuses' }] },
    "Thing: subresources[0].segment 'statuses' is a path of the API itself: choose another",
  ],
  [
    'a repeated subresource',
    { subresources: [SUBRESOURCE, SUBRESOURCE] },
    "Thing: subresources[1].segment has get 'scale' a second time: remove it",
  ],
  [
    'a kind that is not PascalCase',
    { kind: 'thing' },
    "thing: kind must be PascalCase, such as DnsZone, found 'thing'",
  ],
  [
    'a kind whose name a schema of the document has',
    { kind: 'Labels' },
    "Labels: kind 'Labels' would take the name Labels of the API's document: choose another",
  ],
  [
    'a plural that is not a path segment',
    { plural: 'Things/' },
    `Thing: plural ${SEGMENT} 'Things/'`,
  ],
  [
    'a plural that is a reserved path',
    { plural: 'statuses' },
    "Thing: plural 'statuses' is a path of the API itself: choose another",
  ],
  ['a singular that is not a path segment', { singular: '' }, `Thing: singular ${SEGMENT} ''`],
  [
    'empty names',
    { name: { minLength: 0, maxLength: 5 } },
    'Thing: name.minLength must be at least 1, found 0',
  ],
  [
    'an empty range of names',
    { name: { minLength: 6, maxLength: 5 } },
    'Thing: name.maxLength must be from the least length, 6, to 253, found 5',
  ],
  [
    'names that are too long',
    { name: { minLength: 6, maxLength: 254 } },
    'Thing: name.maxLength must be from the least length, 6, to 253, found 254',
  ],
  [
    'a repeated adapter',
    { requiredAdapters: ['a', 'b', 'a'] },
    "Thing: requiredAdapters[2] names 'a' a second time: remove it",
  ],
  [
    'an adapter without a name',
    { requiredAdapters: [''] },
    'Thing: requiredAdapters[0] must be 1 to 255 characters, found 0',
  ],
  [
    'an adapter whose name is too long for reports',
    { requiredAdapters: ['\u{1F600}'.repeat(256)] },
    'Thing: requiredAdapters[0] must be 1 to 255 characters, found 256',
  ],
  [
    'a parent that is not declared',
    { parent: { kind: 'Ghost', onDelete: 'cascade' } },
    "Thing: parent.kind 'Ghost' is not a kind: use one of Thing",
  ],
  [
    'a kind that is its own parent',
    { parent: { kind: 'Thing', onDelete: 'cascade' } },
    'Thing: parent.kind closes a cycle: Thing, Thing',
  ],
  [
    'a reference type that is not a name',
    { references: [{ ...REFERENCE, type: 'wif-config' }] },
    `Thing: references[0].type ${SEGMENT} 'wif-config'`,
  ],
  [
    'a repeated reference type',
    { references: [REFERENCE, REFERENCE] },
    "Thing: references[1].type 'a' is declared twice: choose another",
  ],
  [
    'a reference to an unknown kind',
    { references: [{ ...REFERENCE, kind: 'Thin' }] },
    "Thing: references[0].kind 'Thin' is not a kind: did you mean Thing?",
  ],
  [
    'a negative minimum of targets',
    { references: [{ ...REFERENCE, min: -1 }] },
    'Thing: references[0].min must be at least 0, found -1',
  ],
  [
    'a maximum of zero targets',
    { references: [{ ...REFERENCE, max: 0 }] },
    'Thing: references[0].max must be at least 1, found 0',
  ],
  [
    'a minimum of targets above the maximum',
    { references: [{ ...REFERENCE, min: 3, max: 2 }] },
    'Thing: references[0].max must not be below min, 3, found 2',
  ],
])('rejects %s', (_what, fields, problem) => {
  expect(problemsOf([defineKind({ ...GOOD, ...fields })])).toEqual([problem])
})

test('accepts references of a kind to itself and to a kind that is declared later', () => {
  const references = [
    { ...REFERENCE, type: 'self' },
    { type: 'other', kind: 'Other', min: 2, max: 2 },
  ]
  const other = defineKind({ ...GOOD, kind: 'Other', plural: 'others', singular: 'other' })
  expect(problemsOf([defineKind({ ...GOOD, references }), other])).toEqual([])
})

test('rejects a kind that is declared twice', () => {
  expect(problemsOf([GOOD, GOOD])).toEqual(["Thing: kind 'Thing' is declared twice: remove one"])
})

test('rejects a plural or a singular that another kind has', () => {
  expect(problemsOf([GOOD, defineKind({ ...GOOD, kind: 'Other' })])).toEqual([
    "Other: plural 'things' is the plural of Thing: choose another",
    "Other: singular 'thing' is the singular of Thing: choose another",
  ])
})

test('rejects kinds with colliding schema names in the document', () => {
  const list = { ...GOOD, kind: 'ThingList', plural: 'lists', singular: 'list' }
  const share = "would share the name ThingList in the API's document: choose another"
  expect(problemsOf([GOOD, list])).toEqual([`ThingList: kind 'ThingList' and Thing ${share}`])
  expect(problemsOf([list, GOOD])).toEqual([`Thing: kind 'Thing' and ThingList ${share}`])
})

test('rejects a cycle of parents and names only the kinds in it', () => {
  const first = defineKind({ ...GOOD, parent: { kind: 'Other', onDelete: 'cascade' } })
  const second = defineKind({
    ...GOOD,
    kind: 'Other',
    plural: 'others',
    singular: 'other',
    parent: { kind: 'Thing', onDelete: 'cascade' },
  })
  const below = { ...second, kind: 'Below', plural: 'belows', singular: 'below' }
  expect(problemsOf([first, second, below])).toEqual([
    'Thing: parent.kind closes a cycle: Thing, Other, Thing',
    'Other: parent.kind closes a cycle: Other, Thing, Other',
  ])
})

test('reports the problems of all kinds together', () => {
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
    "bad: kind must be PascalCase, such as DnsZone, found 'bad'",
    "bad: plural 'openapi' is a path of the API itself: choose another",
    'bad: name.minLength must be at least 1, found 0',
    'bad: name.maxLength must be from the least length, 0, to 253, found -1',
    "bad: requiredAdapters[1] names 'a' a second time: remove it",
    "Orphan: singular 'thing' is the singular of bad: choose another",
    "Orphan: parent.kind 'Ghost' is not a kind: use one of bad, Orphan",
    'bad: the schema badSpec is missing',
    'Orphan: the schema OrphanSpec is missing',
  ])
})

describe('the schema and operation names of the document', () => {
  test('are reserved if the document uses them without kinds', async () => {
    const base = await loadBase(new URL('../../openapi/base.yaml', import.meta.url))
    const openapi = CAPABILITIES.flatMap((capability: Capability) => capability.openapi ?? [])
    const parts = (await loadParts(openapi)).map(({ content }) => content)
    const paths = [base, ...parts].flatMap((document) => Object.values(document.paths ?? {}))
    const operations = paths.flatMap((item) =>
      Object.values(Object(item)).map((operation) => String(Object(operation)['operationId'])),
    )
    const taken = [
      ...[base, ...parts].flatMap(({ components }) => Object.keys(components?.schemas ?? {})),
      ...operations.map((operationId) => operationId.replace(/^[a-z]+/, '')),
    ]
    const missing = taken.filter((name) => !RESERVED_NAMES.some((reserved) => reserved === name))
    expect(missing, 'add these names to RESERVED_NAMES').toEqual([])
  })

  test('include every schema that a kind adds', () => {
    const declared = kinds.map((kind) => ({
      ...kind,
      references: [{ ...REFERENCE, kind: kind.kind }],
    }))
    const specSchemas = new Map(kinds.map(({ kind }) => [kind, { type: 'object' }]))
    const registry = createRegistry({
      hrefBase: BASE_PATH,
      kinds: declared,
      specSchemas,
      requiredAdapters: new Map(),
    })
    for (const kind of registry.kinds) {
      expect(documentNames(kind)).toEqual(expect.arrayContaining(Object.keys(kindSchemas(kind))))
    }
  })
})

test('a server does not start with invalid kinds', async () => {
  const bad = defineKind({ ...GOOD, plural: 'statuses' })
  await expect(startTestServer({ kinds: [...kinds, bad] })).rejects.toThrow(
    /plural 'statuses' is a path of the API itself: choose another\n {2}- Thing: the schema/,
  )
})
