import { expect, test } from 'vitest'
import { withDifferences } from './differences-section.ts'

const PAGE = `# Planes

<!-- Generated from src/tools/planes-differences/differences.ts. -->

old

<!-- End of the generated table. -->

Next
`
const NONE: ReadonlyMap<string, string> = new Map()
const D1 = { id: 'D1', topic: 'paths', difference: 'They are 400.', reason: 'Safety.' }
const TESTED = { ...D1, test: ['test/a.test.ts', 'rejects paths'] } as const

test('replaces the table and links tests', () => {
  const page = withDifferences(PAGE, [TESTED], {
    evidence: new Map([['D1', '3 specs']]),
    files: new Map([['test/a.test.ts', "test('rejects paths')"]]),
  })
  expect(page).toContain(
    '| D1 | paths | They are 400. Test: [a](../test/a.test.ts). | Safety. | 3 specs       |\n\n<!-- End',
  )
  expect(page).not.toContain('old')
  expect(page.endsWith('Next\n')).toBe(true)
})

test('names a file of specs without its extension', () => {
  const specs = { ...D1, test: ['test/b-specs.ts', 'rejects paths'] } as const
  const files = new Map([['test/b-specs.ts', "name: 'rejects paths'"]])
  const page = withDifferences(PAGE, [specs], { evidence: NONE, files })
  expect(page).toContain('Test: [b-specs](../test/b-specs.ts).')
})

test('rejects lost tests, repeated ids, and pages without a table', () => {
  const sources = { evidence: NONE, files: new Map([['test/a.test.ts', "test('another')"]]) }
  expect(() => withDifferences(PAGE, [TESTED], sources)).toThrow('test/a.test.ts has no test of D1')
  expect(() => withDifferences(PAGE, [D1, D1], sources)).toThrow('the same id')
  expect(() => withDifferences('# Planes', [D1], sources)).toThrow('no place for a table')
})

test('rejects a difference that only the suites show', () => {
  const sources = (...ids: readonly string[]) => ({
    evidence: new Map(ids.map((id) => [id, '1 spec'])),
    files: NONE,
  })
  expect(() => withDifferences(PAGE, [D1], sources('D1', 'D2'))).toThrow('D2')
  expect(withDifferences(PAGE, [D1], sources('suite'))).not.toContain('1 spec')
})
