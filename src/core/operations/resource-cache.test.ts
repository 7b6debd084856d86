import { expect, it } from 'vitest'
import type { ReadResource } from '../model/resource.ts'
import { createResourceCache } from './resource-cache.ts'

/** A resource of about a thousand characters. */
function resource(id: string, version = 1n): ReadResource {
  const now = new Date(0)
  return {
    id,
    kind: 'Cluster',
    name: id,
    ownerId: '',
    generation: 1,
    version,
    spec: JSON.stringify({ text: 'x'.repeat(2000) }),
    labels: '{}',
    annotations: '{}',
    refs: {},
    conditions: [],
    createdTime: now,
    updatedTime: now,
    createdBy: 'a',
    updatedBy: 'a',
    deletedTime: null,
    deletedBy: null,
  }
}

it('gives back the very object that was put', () => {
  const cache = createResourceCache(100_000)
  const one = resource('1')
  cache.put(one)
  expect(cache.get('1')).toBe(one)
  expect(cache.get('2')).toBeUndefined()
})

it('keeps the latest version', () => {
  const cache = createResourceCache(100_000)
  cache.put(resource('1', 1n))
  cache.put(resource('1', 2n))
  expect(cache.get('1')?.version).toBe(2n)
})

it('drops the least recently used beyond its size', () => {
  const cache = createResourceCache(10_000)
  cache.put(resource('1'))
  cache.put(resource('2'))
  expect(cache.get('1')).toBeDefined()
  cache.put(resource('3'))
  expect(['1', '2', '3'].map((id) => cache.get(id) !== undefined)).toEqual([true, false, true])
})

it('does not grow by putting the same one again and again', () => {
  const cache = createResourceCache(10_000)
  cache.put(resource('1'))
  for (let version = 1n; version < 100n; version += 1n) cache.put(resource('2', version))
  expect(cache.get('1')).toBeDefined()
})

it('keeps nothing that is larger than all of it', () => {
  const cache = createResourceCache(1000)
  cache.put(resource('1'))
  expect(cache.get('1')).toBeUndefined()
})
