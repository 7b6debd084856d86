import { expect, it } from 'vitest'
import { createResourceCache, type KnownResource } from './resource-cache.ts'

/** A resource that takes about five thousand bytes. */
function resource(id: string, version = 1n): KnownResource {
  const rendering = { bytes: 3000, at: () => Buffer.alloc(0) }
  return { id, tenant: '', kind: 'Cluster', ownerId: '', version, rendering }
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

it('drops beyond its size what has not been read again', () => {
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

it('keeps the newest though all others have been read since', () => {
  const cache = createResourceCache(10_000)
  cache.put(resource('1'))
  cache.put(resource('2'))
  for (const id of ['1', '2']) cache.get(id)
  cache.put(resource('3'))
  expect(['1', '2', '3'].map((id) => cache.get(id) !== undefined)).toEqual([false, true, true])
})

it('has room again after it was cleared', () => {
  const cache = createResourceCache(10_000)
  cache.put(resource('1'))
  cache.put(resource('2'))
  cache.clear()
  cache.put(resource('3'))
  cache.put(resource('4'))
  expect(['1', '2', '3', '4'].map((id) => cache.get(id) !== undefined)).toEqual([
    false,
    false,
    true,
    true,
  ])
})
