import { expect, test } from 'vitest'
import { KEYS_PER_STEP } from '../../lib/async/steps.ts'
import type { Schema } from '../model/schema.ts'
import { itemsByKey } from './list-keys.ts'
import { listTypeErrors } from './list-types.ts'

const LIST: Schema = {
  type: 'array',
  'x-kubernetes-list-type': 'map',
  'x-kubernetes-list-map-keys': ['name'],
  items: { type: 'object', properties: { name: { type: 'string' } } },
}
const SCHEMA: Schema = { type: 'object', properties: { list: LIST } }

const list = Array.from({ length: 3 * KEYS_PER_STEP }, (_item, index) => ({ name: `${index}` }))

test('R36: finds duplicates in a long list map in steps', () => {
  const steps = listTypeErrors({ list: [...list, { name: '7' }] }, SCHEMA)
  let count = 1
  let step = steps.next()
  for (; step.done !== true; step = steps.next()) count += 1
  expect(step.value).toMatchObject([
    { field: `list[${list.length}]`, reason: 'FieldValueDuplicate' },
  ])
  expect(count).toBeGreaterThan(3)
})

test('R36: collects the items of a long list map by their keys in steps', () => {
  expect([...itemsByKey(list, LIST)].length).toBeGreaterThanOrEqual(3)
})
