import fc from 'fast-check'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type {
  FieldRequirement,
  LabelRequirement,
  ObjectSelector,
} from '../../../src/store/objects/model/object-query.ts'
import { must } from '../../../src/lib/assert.ts'
import type { StoredObject } from '../../../src/store/objects/model/stored-object.ts'
import { createTestDatabase, type TestDatabase } from '../../support/test-database.ts'
import { bodyOf, createOf, keyOf, removeOf } from './object-writes.ts'
import { openStore, type OpenStore, START } from './open-store.ts'

const KEYS = ['app', 'tier', '__proto__', 'constructor', "it's"]
const VALUES = ['', 'a', 'b', '5', '+7', '-3', '007', '9223372036854775808', '1e3']
const FIELDS = [
  'metadata.name',
  'metadata.namespace',
  'data.host',
  'data.count',
  'data.flag',
  'x.y',
]

const anyKey = fc.constantFrom(...KEYS)
const anyValue = fc.constantFrom(...VALUES)
const anyLabels = fc.array(fc.tuple(anyKey, anyValue), { maxLength: 4 })
const anyData = fc.record(
  {
    host: fc.constantFrom('', 'a', 'n1'),
    count: fc.integer({ min: 0, max: 3 }),
    flag: fc.constantFrom(true, false, null),
  },
  { requiredKeys: [] },
)

const anyLabelRequirement: fc.Arbitrary<LabelRequirement> = fc.oneof(
  fc.record({
    operator: fc.constantFrom('in', 'not-in'),
    key: anyKey,
    values: fc.array(anyValue, { maxLength: 3 }),
  }),
  fc.record({ operator: fc.constantFrom('exists', 'absent'), key: anyKey }),
  fc.record({
    operator: fc.constantFrom('greater', 'less'),
    key: anyKey,
    value: fc.constantFrom(0n, 5n, 7n, -9223372036854775808n),
  }),
)
const anyFieldRequirement: fc.Arbitrary<FieldRequirement> = fc.record({
  operator: fc.constantFrom('equals', 'not-equals'),
  field: fc.constantFrom(...FIELDS),
  value: fc.constantFrom('', 'a', 'n1', 'default', '1', 'true', 'null'),
})
const anySelector: fc.Arbitrary<ObjectSelector> = fc.record({
  labels: fc.array(anyLabelRequirement, { maxLength: 3 }),
  fields: fc.array(anyFieldRequirement, { maxLength: 2 }),
})

let database: TestDatabase
let open: OpenStore
const NOTHING_SELECTED: ObjectSelector = { labels: [], fields: [] }
const everything = { ...keyOf(''), namespace: '', limit: null, after: null }

beforeAll(async () => {
  database = await createTestDatabase()
  open = await openStore(database.url)
  const samples = fc.sample(fc.record({ labels: anyLabels, data: anyData }), 120)
  await Promise.all(
    samples.map(({ labels, data }, index) => {
      const key = keyOf(`n${index}`, { namespace: index % 2 === 0 ? 'default' : 'a' })
      return open.store.write(createOf(key, { labels: Object.fromEntries(labels), data }))
    }),
  )
})
afterAll(async () => {
  await open[Symbol.asyncDispose]()
  await database[Symbol.asyncDispose]()
})

test('R11: pages of any size have the same objects in order', async () => {
  const property = fc.asyncProperty(
    anySelector,
    fc.integer({ min: 1, max: 50 }),
    async (selector, limit) => {
      const whole = await open.store.list({ ...everything, selector })
      const paged: StoredObject[] = []
      let after: StoredObject | null = null
      for (let hasMore = true; hasMore;) {
        const page = await open.store.list({ ...everything, selector, limit, after })
        paged.push(...page.objects)
        after = paged.at(-1) ?? null
        hasMore = page.hasMore
      }
      expect(paged).toEqual(whole.objects)
    },
  )
  await fc.assert(property, { numRuns: 30 })
})

test('a tombstone is no object that remains after a page', async () => {
  const plane = 'remaining'
  const key = (name: string) => keyOf(name, { plane, resource: 'roles' })
  const computed = ['c', 'd'].map((name): StoredObject => {
    const part = { uid: `uid-${name}`, revision: START, managedFields: [] }
    return { ...key(name), ...part, body: bodyOf(key(name), part.uid), isComputed: true }
  })
  await using store = await openStore(database.url, { computed })
  for (const name of ['a', 'b']) await store.store.write(createOf(key(name)))
  const hidden = must(computed[0], 'a computed object')
  const removal = { ...removeOf(hidden), leaveTombstone: true }
  await store.store.write(removal)
  const page = { ...everything, ...key(''), namespace: '', limit: 1, countsRemaining: true }
  const { objects, remaining } = await store.store.list({ ...page, selector: NOTHING_SELECTED })
  expect([objects.map(({ name }) => name), remaining]).toEqual([['a'], 2])
})

test('a collection that is too large to count is not counted again for 10 s', async () => {
  let now = 1000
  await using store = await openStore(database.url, { now: () => now })
  const { database: rows } = store
  const plane = 'large'
  await rows.query(
    'insert_plane',
    sql`insert into planes (plane, revision, compacted) values (${plane}, 2000000, 2000000)`,
  )
  await rows.query(
    'insert_objects',
    sql`insert into objects (
        plane, resource, namespace, name, uid, revision, body, managed_fields, labels, owner_uids,
        created_time)
      select ${plane}, 'configmaps', 'default', 'n' || number, 'large-' || number, 1000000 + number,
        '{"metadata": {}}', '[]', '{}', '{}', now()
      from generate_series(1, 10002) as number`,
  )
  const query = { ...everything, plane, namespace: 'default', limit: 1, countsRemaining: true }
  const remaining = async (part: object = {}): Promise<number | null> =>
    (await store.store.list({ ...query, selector: NOTHING_SELECTED, ...part })).remaining
  expect(await remaining()).toBe(null)
  await rows.query(
    'delete_objects',
    sql`delete from objects where plane = ${plane} and revision > 1000005`,
  )
  expect(await remaining()).toBe(null)
  expect(await remaining({ namespace: '' })).toBe(4)
  now += 10_000
  expect(await remaining()).toBe(4)
})
