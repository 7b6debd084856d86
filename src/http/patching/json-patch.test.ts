import { isDeepStrictEqual } from 'node:util'
import { describe, expect, test } from 'vitest'
import { FlotillaError } from '../../lib/errors.ts'
import { applyJsonPatch, jsonPatchInSteps, OPERATIONS_PER_STEP } from './json-patch.ts'
import type { PatchOperation } from './patch-step.ts'

const LIMIT = 1_000_000

const apply = (document: string, patch: string) => {
  const operations: PatchOperation[] = JSON.parse(patch)
  return applyJsonPatch(JSON.parse(document), operations, { bodyLimit: LIMIT })
}

function failureOf(document: string, patch: string) {
  try {
    apply(document, patch)
  } catch (error) {
    if (error instanceof FlotillaError) {
      return { reason: error.reason, field: error.causes[0]?.field, message: error.message }
    }
    throw error
  }
  return null
}

test('a long patch pauses between its operations', () => {
  const add = (_: unknown, index: number) =>
    ({ op: 'add', path: `/k${index}`, value: index }) as const
  const operations = Array.from({ length: 3 * OPERATIONS_PER_STEP }, add)
  const steps = jsonPatchInSteps({}, operations, { bodyLimit: LIMIT })
  expect([...steps]).toHaveLength(4)
})

describe('applyJsonPatch', () => {
  test.each<[what: string, document: string, patch: string, result: string]>([
    ['nothing at all', '{"a":1}', '[]', '{"a":1}'],
    ['a new member', '{"a":1}', '[{"op":"add","path":"/b","value":2}]', '{"a":1,"b":2}'],
    ['a member that is there', '{"a":1}', '[{"op":"add","path":"/a","value":[2]}]', '{"a":[2]}'],
    ['null for a member', '{"a":1}', '[{"op":"add","path":"/a","value":null}]', '{"a":null}'],
    ['a member of no name', '{"a":{}}', '[{"op":"add","path":"/a/","value":1}]', '{"a":{"":1}}'],
    ['a number as name', '{"a":{}}', '[{"op":"add","path":"/a/0","value":1}]', '{"a":{"0":1}}'],
    ['a name with signs', '{}', '[{"op":"add","path":"/a~1b~0c","value":1}]', '{"a/b~c":1}'],
    ['a name that is an escape', '{}', '[{"op":"add","path":"/~01","value":1}]', '{"~1":1}'],
    ['an item at the start', '{"l":[1]}', '[{"op":"add","path":"/l/0","value":2}]', '{"l":[2,1]}'],
    [
      'an item in between',
      '{"l":[1,3]}',
      '[{"op":"add","path":"/l/1","value":2}]',
      '{"l":[1,2,3]}',
    ],
    ['an item at the end', '{"l":[1]}', '[{"op":"add","path":"/l/1","value":2}]', '{"l":[1,2]}'],
    [
      'an item after the last',
      '{"l":[1]}',
      '[{"op":"add","path":"/l/-","value":2}]',
      '{"l":[1,2]}',
    ],
    ['a list as an item', '{"l":[1]}', '[{"op":"add","path":"/l/-","value":[2]}]', '{"l":[1,[2]]}'],
    ['a list in a list', '{"l":[[]]}', '[{"op":"add","path":"/l/0/-","value":2}]', '{"l":[[2]]}'],
    ['no more of a member', '{"a":1,"b":2}', '[{"op":"remove","path":"/a"}]', '{"b":2}'],
    ['no more of a null', '{"a":null}', '[{"op":"remove","path":"/a"}]', '{}'],
    ['no more of an item', '{"l":[1,2,3]}', '[{"op":"remove","path":"/l/1"}]', '{"l":[1,3]}'],
    [
      'no more of two items, counted each time',
      '{"l":[1,2,3,4]}',
      '[{"op":"remove","path":"/l/1"},{"op":"remove","path":"/l/2"}]',
      '{"l":[1,3]}',
    ],
    [
      'another value',
      '{"a":1}',
      '[{"op":"replace","path":"/a","value":{"b":[]}}]',
      '{"a":{"b":[]}}',
    ],
    ['null instead', '{"a":1}', '[{"op":"replace","path":"/a","value":null}]', '{"a":null}'],
    ['instead of null', '{"a":null}', '[{"op":"replace","path":"/a","value":1}]', '{"a":1}'],
    [
      'another item',
      '{"l":[1,2]}',
      '[{"op":"replace","path":"/l/1","value":[3]}]',
      '{"l":[1,[3]]}',
    ],
    ['a member moved', '{"a":1}', '[{"op":"move","from":"/a","path":"/b"}]', '{"b":1}'],
    ['a null moved', '{"a":null}', '[{"op":"move","from":"/a","path":"/b"}]', '{"b":null}'],
    [
      'a member moved over one',
      '{"a":1,"b":2}',
      '[{"op":"move","from":"/a","path":"/b"}]',
      '{"b":1}',
    ],
    ['a member moved to itself', '{"a":1}', '[{"op":"move","from":"/a","path":"/a"}]', '{"a":1}'],
    [
      'an item moved up',
      '{"l":[1,2,3]}',
      '[{"op":"move","from":"/l/2","path":"/l/0"}]',
      '{"l":[3,1,2]}',
    ],
    [
      'an item moved down',
      '{"l":[1,2,3]}',
      '[{"op":"move","from":"/l/0","path":"/l/2"}]',
      '{"l":[2,3,1]}',
    ],
    [
      'an item moved last',
      '{"l":[1,2,3]}',
      '[{"op":"move","from":"/l/0","path":"/l/-"}]',
      '{"l":[2,3,1]}',
    ],
    [
      'an item moved out',
      '{"l":[1,2]}',
      '[{"op":"move","from":"/l/0","path":"/a"}]',
      '{"l":[2],"a":1}',
    ],
    [
      'an item moved into the next, which has its place by then',
      '{"l":[1,{},{}]}',
      '[{"op":"move","from":"/l/0","path":"/l/1/a"}]',
      '{"l":[{},{"a":1}]}',
    ],
    [
      'a member copied',
      '{"a":{"b":1}}',
      '[{"op":"copy","from":"/a","path":"/c"}]',
      '{"a":{"b":1},"c":{"b":1}}',
    ],
    [
      'a null copied',
      '{"a":null}',
      '[{"op":"copy","from":"/a","path":"/b"}]',
      '{"a":null,"b":null}',
    ],
    [
      'a copy in itself',
      '{"a":{"b":1}}',
      '[{"op":"copy","from":"/a","path":"/a/c"}]',
      '{"a":{"b":1,"c":{"b":1}}}',
    ],
    [
      'a copy that is another value',
      '{"a":{"b":1}}',
      '[{"op":"copy","from":"/a","path":"/c"},{"op":"replace","path":"/c/b","value":2}]',
      '{"a":{"b":1},"c":{"b":2}}',
    ],
    [
      'a value of the patch twice, each its own',
      '{}',
      '[{"op":"add","path":"/a","value":{}},{"op":"copy","from":"/a","path":"/b"},{"op":"add","path":"/a/x","value":1}]',
      '{"a":{"x":1},"b":{}}',
    ],
    [
      'what a test agrees with',
      '{"a":"x"}',
      '[{"op":"test","path":"/a","value":"x"}]',
      '{"a":"x"}',
    ],
    ['a test of null', '{"a":null}', '[{"op":"test","path":"/a","value":null}]', '{"a":null}'],
    ['a test of numbers', '{"a":1}', '[{"op":"test","path":"/a","value":1.0e0}]', '{"a":1}'],
    ['a test of zeros', '{"a":0}', '[{"op":"test","path":"/a","value":-0}]', '{"a":0}'],
    [
      'a test of members in another order',
      '{"a":{"b":1,"c":[2,{"d":3}]}}',
      '[{"op":"test","path":"/a","value":{"c":[2,{"d":3}],"b":1}}]',
      '{"a":{"b":1,"c":[2,{"d":3}]}}',
    ],
    [
      'a test of a number as name',
      '{"1e0":1}',
      '[{"op":"test","path":"/1e0","value":1}]',
      '{"1e0":1}',
    ],
    [
      'all of these, one after the other',
      '{"a":{"b":[1]}}',
      '[{"op":"test","path":"/a/b/0","value":1},{"op":"add","path":"/a/b/-","value":2},{"op":"move","from":"/a/b","path":"/c"},{"op":"copy","from":"/c/1","path":"/a/d"},{"op":"replace","path":"/c/0","value":0}]',
      '{"a":{"d":2},"c":[0,2]}',
    ],
    [
      'members that an operation does not have',
      '{}',
      '[{"op":"add","path":"/a","value":1,"from":5,"x":{}}]',
      '{"a":1}',
    ],
    [
      'names that every object inherits',
      '{}',
      '[{"op":"add","path":"/toString","value":1},{"op":"add","path":"/hasOwnProperty","value":2},{"op":"test","path":"/toString","value":1}]',
      '{"toString":1,"hasOwnProperty":2}',
    ],
  ])('produces %s', (_what, document, patch, result) => {
    expect(apply(document, patch)).toEqual(JSON.parse(result))
  })

  test.each<[what: string, document: string, operation: string, field: string]>([
    ['a test of another value', '{"a":1}', '{"op":"test","path":"/a","value":2}', 'value'],
    ['a test of another type', '{"a":1}', '{"op":"test","path":"/a","value":"1"}', 'value'],
    ['a test of null for 0', '{"a":0}', '{"op":"test","path":"/a","value":null}', 'value'],
    [
      'a test of items in another order',
      '{"a":[1,2]}',
      '{"op":"test","path":"/a","value":[2,1]}',
      'value',
    ],
    ['a test of what is not there', '{}', '{"op":"test","path":"/a","value":null}', 'path'],
    ['a test in other case', '{"a":1}', '{"op":"test","path":"/A","value":1}', 'path'],
    ['a test of a length', '{"a":[1]}', '{"op":"test","path":"/a/length","value":1}', 'path'],
    ['a test of a character', '{"a":"x"}', '{"op":"test","path":"/a/0","value":"x"}', 'path'],
    [
      'a test of what is inherited',
      '{"a":{}}',
      '{"op":"test","path":"/a/toString","value":1}',
      'path',
    ],
    ['an addition to nothing', '{}', '{"op":"add","path":"/a/b","value":1}', 'path'],
    ['an addition to text', '{"a":"x"}', '{"op":"add","path":"/a/0","value":1}', 'path'],
    ['an addition to null', '{"a":null}', '{"op":"add","path":"/a/b","value":1}', 'path'],
    ['an addition beyond the end', '{"a":[1]}', '{"op":"add","path":"/a/2","value":1}', 'path'],
    ['an addition before the start', '{"a":[1]}', '{"op":"add","path":"/a/-1","value":1}', 'path'],
    [
      'an addition at a name in a list',
      '{"a":[1]}',
      '{"op":"add","path":"/a/b","value":1}',
      'path',
    ],
    ['an addition at 1e0', '{"a":[1]}', '{"op":"add","path":"/a/1e0","value":1}', 'path'],
    ['an addition at 01', '{"a":[1]}', '{"op":"add","path":"/a/01","value":1}', 'path'],
    ['an addition after 0 at 0.0', '{"a":[1]}', '{"op":"add","path":"/a/0.0","value":1}', 'path'],
    ['a removal of nothing', '{}', '{"op":"remove","path":"/a"}', 'path'],
    ['a removal beyond the end', '{"a":[1]}', '{"op":"remove","path":"/a/1"}', 'path'],
    ['a removal after the last', '{"a":[1]}', '{"op":"remove","path":"/a/-"}', 'path'],
    ['a removal at 1e0', '{"a":[1,2]}', '{"op":"remove","path":"/a/1e0"}', 'path'],
    ['a removal at 00', '{"a":[1]}', '{"op":"remove","path":"/a/00"}', 'path'],
    ['a removal of a length', '{"a":[1]}', '{"op":"remove","path":"/a/length"}', 'path'],
    ['a removal of what is inherited', '{"a":{}}', '{"op":"remove","path":"/a/toString"}', 'path'],
    ['a replacement of nothing', '{}', '{"op":"replace","path":"/a","value":1}', 'path'],
    [
      'a replacement of a length',
      '{"a":[1]}',
      '{"op":"replace","path":"/a/length","value":0}',
      'path',
    ],
    ['a replacement at 1e0', '{"a":[1,2]}', '{"op":"replace","path":"/a/1e0","value":0}', 'path'],
    [
      'a replacement before the start',
      '{"a":[1]}',
      '{"op":"replace","path":"/a/-1","value":0}',
      'path',
    ],
    [
      'a replacement after the last',
      '{"a":[1]}',
      '{"op":"replace","path":"/a/-","value":0}',
      'path',
    ],
    ['a move of nothing', '{}', '{"op":"move","from":"/a","path":"/b"}', 'from'],
    ['a move from 01', '{"a":[1,2]}', '{"op":"move","from":"/a/01","path":"/b"}', 'from'],
    [
      'a move beyond the end that is left',
      '{"a":[1,2]}',
      '{"op":"move","from":"/a/0","path":"/a/2"}',
      'path',
    ],
    [
      'a move into the last, which is then not there',
      '{"a":[1,{}]}',
      '{"op":"move","from":"/a/0","path":"/a/1/b"}',
      'path',
    ],
    ['a move to nowhere', '{"a":1}', '{"op":"move","from":"/a","path":"/b/c"}', 'path'],
    ['a copy of nothing', '{}', '{"op":"copy","from":"/a","path":"/b"}', 'from'],
    [
      'a copy of an item at 1e0',
      '{"a":[1,2]}',
      '{"op":"copy","from":"/a/1e0","path":"/b"}',
      'from',
    ],
    ['a copy beyond the end', '{"a":[1]}', '{"op":"copy","from":"/a/0","path":"/a/3"}', 'path'],
    [
      'a copy of what is inherited',
      '{"a":{}}',
      '{"op":"copy","from":"/a/valueOf","path":"/b"}',
      'from',
    ],
  ])('fails with CNF-003 and the operation for %s', (_what, document, operation, field) => {
    const patch = `[{"op":"add","path":"/new","value":1},${operation}]`
    const failure = failureOf(document, patch)
    expect(failure).toMatchObject({ reason: 'state-conflict', field: `[1].${field}` })
    expect(failure?.message).toContain(`[1].${field}`)
  })

  test('reports the value that a test found', () => {
    const messageOf = (value: string) =>
      failureOf(`{"a":${value}}`, '[{"op":"test","path":"/a","value":"?"}]')?.message
    const message = (found: string) => `[0].value is not the value at '/a': found ${found}`
    expect(messageOf('5')).toBe(message('5'))
    expect(messageOf('"5"')).toBe(message('"5"'))
    expect(messageOf('null')).toBe(message('null'))
    expect(messageOf('{"b":1}')).toBe(message('an object'))
    expect(messageOf('[1]')).toBe(message('a list'))
  })

  describe('with the names of prototypes', () => {
    const names = ['__proto__', 'constructor', 'prototype'] as const

    test.each(names)('keeps a stored %s', (name) => {
      const document = `{"a":{"${name}":{"x":1}},"l":[{"${name}":null}]}`
      expect(isDeepStrictEqual(apply(document, '[]'), JSON.parse(document))).toBe(true)
      const copied = apply(document, '[{"op":"copy","from":"/a","path":"/b"}]')
      expect(
        isDeepStrictEqual(copied, JSON.parse(document.replace('{', `{"b":{"${name}":{"x":1}},`))),
      ).toBe(true)
    })

    test.each(names)('handles %s like any other name', (name) => {
      const result = apply(
        '{"a":{}}',
        `[{"op":"add","path":"/a/${name}","value":{"${name}":{}}},
          {"op":"add","path":"/a/${name}/x","value":{"${name}":1}},
          {"op":"test","path":"/a/${name}/x/${name}","value":1},
          {"op":"move","from":"/a/${name}/x","path":"/y"},
          {"op":"remove","path":"/a/${name}/${name}"}]`,
      )
      const expected = `{"a":{"${name}":{}},"y":{"${name}":1}}`
      expect(isDeepStrictEqual(result, JSON.parse(expected))).toBe(true)
      const removed = apply(expected, `[{"op":"remove","path":"/a/${name}"}]`)
      expect(isDeepStrictEqual(removed['a'], {})).toBe(true)
    })

    test.each(names)('does not find %s if none is stored', (name) => {
      for (const operation of [
        `{"op":"test","path":"/a/${name}","value":{}}`,
        `{"op":"add","path":"/a/${name}/polluted","value":1}`,
        `{"op":"add","path":"/a/${name}/${name}/polluted","value":1}`,
        `{"op":"replace","path":"/a/${name}","value":{"polluted":1}}`,
        `{"op":"remove","path":"/a/${name}"}`,
      ]) {
        expect(failureOf('{"a":{}}', `[${operation}]`)).toMatchObject({ reason: 'state-conflict' })
      }
    })

    test('does not pollute prototypes', () => {
      for (const name of names) {
        for (const inner of names) {
          failureOf(
            '{"a":{},"l":[]}',
            `[{"op":"add","path":"/a/${name}","value":{"${inner}":{"polluted":1}}},
              {"op":"add","path":"/a/${name}/${inner}/polluted","value":2},
              {"op":"copy","from":"/a/${name}","path":"/b"},
              {"op":"add","path":"/l/${inner}/polluted","value":3}]`,
          )
        }
      }
      expect(Reflect.has({}, 'polluted')).toBe(false)
      expect(Reflect.has([], 'polluted')).toBe(false)
      expect(Reflect.has(Object, 'polluted')).toBe(false)
    })
  })

  // Work that is not limited would exceed the timeout of a test.
  describe('limits', () => {
    test('the depth to 100 levels, including the document', () => {
      const nested = (levels: number) => '{"a":'.repeat(levels - 1) + '{}' + '}'.repeat(levels - 1)
      const patch = (levels: number) => `[{"op":"add","path":"/b","value":${nested(levels)}}]`
      expect(failureOf('{}', patch(99))).toBe(null)
      expect(failureOf('{}', patch(100))).toMatchObject({ reason: 'invalid', field: 'b' })
      const wrap = '{"op":"copy","from":"/b","path":"/b/a"}'
      const failure = failureOf('{"b":{}}', `[${Array(1000).fill(wrap).join()}]`)
      expect(failure).toMatchObject({ reason: 'invalid', field: 'b.a' })
      expect(failure?.message).toContain('over 100 levels by the operation [98]')
      const down = '/a'.repeat(98)
      const chain = Array(1000).fill(
        `{"op":"move","from":"/b","path":"/c${down}"},{"op":"move","from":"/c","path":"/b"},{"op":"add","path":"/c","value":${nested(98)}}`,
      )
      expect(failureOf(`{"b":{},"c":${nested(98)}}`, `[${chain.join()}]`)).toMatchObject({
        reason: 'invalid',
      })
    })

    test('the size of values copied by repeated doubling', () => {
      const patch = `[${Array(1000).fill('{"op":"copy","from":"/l","path":"/l/-"}').join()}]`
      expect(failureOf(JSON.stringify({ l: [1, 'x'.repeat(1000)] }), patch)).toMatchObject({
        reason: 'invalid',
      })
      const over = `[${Array(1000).fill('{"op":"copy","from":"/l","path":"/m"}').join()}]`
      expect(failureOf(JSON.stringify({ l: ['x'.repeat(500_000)] }), over)).toMatchObject({
        reason: 'invalid',
        field: '[7].from',
      })
    })

    test('the size of moved values', () => {
      const document = JSON.stringify({ a: Array.from({ length: 100_000 }, () => ({})), b: {} })
      const there =
        '{"op":"move","from":"/a","path":"/b/a"},{"op":"move","from":"/b/a","path":"/a"}'
      expect(failureOf(document, `[${Array(500).fill(there).join()}]`)).toMatchObject({
        reason: 'invalid',
      })
    })

    test('the work to compare long lists', () => {
      const list = Array.from({ length: 100_000 }, (_, index) => index)
      const patch = JSON.stringify([
        { op: 'test', path: '/l', value: list.map((item) => item + 1) },
      ])
      expect(failureOf(JSON.stringify({ l: list }), patch)).toMatchObject({
        reason: 'state-conflict',
      })
    })

    test('the work for a thousand operations on a large document', () => {
      const document = JSON.stringify({
        l: Array.from({ length: 100_000 }, (_, index) => ({ index })),
      })
      const operations = ['{"op":"remove","path":"/l/0"}', '{"op":"add","path":"/l/0","value":{}}']
      expect(failureOf(document, `[${Array(500).fill(operations.join()).join()}]`)).toBe(null)
    })
  })
})
