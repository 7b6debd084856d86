import { expect, test } from 'vitest'
import type { ObjectPage } from '../../../store/objects/model/object-query.ts'
import type { StoredObject } from '../../../store/objects/model/stored-object.ts'
import { setStoredText } from '../../../store/objects/model/stored-text.ts'
import { boundPage } from './bound-page.ts'

/** An object whose texts have ten characters. */
function storedOf(name: string): StoredObject {
  const key = { plane: 'root', resource: 'configmaps', namespace: 'default', name }
  const object = { ...key, uid: name, revision: 7n, body: {}, managedFields: [] }
  setStoredText(object, { body: '{"a": 1}', managedFields: '[]' })
  return object
}

const PAGE: ObjectPage = {
  objects: ['a', 'b', 'c'].map(storedOf),
  revision: 7n,
  remaining: 0,
  hasMore: false,
}

test('a list that fits is complete', () => {
  expect(boundPage(PAGE, {}, 30)).toBe(PAGE)
})

test('a page that is too long ends earlier, and the next one follows', () => {
  const page = boundPage({ ...PAGE, remaining: 5, hasMore: true }, { limit: 3 }, 29)
  expect(page.objects.map(({ name }) => name)).toEqual(['a', 'b'])
  expect(page).toMatchObject({ remaining: null, hasMore: true })
  const last = boundPage(PAGE, { continue: 'token' }, 29)
  expect(last).toMatchObject({ remaining: null, hasMore: true })
})

test('a page has at least one object', () => {
  const page = boundPage(PAGE, { limit: 3 }, 1)
  expect(page.objects.map(({ name }) => name)).toEqual(['a'])
  const single = { ...PAGE, objects: PAGE.objects.slice(0, 1) }
  expect(boundPage(single, {}, 1)).toBe(single)
})

test('a list without pages is 413 if it is too long', () => {
  expect(() => boundPage(PAGE, {}, 29)).toThrow(
    expect.objectContaining({ code: 413, statusReason: 'RequestEntityTooLarge' }),
  )
})
