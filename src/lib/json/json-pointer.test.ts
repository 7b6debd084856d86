import { describe, expect, test } from 'vitest'
import { canAddAt, parsePointer, formatPointer, valueAt } from './json-pointer.ts'

describe('a JSON pointer', () => {
  test.each<[string, readonly string[]]>([
    ['', []],
    ['/', ['']],
    ['/a', ['a']],
    ['/a//b/', ['a', '', 'b', '']],
    ['/a~1b/m~0n/~01', ['a/b', 'm~n', '~1']],
    ['/c%25d/e^f/g|h/i\\j/k"l/ ', ['c%25d', 'e^f', 'g|h', 'i\\j', 'k"l', ' ']],
  ])('"%s" consists of the steps %j and is formatted from them', (pointer, steps) => {
    expect(parsePointer(pointer)).toEqual(steps)
    expect(formatPointer(steps)).toBe(pointer)
  })
})

const document = JSON.parse(
  '{"":0,"list":[1,[2]],"text":"abc","null":null,"deep":{"a":{"01":1}},"__proto__":{"a":5}}',
)

describe('valueAt', () => {
  test.each<[string, unknown]>([
    ['/', 0],
    ['/list/0', 1],
    ['/list/1/0', 2],
    ['/null', null],
    ['/deep/a/01', 1],
    ['/__proto__/a', 5],
  ])('finds the value at %s', (pointer, value) => {
    expect(valueAt(document, parsePointer(pointer))).toEqual(value)
  })

  test('finds the document itself', () => {
    expect(valueAt(document, [])).toBe(document)
  })

  test.each([
    '/other',
    '/list/2',
    '/list/-',
    '/list/-1',
    '/list/00',
    '/list/01',
    '/list/1e0',
    '/list/+1',
    '/list/ 1',
    '/list/',
    '/list/length',
    '/list/99999999999999999999',
    '/text/0',
    '/text/length',
    '/null/a',
    '/deep/toString',
    '/deep/constructor',
    '/deep/a/__proto__',
    '/other/a/b',
  ])('finds nothing at %s', (pointer) => {
    expect(valueAt(document, parsePointer(pointer))).toBe(undefined)
  })
})

describe('canAddAt', () => {
  test.each(['/other', '/list', '/list/0', '/list/2', '/list/-', '/list/1/1', '/deep/toString'])(
    'is true of %s',
    (pointer) => expect(canAddAt(document, parsePointer(pointer))).toBe(true),
  )

  test.each([
    '',
    '/list/3',
    '/list/-1',
    '/list/01',
    '/list/1e0',
    '/list/length',
    '/text/0',
    '/null/a',
    '/other/a',
  ])('is false of "%s"', (pointer) => expect(canAddAt(document, parsePointer(pointer))).toBe(false))
})
