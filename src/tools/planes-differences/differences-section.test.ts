import { expect, test } from 'vitest'
import { withDifferences } from './differences-section.ts'

const PAGE = `# Planes

<!-- Generated from src/tools/planes-differences/differences.ts. -->

old

<!-- End of the generated table. -->

Next
`
const D1 = { id: 'D1', topic: 'paths', difference: 'They are 400.', reason: 'Safety.' }
const TESTED = { ...D1, test: ['test/a.test.ts', 'rejects paths'] } as const

test('replaces the table and links tests', () => {
  const page = withDifferences(
    PAGE,
    [TESTED],
    new Map([['test/a.test.ts', "test('rejects paths')"]]),
  )
  expect(page).toContain(
    '| D1 | paths | They are 400. Test: [a](../test/a.test.ts). | Safety. |\n\n<!-- End',
  )
  expect(page).not.toContain('old')
  expect(page.endsWith('Next\n')).toBe(true)
})

test('rejects lost tests, repeated ids, and pages without a table', () => {
  const files = new Map([['test/a.test.ts', "test('another')"]])
  expect(() => withDifferences(PAGE, [TESTED], files)).toThrow('test/a.test.ts has no test of D1')
  expect(() => withDifferences(PAGE, [D1, D1], files)).toThrow('the same id')
  expect(() => withDifferences('# Planes', [D1], files)).toThrow('no place for the table')
})
