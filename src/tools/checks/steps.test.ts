import { expect, test } from 'vitest'
import { scopeOf } from './scope-of.ts'
import { STEPS } from './steps.ts'

/** The scopes of the affected steps, by name. */
function affected(...files: string[]): Readonly<Record<string, unknown>> {
  const scopes = STEPS.map(({ name, inputs }) => {
    return [name, scopeOf(inputs, files, (file) => !file.includes('removed'))] as const
  })
  return Object.fromEntries(scopes.filter(([, scope]) => scope !== 'nothing'))
}

test('a page affects only its format and its prose', () => {
  const files = ['docs/watch.md']
  expect(affected(...files)).toEqual({ format: files, prose: files })
})

test('code of the server does not affect the types of the clients', () => {
  const files = ['src/lib/ids.ts']
  expect(affected(...files)).toEqual({
    types: 'everything',
    lint: files,
    format: files,
    'dead code': 'everything',
    prose: files,
    'layer rules': 'everything',
    SQL: 'everything',
    'generated documents': 'everything',
  })
})

test('code of the SDK affects the types of all clients', () => {
  const names = Object.keys(affected('clients/typescript/src/client.ts'))
  expect(names.filter((name) => name.startsWith('types'))).toEqual([
    'types',
    'types of the SDK',
    'types of the command',
    'types of the console',
  ])
})

test('a removed file is not linted, but its importers are compiled', () => {
  const scopes = affected('src/lib/removed.ts', 'docs/watch.md')
  expect(scopes).toMatchObject({ types: 'everything', format: ['docs/watch.md'] })
  expect(scopes).not.toHaveProperty('lint')
})

test('other packages affect every check that may depend on their versions', () => {
  const scopes = affected('package-lock.json')
  expect(Object.keys(scopes)).toEqual(
    STEPS.map(({ name }) => name).filter((name) => name !== 'layer rules'),
  )
  expect(scopes).toMatchObject({ lint: 'everything', format: 'everything' })
})

test.each([
  ['docs/errors.md', true],
  ['docs/planes-rules.md', true],
  ['docs/search-compatibility.md', true],
  ['test/vectors/tsl-upstream.json', true],
  ['test/planes/access.test.ts', true],
  ['openapi/base.yaml', true],
  ['clients/python/src/flotilla/_async/client.py', true],
  ['docs/search.md', false],
  ['clients/console/src/main.tsx', false],
])('the change of %s affects generated documents: %s', (file, isInput) => {
  expect('generated documents' in affected(file)).toBe(isInput)
})
