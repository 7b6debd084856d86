import { expect, test } from 'vitest'
import { watchedObjects } from '../../../clients/typescript/src/watch/watched-objects.ts'

const object = { metadata: { name: 'a', resourceVersion: '7' } }

test('a watch cannot resume after an existing object, of which there may be more', () => {
  const list = watchedObjects('/path', {})
  expect(list.requestFor('').query).not.toHaveProperty('resourceVersion')
  expect(list.read({ type: 'ADDED', object })).toMatchObject({ resourceVersion: '' })
  expect(list.read({ type: 'BOOKMARK', object })).toMatchObject({ resourceVersion: '7' })
  expect(list.read({ type: 'ADDED', object })).toMatchObject({ resourceVersion: '7' })
})

test('a watch that continues after a version can resume after every event', () => {
  const list = watchedObjects('/path', {})
  expect(list.requestFor('6').query).toMatchObject({ resourceVersion: '6' })
  expect(list.read({ type: 'ADDED', object })).toMatchObject({ resourceVersion: '7' })
})
