import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ObjectSelector } from '../../../src/store/objects/model/object-query.ts'
import type { StoredObject } from '../../../src/store/objects/model/stored-object.ts'
import { fieldText } from '../../../src/store/objects/selection/field-text.ts'
import { matchesSelector } from '../../../src/store/objects/selection/matches-selector.ts'
import { labelsOf } from '../../../src/store/objects/selection/object-metadata.ts'
import { parseFieldSelector } from '../../../src/planes/selectors/parse-field-selector.ts'
import { parseLabelSelector } from '../../../src/planes/selectors/parse-label-selector.ts'
import { createTestDatabase, type TestDatabase } from '../../support/test-database.ts'
import { createOf, keyOf } from './object-writes.ts'
import { type OpenStore, openStore } from './open-store.ts'

const KEYS = ['app', 'tier', 'example.com/size', 'constructor'] as const
const LABELS = ['', 'web', 'db', '5', '10', '007', '9223372036854775807', '9223372036854775808']
const TEXTS = ['', 'a', '5', 'true', 'a,b=c\\d', 'é']
const FIELDS = [
  'metadata.name',
  'metadata.namespace',
  'data.text',
  'data.flag',
  'data.a.b',
  'data.x',
]

let database: TestDatabase
let open: OpenStore
let objects: readonly StoredObject[]

beforeAll(async () => {
  database = await createTestDatabase()
  open = await openStore(database.url)
  const labels = fc.dictionary(fc.constantFrom(...KEYS), fc.constantFrom(...LABELS))
  const data = fc.record(
    {
      text: fc.constantFrom(...TEXTS),
      flag: fc.oneof(fc.boolean(), fc.integer({ min: -5, max: 10 }), fc.constant(null)),
      a: fc.oneof(fc.constant('a'), fc.record({ b: fc.constantFrom(...TEXTS) })),
    },
    { requiredKeys: [] },
  )
  const contents = fc.sample(fc.record({ labels, data }), { numRuns: 80, seed: 7 })
  for (const [index, content] of contents.entries()) {
    const namespace = index % 2 === 0 ? 'default' : 'other'
    await open.store.write(createOf(keyOf(`a${index}`, { namespace }), content))
  }
  objects = (await list({ labels: [], fields: [] })).objects
})
afterAll(async () => {
  await open[Symbol.asyncDispose]()
  await database[Symbol.asyncDispose]()
})

function list(selector: ObjectSelector) {
  const query = { plane: 'p', resource: 'configmaps', namespace: '', limit: null, after: null }
  return open.store.list({ ...query, selector })
}

test('R15: SQL and memory evaluate selectors equally', async () => {
  const key = fc.constantFrom(...KEYS)
  const value = fc.constantFrom(...LABELS)
  const label = fc.oneof(
    key,
    key.map((name) => `!${name}`),
    fc.tuple(key, fc.constantFrom('=', '==', '!='), value).map((parts) => parts.join('')),
    fc
      .tuple(key, fc.constantFrom('in', 'notin'), fc.array(value, { minLength: 1, maxLength: 3 }))
      .map(([name, operator, values]) => `${name} ${operator} (${values.join(',')})`),
    fc
      .tuple(key, fc.constantFrom('>', '<'), fc.constantFrom('0', '5', '9', '9223372036854775807'))
      .map((parts) => parts.join('')),
  )
  const field = fc
    .tuple(
      fc.constantFrom(...FIELDS),
      fc.constantFrom('=', '!='),
      fc.constantFrom(...TEXTS, 'a1', 'other'),
    )
    .map(([path, operator, text]) => `${path}${operator}${text.replaceAll(/[\\,=]/g, '\\$&')}`)
  await fc.assert(
    fc.asyncProperty(
      fc.array(label, { maxLength: 3 }),
      fc.array(field, { maxLength: 2 }),
      async (labels, fields) => {
        const selector: ObjectSelector = {
          labels: parseLabelSelector(labels.join(',')),
          fields: parseFieldSelector(fields.join(',')),
        }
        const inMemory = objects.filter((object) =>
          matchesSelector(selector, {
            namespace: object.namespace,
            name: object.name,
            labels: labelsOf(object.body),
            fieldOf: (path) => fieldText(object.body, path),
          }),
        )
        const page = await list(selector)
        expect(page.objects.map(({ name }) => name)).toEqual(inMemory.map(({ name }) => name))
      },
    ),
    { numRuns: 300 },
  )
  expect(objects).toHaveLength(80)
})
