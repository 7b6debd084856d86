import { expect, test } from 'vitest'
import type { Change, ChangeType } from '../../model/change.ts'
import type { RegisteredKind } from '../../registry/kind.ts'
import { createRegistry } from '../../registry/registry.ts'
import { changeByDeletion, changeOfLabels } from './fixtures.ts'
import { searchedChange } from './searched-change.ts'
import { classifyChange, watchFilter } from './watch-filter.ts'
import { topicOf, topicsOf, type WatchScope } from './watch-scope.ts'

const THING: RegisteredKind = {
  kind: 'Thing',
  plural: 'things',
  singular: 'thing',
  parent: null,
  name: { minLength: 1, maxLength: 10 },
  spec: {},
  specSchema: {},
  hrefPrefix: '/api/hyperfleet/v1/things/',
  requiredAdapters: [],
  references: [],
  messages: { available: '', ready: '' },
}
const registry = createRegistry({
  hrefBase: '/api/hyperfleet/v1',
  kinds: [THING],
  specSchemas: new Map([['Thing', {}]]),
  requiredAdapters: new Map(),
})
const IN = { a: 'x' }
const OUT = { a: 'y' }

const STATUS: Change = {
  subject: 'status',
  revision: 1n,
  type: 'MODIFIED',
  resourceId: 'a',
  rowVersion: 2n,
  observedGenerationBefore: 1,
  status: {
    adapter: 'dns',
    observedGeneration: 2,
    available: null,
    conditions: [],
    data: {},
    metadata: null,
    finalized: false,
    observedTime: new Date(0),
    createdTime: new Date(0),
    lastReportTime: new Date(0),
  },
}

function classify(scope: WatchScope, search: string, change: Change): ChangeType | null {
  return classifyChange(watchFilter(registry, scope, [search]), searchedChange(change))
}

const THINGS = { subject: 'resources', tenant: null, kind: THING, ownerId: null } as const
const EVERYTHING: WatchScope = { subject: 'all-resources', tenant: null, kind: null }
const STATUSES: WatchScope = {
  subject: 'statuses',
  target: { tenant: null, kind: THING, id: 'a', ownerId: null },
}

test.each([
  ['MODIFIED', IN, IN, 'MODIFIED'],
  ['MODIFIED', OUT, IN, 'ADDED'],
  ['MODIFIED', IN, OUT, 'DELETED'],
  ['MODIFIED', OUT, OUT, null],
  ['ADDED', undefined, IN, 'ADDED'],
  ['ADDED', undefined, OUT, null],
  ['DELETED', undefined, IN, 'DELETED'],
  ['DELETED', undefined, OUT, null],
] as const)('a %s change from %j to %j is %s for a search', (type, before, after, expected) => {
  const change = changeOfLabels({ type, after, ...(before && { before }) })
  expect(classify(THINGS, `labels.a='x'`, change)).toBe(expected)
  expect(classify(EVERYTHING, `labels.a='x'`, change)).toBe(expected)
  expect(classify(THINGS, '', change)).toBe(type)
})

test.each([
  ["deleted_by = 'ada'", 'ADDED'],
  ['deleted_by is null', 'DELETED'],
  ["deleted_by != 'ada'", null],
  ['href = "/api/hyperfleet/v1/things/a" and owner_id is null and kind = \'Thing\'', 'MODIFIED'],
  ["owner_kind is not null or owner_id = ''", null],
] as const)('a deletion is for %s: %s', (search, expected) => {
  expect(classify(THINGS, search, changeByDeletion())).toBe(expected)
  expect(classify(EVERYTHING, search, changeByDeletion())).toBe(expected)
})

test.each([
  ['observed_generation=2', 'ADDED'],
  ['observed_generation=1', 'DELETED'],
  ["adapter='dns'", 'MODIFIED'],
  ["adapter='other'", null],
])('a report with a new generation is, for the search %s, %s', (search, expected) => {
  expect(classify(STATUSES, search, STATUS)).toBe(expected)
})

test('rejects a search for a field that the watched resources do not have', () => {
  expect(() => watchFilter(registry, THINGS, [`colour='x'`])).toThrow(
    expect.objectContaining({ reason: 'invalid-search' }),
  )
})

test('parses a spec only if the search names it', () => {
  const change = changeOfLabels({ before: OUT, after: IN })
  const broken = { ...change, resource: { ...change.resource, spec: 'no JSON' } }
  expect(classify(THINGS, `labels.a='x'`, broken)).toBe('ADDED')
  expect(() => classify(THINGS, `spec.a='x'`, broken)).toThrow(SyntaxError)
})

test('gives a change the topics of the lists that include it', () => {
  const { resource, ...rest } = changeOfLabels({ after: IN })
  const topics = topicsOf({ ...rest, resource: { ...resource, ownerId: 'p' } })
  expect(topics).toContain(topicOf(THINGS))
  expect(topics).toContain(topicOf(EVERYTHING))
  expect(topics).toContain(topicOf({ ...THINGS, ownerId: 'p' }))
  expect(topics).not.toContain(topicOf({ ...THINGS, ownerId: 'q' }))
  expect(topics).not.toContain(topicOf(STATUSES))
  expect(topicsOf(STATUS)).toEqual([topicOf(STATUSES)])
})
