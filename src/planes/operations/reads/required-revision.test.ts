import { expect, test } from 'vitest'
import { FlotillaError } from '../../../lib/errors.ts'
import type { ObjectPage, ObjectQuery } from '../../../store/objects/model/object-query.ts'
import { listAtRevision } from './required-revision.ts'

const QUERY: ObjectQuery = {
  plane: 'p',
  resource: 'configmaps',
  namespace: '',
  selector: { labels: [], fields: [] },
  limit: null,
  after: null,
}

/** A store whose plane reaches `reached` when a subscription to a later revision starts. */
function storeAt(revision: bigint, reached: bigint) {
  const calls: string[] = []
  let current = revision
  const list = (): Promise<ObjectPage> => {
    calls.push('list')
    return Promise.resolve({ objects: [], revision: current, remaining: 0, hasMore: false })
  }
  const follow = (_scope: unknown, after: bigint) => {
    calls.push(`follow ${after}`)
    current = reached
    if (after > reached) return Promise.reject(new FlotillaError('timeout', 'not reached'))
    return Promise.resolve({
      revision: after,
      [Symbol.dispose]: () => void calls.push('dispose'),
    })
  }
  return { calls, store: { list, follow } }
}

test('lists once if the plane has reached the revision', async () => {
  const { calls, store } = storeAt(5n, 5n)
  await listAtRevision(store, QUERY, { resourceVersion: '5', wait: undefined })
  expect(calls).toEqual(['list'])
})

test('waits on a subscription, then lists again', async () => {
  const { calls, store } = storeAt(5n, 9n)
  const page = await listAtRevision(store, QUERY, { resourceVersion: '7', wait: undefined })
  expect(page.revision).toBe(9n)
  expect(calls).toEqual(['list', 'follow 7', 'dispose', 'list'])
})

test('waits as the request does', async () => {
  const { calls, store } = storeAt(5n, 9n)
  const wait = async <T>(until: () => Promise<T>): Promise<T> => {
    calls.push('rest')
    const value = await until()
    calls.push('resume')
    return value
  }
  await listAtRevision(store, QUERY, { resourceVersion: '5', wait })
  await listAtRevision(store, QUERY, { resourceVersion: '7', wait })
  expect(calls).toEqual(['list', 'list', 'rest', 'follow 7', 'dispose', 'resume', 'list'])
})

test('is a timeout if the plane does not reach the revision', async () => {
  const { store } = storeAt(5n, 6n)
  const listed = listAtRevision(store, QUERY, { resourceVersion: '7', wait: undefined })
  await expect(listed).rejects.toMatchObject({ reason: 'timeout', code: 504 })
})

test('is expired if the plane has passed an exact revision during the wait', async () => {
  const { store } = storeAt(5n, 9n)
  const options = { resourceVersion: '7', resourceVersionMatch: 'Exact', wait: undefined }
  await expect(listAtRevision(store, QUERY, options)).rejects.toMatchObject({ reason: 'expired' })
})
