import { expect, it } from 'vitest'
import { createResourceCache, type CachedResource } from './resource-cache.ts'

/** A resource that takes about five thousand bytes. */
function resource(id: string, version = 1n): CachedResource {
  const bodies = new Map([['test', { bytes: 3000, at: () => Buffer.alloc(0) }]])
  return { id, tenant: '', kind: 'Cluster', ownerId: '', version, bodies, row: null }
}

it('returns the object that was put', () => {
  const cache = createResourceCache(100_000)
  const one = resource('1')
  cache.put(one)
  expect(cache.get('1')).toBe(one)
  expect(cache.get('2')).toBeUndefined()
})

it('replaces a version by the one put later', () => {
  const cache = createResourceCache(100_000)
  cache.put(resource('1', 1n))
  cache.put(resource('1', 2n))
  expect(cache.get('1')?.version).toBe(2n)
})

it('evicts resources that were not read again', () => {
  const cache = createResourceCache(10_000)
  cache.put(resource('1'))
  cache.put(resource('2'))
  expect(cache.get('1')).toBeDefined()
  cache.put(resource('3'))
  expect(['1', '2', '3'].map((id) => cache.get(id) !== undefined)).toEqual([true, false, true])
})

it('counts one version of each resource', () => {
  const cache = createResourceCache(10_000)
  cache.put(resource('1'))
  for (let version = 1n; version < 100n; version += 1n) cache.put(resource('2', version))
  expect(cache.get('1')).toBeDefined()
})

it('does not keep a resource that is larger than the cache', () => {
  const cache = createResourceCache(1000)
  cache.put(resource('1'))
  expect(cache.get('1')).toBeUndefined()
})

it('keeps a new resource when all others were read', () => {
  const cache = createResourceCache(10_000)
  cache.put(resource('1'))
  cache.put(resource('2'))
  for (const id of ['1', '2']) cache.get(id)
  cache.put(resource('3'))
  expect(['1', '2', '3'].map((id) => cache.get(id) !== undefined)).toEqual([false, true, true])
})

it('has room after it is cleared', () => {
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
