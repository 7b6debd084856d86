import { expect, it } from 'vitest'
import type { ApiObject } from '../../model/api-object.ts'
import { InformerStore } from './informer-store.ts'

function object(name: string, resourceVersion: string, uid = `uid-${name}`): ApiObject {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, uid, resourceVersion } }
}

function setUp() {
  const changes: string[] = []
  const store = new InformerStore((change) => {
    const { name, resourceVersion } = change.object.metadata
    const stale = change.type === 'deleted' && change.isStale ? ' (stale)' : ''
    changes.push(`${change.type} ${name}@${resourceVersion}${stale}`)
  })
  return { store, changes }
}

it('reports additions, updates and missed deletions of a list', () => {
  const { store, changes } = setUp()
  store.replace([object('a', '1'), object('b', '2')])
  store.replace([object('b', '3'), object('c', '4')])
  expect(changes).toEqual([
    'added a@1',
    'added b@2',
    'updated b@3',
    'added c@4',
    'deleted a@1 (stale)',
  ])
  expect(store.objects.map(({ metadata }) => metadata.name)).toEqual(['b', 'c'])
})

it('ignores objects that have not changed', () => {
  const { store, changes } = setUp()
  store.replace([object('a', '1')])
  store.replace([object('a', '1')])
  store.apply({ type: 'ADDED', object: object('a', '1') })
  expect(changes).toEqual(['added a@1'])
})

it('reports a successor with the same name as a deletion and an addition', () => {
  const { store, changes } = setUp()
  store.replace([object('a', '1')])
  store.replace([object('a', '9', 'uid-2')])
  expect(changes).toEqual(['added a@1', 'deleted a@1 (stale)', 'added a@9'])
})

it('ignores events that are older than a page of the list', () => {
  const { store, changes } = setUp()
  store.replace([object('a', '10')])
  store.apply({ type: 'MODIFIED', object: object('a', '9') })
  store.apply({ type: 'DELETED', object: object('a', '8', 'uid-before') })
  store.apply({ type: 'DELETED', object: object('b', '11') })
  expect(changes).toEqual(['added a@10'])
  expect(store.apply({ type: 'DELETED', object: object('a', '12') })).toBe('12')
  expect(changes).toEqual(['added a@10', 'deleted a@12'])
})
