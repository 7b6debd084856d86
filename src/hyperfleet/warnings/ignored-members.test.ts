import { expect, test } from 'vitest'
import { allSteps, KEYS_PER_STEP } from '../../lib/async/steps.ts'
import { FoundMembers, type IgnoredMembers, ignoredMembers } from './ignored-members.ts'
import { must } from '../../lib/assert.ts'

/** An object that ignores all other fields. */
const only = (properties: object) => ({ type: 'object', properties })

const compiled = (schema: object): IgnoredMembers =>
  must(ignoredMembers({}, JSON.parse(JSON.stringify(schema))), 'ignored members')

test('finds the first ignored fields of all, and names only these', () => {
  const ignored = compiled(
    only({ name: {}, spec: only({}), items: { type: 'array', items: only({ id: {} }) } }),
  )
  const item = Object.fromEntries(Array.from({ length: 7 }, (_, index) => [`f${index}`, 1]))
  const found = new FoundMembers()
  const body = { name: 'a', spec: { any: 1 }, other: {}, items: [{ id: 'x' }, item, item] }
  expect(ignored.some(body)).toBe(true)
  allSteps(ignored.find(body, found))
  expect(found.count).toBe(15)
  expect(found.paths).toEqual([
    'other',
    ...[0, 1, 2, 3, 4, 5, 6].map((index) => `items[1].f${index}`),
    'items[2].f0',
    'items[2].f1',
  ])
})

test('a step ends after a number of fields, at any depth', () => {
  const ignored = compiled(only({ items: { type: 'array', items: only({}) } }))
  const fields = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`f${index}`, 1]))
  const found = new FoundMembers()
  const items = Array.from({ length: 100 }, () => fields)
  let before = 0
  for (const _ of ignored.find({ items }, found)) {
    expect(found.count - before).toBeLessThanOrEqual(KEYS_PER_STEP)
    before = found.count
  }
  expect(before).toBeGreaterThan(50_000 - KEYS_PER_STEP)
})
