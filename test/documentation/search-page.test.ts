import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../support/test-server.ts'
import { readDocsPage } from './documentation-pages.ts'

const { text } = await readDocsPage('search')

/** Pairs of the first two code cells of a table's rows, under a heading. */
function rowsUnder(heading: string): readonly { first: string; second: string }[] {
  const [, section = ''] = text.split(`## ${heading}\n`)
  const [own = ''] = section.split(/^## /m)
  const rows = own.matchAll(/^\| `(.+?)` +\| `(.+?)` +\|$/gm)
  return Array.from(rows, ([, first = '', second = '']) => ({ first, second }))
}

/** The searches of the second cells of the first table of the page. */
const [examples = ''] = text.split('## Fields')
const searches = Array.from(examples.matchAll(/^\| [^`|]+ \| `(.+?)` +\|$/gm), ([, one]) => one)
const errors = rowsUnder('Errors')

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server[Symbol.asyncDispose]())

const search = (expression = '', path = '/nodepools') =>
  server.get(`${path}?search=${encodeURIComponent(expression)}`)

describe('docs/search.md', () => {
  test('has tables of searches and of errors', () => {
    expect(searches.length).toBeGreaterThan(10)
    expect(errors.length).toBeGreaterThan(10)
  })

  test.each(searches)('has a search that the server accepts: %s', async (expression) => {
    expect((await search(expression)).status).toBe(200)
  })

  test.each(errors)('has the message of $first', async ({ first, second }) => {
    const { status, body } = await search(first, '/clusters')
    expect([status, body.code]).toEqual([400, 'HYPERFLEET-VAL-005'])
    const [start = '', end = ''] = second.split('...')
    expect(body.detail).toContain(`search: ${start}`)
    expect(body.detail.endsWith(end)).toBe(true)
  })
})
