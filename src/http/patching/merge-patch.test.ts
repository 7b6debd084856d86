import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { allSteps } from '../../lib/async/steps.ts'
import type { JsonValue } from '../../lib/json/json.ts'
import { mergePatchInSteps } from './merge-patch.ts'

const mergePatch = (target: JsonValue, patch: JsonValue): JsonValue =>
  allSteps(mergePatchInSteps(target, patch))

/** The pseudo-code of RFC 7396, which changes its target. */
// oxlint-disable-next-line typescript/no-explicit-any -- any JSON, changed in place
function reference(target: any, patch: any): any {
  if (typeof patch !== 'object' || patch === null || Array.isArray(patch)) return patch
  const merged =
    typeof target !== 'object' || target === null || Array.isArray(target) ? {} : target
  for (const name of Object.keys(patch)) {
    if (patch[name] === null) delete merged[name]
    else {
      const value = reference(Object.hasOwn(merged, name) ? merged[name] : undefined, patch[name])
      Object.defineProperty(merged, name, {
        value,
        configurable: true,
        enumerable: true,
        writable: true,
      })
    }
  }
  return merged
}

const key = fc.constantFrom('a', 'b', 'c', '0', '', '__proto__', 'constructor', 'toString')
const { json } = fc.letrec((tie) => ({
  json: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom(null, true, 0, 1, '', 'x'),
    fc.array(tie('json'), { maxLength: 3 }),
    fc
      .array(fc.tuple(key, tie('json')), { maxLength: 4 })
      .map((members) => Object.fromEntries(members)),
  ),
}))

describe('a merge patch', () => {
  test("has the result of RFC 7396's pseudo-code and does not change the target", () => {
    fc.assert(
      fc.property(json, json, (target, patch) => {
        const [before, sent] = [JSON.stringify(target), JSON.stringify(patch)]
        const merged = mergePatch(JSON.parse(before), JSON.parse(sent))
        const expected = reference(JSON.parse(before), JSON.parse(sent))
        if (!isDeepStrictEqual(merged, expected)) expect(merged).toEqual(expected)
        const kept = JSON.parse(before)
        mergePatch(kept, JSON.parse(sent))
        expect(isDeepStrictEqual(kept, JSON.parse(before))).toBe(true)
      }),
      { numRuns: 2000 },
    )
    expect(Object.keys(Object.prototype)).toEqual([])
  })

  test.each<[string, string, string]>([
    ['{"a":"b"}', '{"a":"c"}', '{"a":"c"}'],
    ['{"a":"b"}', '{"b":"c"}', '{"a":"b","b":"c"}'],
    ['{"a":"b"}', '{"a":null}', '{}'],
    ['{"a":"b","b":"c"}', '{"a":null}', '{"b":"c"}'],
    ['{"a":["b"]}', '{"a":"c"}', '{"a":"c"}'],
    ['{"a":"c"}', '{"a":["b"]}', '{"a":["b"]}'],
    ['{"a":{"b":"c"}}', '{"a":{"b":"d","c":null}}', '{"a":{"b":"d"}}'],
    ['{"a":[{"b":"c"}]}', '{"a":[1]}', '{"a":[1]}'],
    ['["a","b"]', '["c","d"]', '["c","d"]'],
    ['{"a":"b"}', '["c"]', '["c"]'],
    ['{"a":"foo"}', 'null', 'null'],
    ['{"e":null}', '{"a":1}', '{"e":null,"a":1}'],
    ['[1,2]', '{"a":"b","c":null}', '{"a":"b"}'],
    ['{}', '{"a":{"bb":{"ccc":null}}}', '{"a":{"bb":{}}}'],
    ['{}', '{"a":[null,{"b":null}]}', '{"a":[null,{"b":null}]}'],
  ])('patches %s with %s into %s', (target, patch, expected) => {
    expect(mergePatch(JSON.parse(target), JSON.parse(patch))).toEqual(JSON.parse(expected))
  })
})

test('merges many members in steps', () => {
  const members = Object.fromEntries(Array.from({ length: 50_000 }, (_, at) => [`key${at}`, at]))
  // A copy of all, and an object of all.
  expect([...mergePatchInSteps({ spec: members }, { spec: { a: 1 } })].length).toBeGreaterThan(20)
  expect([...mergePatchInSteps({ spec: { a: 1 } }, { spec: members })].length).toBeGreaterThan(20)
})
