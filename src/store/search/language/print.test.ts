import fc from 'fast-check'
import { expect, it } from 'vitest'
import { anyExpression } from '../../../../test/search/search-arbitraries.ts'
import { withoutSpans } from '../fixtures.ts'
import { parse } from './parse.ts'
import { print } from './print.ts'

it('prints text that parses to the same tree', () => {
  fc.assert(
    fc.property(anyExpression(), (expression) => {
      expect(withoutSpans(parse(print(expression)))).toEqual(withoutSpans(expression))
    }),
    { numRuns: 1000 },
  )
})

it.each([
  ['(a = 1) and ((b = 2))', 'a = 1 and b = 2'],
  ['(a = 1 or b = 2) and c = 3', '(a = 1 or b = 2) and c = 3'],
  ['(a=1 and b=2) and c=3', '(a = 1 and b = 2) and c = 3'],
  ['a=1 and b=2 or c=3', 'a = 1 and b = 2 or c = 3'],
  ['not (a=1 or b=2)', 'not (a = 1 or b = 2)'],
  ['not name in [1, - 2]', 'name not in (1, -2)'],
  ['name is not null', 'name is not null'],
  ["labels.\"a\" is not 'it''s'", "labels.a != 'it''s'"],
  ['labels."my ""key" <> 1', 'labels."my ""key" != 1'],
  ['spec."a"."b.c"."d""e".-0 is not FALSE', 'spec.a."b.c"."d""e".-0 != false'],
  ['spec."" in [TRUE, false]', 'spec."" in (true, false)'],
])('prints %s as %s', (text, printed) => {
  const expression = parse(text)
  expect(expression && print(expression)).toBe(printed)
})
