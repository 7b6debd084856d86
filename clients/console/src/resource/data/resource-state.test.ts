import { expect, test } from 'vitest'
import type { WatchEvent } from '../../../../typescript/src/watch/watch-event.ts'
import type { KindResource } from './kind-resource.ts'
import { applyEvents, type ResourceState } from './resource-state.ts'

function resource(id: string, generation = 1): KindResource {
  return {
    kind: 'Cluster',
    id,
    href: '',
    name: id,
    generation,
    spec: {},
    labels: {},
    created_time: '',
    created_by: '',
    updated_time: '',
    updated_by: '',
    status: { conditions: [] },
  }
}

function event(
  type: 'ADDED' | 'MODIFIED' | 'DELETED',
  object: KindResource,
): WatchEvent<KindResource> {
  return { type, object, resourceVersion: '1' }
}

const STATE: ResourceState = {
  resource: resource('root'),
  isRemoved: false,
  children: [resource('b')],
  childCount: 1,
  resourceVersion: '0',
}

test('replaces the resource and notices its removal', () => {
  const changed = applyEvents(STATE, [event('MODIFIED', resource('root', 2))])
  expect(changed.resource.generation).toBe(2)
  const removed = applyEvents(changed, [event('DELETED', resource('root', 3))])
  expect(removed).toMatchObject({ isRemoved: true, resource: { generation: 3 } })
})

test('adds, changes and removes children in the order of names', () => {
  const added = applyEvents(STATE, [event('ADDED', resource('c')), event('ADDED', resource('a'))])
  expect(added.children.map(({ id }) => id)).toEqual(['a', 'b', 'c'])
  expect(added.childCount).toBe(3)
  const repeated = applyEvents(added, [
    event('ADDED', resource('a')),
    event('MODIFIED', resource('b', 7)),
  ])
  expect(repeated.childCount).toBe(3)
  expect(repeated.children[1]?.generation).toBe(7)
  const fewer = applyEvents(repeated, [event('DELETED', resource('a'))])
  expect([fewer.children.length, fewer.childCount]).toEqual([2, 2])
})

test('counts children beyond those that are shown', () => {
  const many = { ...STATE, childCount: 200 }
  expect(applyEvents(many, [event('DELETED', resource('x'))]).childCount).toBe(199)
})
